package shelf

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Act is a change that was made, or begun.
type Act struct {
	ID     int       `json:"id"`
	Time   time.Time `json:"time"`
	Verb   string    `json:"verb,omitempty"`
	State  State     `json:"state,omitempty"`
	File   string    `json:"file,omitempty"`   // as it was named, from the root on
	Path   string    `json:"path,omitempty"`   // where links led
	Before string    `json:"before,omitempty"` // SHA-256 of the content; empty: no file
	After  string    `json:"after,omitempty"`
	Backup string    `json:"backup,omitempty"` // name of the file that keeps what was before
	Undoes int       `json:"undoes,omitempty"` // of an undo: the act
}

// State says what became of an act.
type State string

// The states. Only an act that is done can be undone; an undo too.
const (
	Done    State = "done"
	Undone  State = "undone"
	Dropped State = "dropped" // it never happened
	Unclear State = "unclear" // begun, and the file is neither as before nor as after
)

// step is a line of the journal: that an act is about to happen, with all there
// is to know about it, and later what became of it.
type step struct {
	Step string `json:"step"` // "begin", "done" or "dropped"
	Act
}

// journal is the journal as it stood, the oldest act first.
type journal struct {
	acts []Act
	torn bool // the last line has no end
}

// readJournal reads what can be read: a line that a crash cut off says nothing
// that the files do not tell.
func (s *Shelf) readJournal() (*journal, error) {
	j := &journal{}
	data, err := os.ReadFile(s.journalPath())
	if errors.Is(err, fs.ErrNotExist) {
		return j, nil
	}
	if err != nil {
		return nil, err
	}
	j.torn = len(data) > 0 && data[len(data)-1] != '\n'
	for line := range bytes.Lines(data) {
		var w step
		if json.Unmarshal(line, &w) == nil && w.ID > 0 {
			j.add(w)
		}
	}
	for _, u := range j.acts {
		if u.Undoes > 0 && u.State == Done {
			j.undone(u.Undoes)
		}
	}
	return j, nil
}

func (j *journal) add(w step) {
	if w.Step == "begin" {
		w.Act.State = Unclear
		j.acts = append(j.acts, w.Act)
		return
	}
	if a := j.act(w.ID); a != nil {
		a.State = State(w.Step)
	}
}

// undone marks an act. What it had undone itself is done again.
func (j *journal) undone(id int) {
	a := j.act(id)
	if a == nil {
		return
	}
	a.State = Undone
	if again := j.act(a.Undoes); again != nil {
		again.State = Done
	}
}

func (j *journal) act(id int) *Act {
	i := slices.IndexFunc(j.acts, func(a Act) bool { return a.ID == id })
	if i < 0 {
		return nil
	}
	return &j.acts[i]
}

// next is an id that was never used.
func (j *journal) next() int {
	id := 1
	for _, a := range j.acts {
		id = max(id, a.ID+1)
	}
	return id
}

// write adds a step and does not come back before it is on the disk.
func (s *Shelf) write(j *journal, w step) error {
	_, err := os.Lstat(s.journalPath())
	first := errors.Is(err, fs.ErrNotExist)
	f, err := os.OpenFile(s.journalPath(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	line, err := json.Marshal(w)
	if err == nil {
		if j.torn {
			line = append([]byte("\n"), line...)
		}
		_, err = f.Write(append(line, '\n'))
		j.torn = err != nil
	}
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if first && err == nil {
		err = syncDir(filepath.Dir(s.journalPath()))
	}
	return err
}

// Acts lists what was done, the newest first. It waits for nobody.
func (s *Shelf) Acts() ([]Act, error) {
	j, err := s.readJournal()
	if err != nil {
		return nil, err
	}
	slices.Reverse(j.acts)
	return j.acts, nil
}
