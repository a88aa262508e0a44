package holder

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/launch"
	"sesskeep/internal/lock"
	"sesskeep/internal/regular"
	"sesskeep/internal/sealed"
)

// Store is the directory that runs are kept in.
type Store struct {
	Dir string
	Now func() time.Time // nil: time.Now
}

// ErrNoRun says that there is no such run.
var ErrNoRun = errors.New("no such run")

// ErrLives says that a run has not ended.
var ErrLives = errors.New("the run has not ended")

// ErrNotHeld says that a run has ended, or nobody holds it any more.
var ErrNotHeld = errors.New("the run has ended")

func (s Store) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

func (s Store) path(id string, name ...string) string {
	return filepath.Join(append([]string{s.Dir, id}, name...)...)
}

// What names begin with: those of runs, and of questions of clients that we did not
// start.
const (
	runPrefix      = "r"
	questionPrefix = "q"
)

// number is that in a name, or 0.
func number(id string) int {
	if id == "" || id[:1] != runPrefix && id[:1] != questionPrefix {
		return 0
	}
	n, err := strconv.Atoi(id[1:])
	if err != nil || n < 1 || id[:1]+strconv.Itoa(n) != id {
		return 0
	}
	return n
}

// ids are the names of all runs, the oldest first.
func (s Store) ids() ([]string, error) {
	entries, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, e := range entries {
		if e.IsDir() && number(e.Name()) > 0 {
			ids = append(ids, e.Name())
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return number(a) - number(b) })
	return ids, nil
}

// create makes the directory of a new run. No name is ever used again: that of a
// run which was removed could still be in somebody's script.
func (s Store) create(prefix string) (id string, err error) {
	if err := regular.MkdirAll(s.Dir, 0o700); err != nil {
		return "", err
	}
	ids, err := s.ids()
	if err != nil {
		return "", err
	}
	next := 1
	if prefix == runPrefix {
		next = s.lastRemoved() + 1
	}
	for _, id := range ids {
		if strings.HasPrefix(id, prefix) {
			next = max(next, number(id)+1)
		}
	}
	for ; ; next++ {
		id := prefix + strconv.Itoa(next)
		switch err := os.Mkdir(s.path(id), 0o700); {
		case err == nil:
			return id, nil
		case !errors.Is(err, fs.ErrExist):
			return "", err
		}
	}
}

// lastRemoved is the highest number of a run that was removed.
func (s Store) lastRemoved() int {
	data, err := regular.ReadFile(filepath.Join(s.Dir, "removed"), 100)
	if err != nil {
		return 0
	}
	n, _ := strconv.Atoi(strings.TrimSpace(string(data)))
	return n
}

// UnreadError names the runs that cannot be read. It comes with a list of the others.
type UnreadError struct{ Runs []error }

func (e *UnreadError) Error() string {
	if len(e.Runs) == 1 {
		return e.Runs[0].Error()
	}
	return fmt.Sprintf("%v (and %d more)", e.Runs[0], len(e.Runs)-1)
}

func (e *UnreadError) Unwrap() []error { return e.Runs }

// List are all runs, the newest first. Those that cannot be read are in an
// [UnreadError].
func (s Store) List(ctx context.Context) ([]Record, error) { return s.Again(ctx, nil) }

// Again is List for who has listed before: runs that had ended then are taken from
// what is known, by id, and not read.
func (s Store) Again(ctx context.Context, known map[string]Record) ([]Record, error) {
	return s.some(ctx, func(id string) (Record, error) {
		if rec, ok := known[id]; ok && !rec.Living() {
			return rec, nil
		}
		return s.Read(ctx, id)
	})
}

// Living are the runs that have not ended, the newest first. What has ended is not
// read.
func (s Store) Living(ctx context.Context) ([]Record, error) {
	list, err := s.some(ctx, func(id string) (Record, error) {
		if _, err := os.Stat(s.path(id, "end.json")); err == nil {
			return Record{}, ErrNotHeld
		}
		return s.Read(ctx, id)
	})
	return slices.DeleteFunc(list, func(r Record) bool { return !r.Living() }), err
}

func (s Store) some(ctx context.Context, read func(id string) (Record, error)) ([]Record, error) {
	ids, err := s.ids()
	if err != nil {
		return nil, err
	}
	var list []Record
	var unread []error
	for _, id := range slices.Backward(ids) {
		rec, err := read(id)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, ErrNoRun), errors.Is(err, ErrNotHeld):
		case err != nil:
			unread = append(unread, err)
		case !rec.Foreign || rec.Living():
			list = append(list, rec)
		}
	}
	if len(unread) > 0 {
		return list, &UnreadError{unread}
	}
	return list, nil
}

// Read tells of one run.
func (s Store) Read(ctx context.Context, id string) (Record, error) {
	run, err := s.run(id)
	if err != nil {
		return Record{}, err
	}
	if e, ended, err := s.end(id); ended || err != nil {
		return s.over(run, e), err
	}
	if s.held(id) {
		if reply, err := s.Ask(ctx, id, Request{Do: DoStatus}); err == nil && reply.Record != nil {
			return *reply.Record, nil
		}
	}
	if e, ended, err := s.end(id); ended || err != nil { // meanwhile
		return s.over(run, e), err
	}
	st, damage := s.traces(run)
	rec := newRecord(run, st, s.logSize(id))
	rec.Damage = damage
	return rec, nil
}

// over is the record of a run that has ended.
func (s Store) over(run Run, e ending) Record {
	rec := newRecord(run, e.Status, s.logSize(run.ID))
	rec.Damage = s.damage(run.ID, e)
	return rec
}

func (s Store) run(id string) (r Run, err error) {
	if number(id) == 0 {
		return r, fmt.Errorf("run %q: %w", id, ErrNoRun)
	}
	data, err := regular.ReadFile(s.path(id, "run.json"), 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		if s.logSize(id) > 0 { // which is begun after it
			return r, fmt.Errorf("run %s: %s is missing", id, s.path(id, "run.json"))
		}
		return r, fmt.Errorf("run %q: %w", id, ErrNoRun)
	}
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		err = fmt.Errorf("run %s: %s is damaged: %w", id, s.path(id, "run.json"), err)
	}
	return r, err
}

// ending is where a run ended, and what came of its last messages: who waits for one
// may ask when the run is over.
type ending struct {
	launch.Status
	Responses []launch.Response `json:"responses,omitempty"`
	Left      *left             `json:"left,omitempty"`
}

// left is what there was beside the end when it was written, so that it is noticed when
// there is less.
type left struct {
	Log     int64  `json:"log"`     // bytes of log.jsonl
	Life    int64  `json:"life"`    // bytes of life.jsonl
	LifeSum string `json:"lifeSum"` // of them
}

// leaves is what there is beside the end of a run.
func (s Store) leaves(id string) *left {
	data, err := regular.ReadFile(s.LifeFile(id), maxLife)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil // nothing can be compared with it
	}
	return &left{s.logSize(id), int64(len(data)), lifeSum(data)}
}

func lifeSum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// damage says what is missing in what a run left beside its end; empty: nothing.
func (s Store) damage(id string, e ending) string {
	if e.Left == nil { // it is older
		return ""
	}
	info, err := os.Stat(s.path(id, "log.jsonl"))
	if e.Left.Log > 0 && (err != nil || !info.Mode().IsRegular() || info.Size() < e.Left.Log) {
		return s.path(id, "log.jsonl") + " is damaged: not all that the run wrote is there"
	}
	info, err = os.Stat(s.LifeFile(id))
	if e.Left.Life > 0 && (err != nil || info.Size() < e.Left.Life) {
		return s.LifeFile(id) + " is damaged: not all that happened is there"
	}
	return ""
}

// endFile is an ending as it is written, behind what its reader must understand and
// before its seal.
type endFile struct {
	Version int `json:"version"`
	ending
}

const endVersion = 1

// Valid reports whether it can be one from before there were seals.
func (f endFile) Valid() bool { return f.Version == 0 && f.State != "" }

// end reads where a run ended, if it has.
func (s Store) end(id string) (e ending, ended bool, err error) {
	data, err := regular.ReadFile(s.path(id, "end.json"), maxEnd)
	if errors.Is(err, fs.ErrNotExist) {
		return e, false, nil
	}
	var f endFile
	if err == nil {
		f, err = sealed.Decode[endFile](s.path(id, "end.json"), data, endVersion)
	}
	if err != nil {
		return ending{}, false, fmt.Errorf("run %s: how it ended cannot be read: %w", id, err)
	}
	return f.ending, true, nil
}

// maxEnd is more than the end of a run takes.
const maxEnd = 256 << 20

// response is what came of a message of a run that has ended; nil: nobody knows.
func (s Store) response(id, message string) *launch.Response {
	e, _, _ := s.end(id) // whoever waits reads the run next, and gets the error there
	if i := slices.IndexFunc(e.Responses, func(r launch.Response) bool { return r.Message == message }); i >= 0 {
		return &e.Responses[i]
	}
	return nil
}

// writeEnd writes where a run ended.
func (s Store) writeEnd(id string, e ending) error {
	e.Left = s.leaves(id)
	data, err := json.MarshalIndent(endFile{endVersion, e}, "", "  ")
	if err != nil {
		return err
	}
	return regular.Replace(s.path(id, "end.json"), sealed.Seal(data))
}

// held reports whether a holder has the run.
func (s Store) held(id string) bool {
	l, err := lock.Take(s.path(id, "held"))
	if err == nil {
		_ = l.Release()
	}
	return errors.Is(err, lock.ErrHeld)
}

func (s Store) logSize(id string) int64 {
	info, err := os.Stat(s.path(id, "log.jsonl"))
	if err != nil {
		return 0
	}
	return info.Size()
}

// startTime is how long a holder may take to say that it is there.
const startTime = 10 * time.Second

// traces tells what a run was that nobody holds, by what it left, and what is missing
// of that.
func (s Store) traces(r Run) (st launch.Status, damage string) {
	if s.held(r.ID) || s.now().Sub(r.CreatedAt.Time) < startTime && s.logSize(r.ID) == 0 {
		st = launch.Status{State: launch.Starting, Since: r.CreatedAt}
		st.Session = r.SessionID
		return st, ""
	}
	m := launch.New(launch.Limits{}, r.CreatedAt.Time)
	m.AllowBypass()
	m.Launched(r.CreatedAt.Time)
	last := r.CreatedAt.Time
	if info, err := os.Stat(s.path(r.ID, "log.jsonl")); err == nil {
		last = info.ModTime()
	}
	_ = s.lines(r.ID, 0, func(_ int64, line []byte) error { // what can be read counts
		m.Heard(last, launch.Decode(line))
		return nil
	})
	st = m.Status()
	st.State, st.Why, st.Prompts = launch.Unclean, "its holder was killed", nil
	events, err := s.Events(r.ID)
	if slices.ContainsFunc(events, func(e launch.Event) bool { return e.Event == launch.EventEnded }) {
		damage = s.path(r.ID, "end.json") + " is missing: how it ended is not known"
		st.Why = damage
	} else if err != nil {
		st.Why = "how it ended is not known: " + err.Error()
	}
	st.Outcome, st.Error = launch.HolderDied, st.Why
	st.Since.Time = last
	return st, damage
}

// maxLine is how long a line of output can be; what is behind that is dropped.
const maxLine = 64 << 20

// lines gives the lines of a log from a byte on, each without its newline and
// with where the next one begins. A last line without a newline is none.
func (s Store) lines(id string, from int64, give func(next int64, line []byte) error) error {
	f, err := regular.Open(s.path(id, "log.jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return err
	}
	r := bufio.NewReaderSize(f, 1<<16)
	for {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		from += int64(len(line))
		if err := give(from, bytes.TrimSuffix(line, []byte("\n"))); err != nil {
			return err
		}
	}
}

// LifeFile is the lifecycle log of a run.
func (s Store) LifeFile(id string) string { return s.path(id, "life.jsonl") }

// Answers gives what all runs were answered, by anybody.
func (s Store) Answers(give func(id string, e launch.Event)) error {
	ids, err := s.ids()
	if err != nil {
		return err
	}
	var failed error
	for _, id := range ids {
		events, err := s.Events(id)
		failed = errors.Join(failed, err)
		for _, e := range events {
			if e.Event == launch.EventAnswered {
				give(id, e)
			}
		}
	}
	return failed
}

// maxLife is more than the lifecycle of a run takes.
const maxLife = 64 << 20

// Events is what happened to a run, as far as it can be read.
func (s Store) Events(id string) ([]launch.Event, error) {
	data, err := regular.ReadFile(s.LifeFile(id), maxLife)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var list []launch.Event
	for line := range bytes.Lines(data) {
		var e launch.Event
		switch {
		case json.Unmarshal(line, &e) == nil:
			list = append(list, e)
		case bytes.HasSuffix(line, []byte("\n")): // one that was cut off says nothing
			err = cmp.Or(err, s.lifeDamaged(id))
		}
	}
	e, _, _ := s.end(id) // whoever reads the run has the error
	if l := e.Left; err == nil && l != nil && int64(len(data)) >= l.Life && lifeSum(data[:l.Life]) != l.LifeSum {
		err = s.lifeDamaged(id)
	}
	return list, err
}

// goneTime is how long a holder may take for the end of its run: for the notices and
// followers that it waits for.
const goneTime = 10 * time.Second

// gone waits until a run that has ended is not held any more. Its holder writes the end
// and removes the socket after it says that the run has ended.
func (s Store) gone(ctx context.Context, id string) error {
	for end := time.Now().Add(goneTime); s.held(id); {
		if time.Now().After(end) {
			return fmt.Errorf("run %s: %w", id, ErrLives)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
	return nil
}

func (s Store) lifeDamaged(id string) error {
	return fmt.Errorf("%s is damaged: not all that happened is known", s.LifeFile(id))
}

// Remove deletes what is kept of a run that has ended, also of one that cannot be
// read and that nobody holds. The session is not touched.
func (s Store) Remove(ctx context.Context, id string) error {
	rec, err := s.Read(ctx, id)
	if errors.Is(err, ErrNoRun) {
		return err
	}
	if err == nil && rec.Living() || err != nil && s.held(id) {
		return fmt.Errorf("run %s: %w", id, ErrLives)
	}
	if err := s.gone(ctx, id); err != nil {
		return err
	}
	if n := number(id); n > s.lastRemoved() {
		if err := regular.Replace(filepath.Join(s.Dir, "removed"), fmt.Appendln(nil, n)); err != nil {
			return err
		}
	}
	return os.RemoveAll(s.path(id))
}

// Expire removes runs that ended longer ago than an age, and tells how many.
func (s Store) Expire(ctx context.Context, age time.Duration) (int, error) {
	list, err := s.List(ctx)
	removed := 0
	for _, rec := range list {
		if rec.Living() || s.now().Sub(rec.Since.Time) < age {
			continue
		}
		if e := s.Remove(ctx, rec.ID); e != nil {
			err = errors.Join(err, e)
			continue
		}
		removed++
	}
	return removed, err
}
