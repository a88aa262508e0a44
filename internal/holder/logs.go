package holder

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"sesskeep/internal/launch"
	"sesskeep/internal/regular"
)

// startTime is how long a holder may take to start.
const startTime = 10 * time.Second

// reconstruct works out the status of a run without holder and without end from
// its files, and describes what is missing from them.
func (s Store) reconstruct(r Run) (st launch.Status, damage string) {
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
	_ = s.lines(r.ID, 0, func(_ int64, line []byte) error { // a partial log counts too
		m.Receive(last, launch.Decode(line))
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

// maxLine is the longest line of output that is kept; the rest is dropped.
const maxLine = 64 << 20

// lines calls give with the lines of a log from an offset, without their newlines,
// and with the offset of the line after each. It skips a last line without a newline.
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

// Logged calls give with every whole line in the log of a run.
func Logged(s Store, id string, give func(line []byte) error) error {
	if _, err := s.run(id); err != nil {
		return err
	}
	return s.lines(id, 0, func(_ int64, line []byte) error { return give(line) })
}

// LifeFile returns the path of the lifecycle log of a run.
func (s Store) LifeFile(id string) string { return s.path(id, "life.jsonl") }

// Answers calls give with every answer to a prompt of any run.
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

// maxLife is a size that no lifecycle log reaches.
const maxLife = 64 << 20

// Events returns the readable events of a run.
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
		case bytes.HasSuffix(line, []byte("\n")): // skip a last line that was cut off
			err = cmp.Or(err, s.lifeDamaged(id))
		}
	}
	e, _, _ := s.end(id) // readers of the run get the error
	if l := e.Left; err == nil && l != nil && int64(len(data)) >= l.Life && lifeSum(data[:l.Life]) != l.LifeSum {
		err = s.lifeDamaged(id)
	}
	return list, err
}
