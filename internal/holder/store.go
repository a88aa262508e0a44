package holder

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/regular"
)

// Store is the directory that contains the runs.
type Store struct {
	Dir string
	Now func() time.Time // nil: time.Now
}

// ErrNoRun means that there is no such run.
var ErrNoRun = errors.New("no such run")

// ErrLives means that a run has not ended.
var ErrLives = errors.New("the run has not ended")

// ErrNotHeld means that a run has ended, or that its holder is gone.
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

// Prefixes of names: of runs, and of questions of clients that we did not start.
const (
	runPrefix      = "r"
	questionPrefix = "q"
)

// runNumber returns the number in a name, or 0 if id is not a name.
func runNumber(id string) int {
	if id == "" || id[:1] != runPrefix && id[:1] != questionPrefix {
		return 0
	}
	n, err := strconv.Atoi(id[1:])
	if err != nil || n < 1 || id[:1]+strconv.Itoa(n) != id {
		return 0
	}
	return n
}

// ids returns the names of all runs, oldest first.
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
		if e.IsDir() && runNumber(e.Name()) > 0 {
			ids = append(ids, e.Name())
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return runNumber(a) - runNumber(b) })
	return ids, nil
}

// create makes the directory of a new run. Names are never reused: a script may
// still contain that of a run that was removed.
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
			next = max(next, runNumber(id)+1)
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

// lastRemoved returns the highest number of a removed run.
func (s Store) lastRemoved() int {
	data, err := regular.ReadFile(filepath.Join(s.Dir, "removed"), 100)
	if err != nil {
		return 0
	}
	n, _ := strconv.Atoi(strings.TrimSpace(string(data)))
	return n
}

// UnreadError lists the runs that cannot be read. It comes with a list of the others.
type UnreadError struct{ Runs []error }

func (e *UnreadError) Error() string {
	if len(e.Runs) == 1 {
		return e.Runs[0].Error()
	}
	return fmt.Sprintf("%v (and %d more)", e.Runs[0], len(e.Runs)-1)
}

func (e *UnreadError) Unwrap() []error { return e.Runs }

// List returns all runs, newest first. Those that cannot be read are in an
// [UnreadError].
func (s Store) List(ctx context.Context) ([]Record, error) { return s.Relist(ctx, nil) }

// Relist is List for callers that listed before: it takes runs that had ended from
// known, by id, and does not read them again.
func (s Store) Relist(ctx context.Context, known map[string]Record) ([]Record, error) {
	return s.readEach(ctx, func(id string) (Record, error) {
		if rec, ok := known[id]; ok && !rec.Living() {
			return rec, nil
		}
		return s.Read(ctx, id)
	})
}

// Living returns the runs that have not ended, newest first, without reading those
// that have.
func (s Store) Living(ctx context.Context) ([]Record, error) {
	list, err := s.readEach(ctx, func(id string) (Record, error) {
		if _, err := os.Stat(s.path(id, "end.json")); err == nil {
			return Record{}, ErrNotHeld
		}
		return s.Read(ctx, id)
	})
	return slices.DeleteFunc(list, func(r Record) bool { return !r.Living() }), err
}

func (s Store) readEach(ctx context.Context, read func(id string) (Record, error)) ([]Record, error) {
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

// Read returns one run.
func (s Store) Read(ctx context.Context, id string) (Record, error) {
	run, err := s.run(id)
	if err != nil {
		return Record{}, err
	}
	if e, ended, err := s.end(id); ended || err != nil {
		return s.endedRecord(run, e), err
	}
	if s.held(id) {
		if reply, err := s.Ask(ctx, id, Request{Do: DoStatus}); err == nil && reply.Record != nil {
			return *reply.Record, nil
		}
	}
	if e, ended, err := s.end(id); ended || err != nil { // it ended meanwhile
		return s.endedRecord(run, e), err
	}
	st, damage := s.reconstruct(run)
	rec := newRecord(run, st, s.logSize(id))
	rec.Damage = damage
	return rec, nil
}

// endedRecord returns the record of a run that has ended.
func (s Store) endedRecord(run Run, e ending) Record {
	rec := newRecord(run, e.Status, s.logSize(run.ID))
	rec.Damage = s.damage(run.ID, e)
	return rec
}

func (s Store) run(id string) (r Run, err error) {
	if runNumber(id) == 0 {
		return r, fmt.Errorf("run %q: %w", id, ErrNoRun)
	}
	data, err := regular.ReadFile(s.path(id, "run.json"), 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		if s.logSize(id) > 0 { // the log is created after run.json
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
