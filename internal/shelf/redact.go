package shelf

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"sesskeep/internal/disk"
	"sesskeep/internal/mention"
	"sesskeep/internal/sealed"
)

// forgets reports whether the content of an act leaves the journal when it is done.
func (a *Act) forgets() bool {
	return slices.ContainsFunc(a.Steps, func(step Step) bool {
		_, is := step.(Forget)
		return is
	})
}

// gone reports whether an act cannot be undone because its content was purged, or because
// it is a purge.
func (a *Act) gone() bool { return a.Purged > 0 || len(a.Steps) == 0 && a.State == Done }

// bare is an act without its content: its number, time, verb and who made it stay, and the
// ids of its home and session. It is the same for any reader.
func (a Act) bare() Act {
	return Act{
		ID: a.ID, Time: a.Time, Verb: a.Verb, Actor: a.Actor, Home: a.Home, Session: a.Session, Batch: a.Batch,
		State: a.State, Undoes: a.Undoes, Prev: a.Prev, Steps: Steps{},
	}
}

// mentioning returns the acts of the journal that mention what a finder finds, beside some
// others.
func (j *Journal) mentioning(finder *mention.Finder, others map[int]bool) (map[int]bool, error) {
	acts := map[int]bool{}
	for line, err := range j.backward() {
		switch {
		case err != nil:
			return nil, err
		case needs(line) > journalVersion:
			return nil, &fs.PathError{Op: "read", Path: j.data.journal(), Err: sealed.ErrNewer}
		}
		var a Act
		if json.Unmarshal(line, &a) == nil && a.Purged == 0 && (others[a.ID] || finder.In(line)) && !a.empty() {
			acts[a.ID] = true
		}
	}
	return acts, nil
}

// empty reports whether an act has nothing that a purge would take out.
func (a *Act) empty() bool {
	return len(a.Steps) == 0 && a.What == "" && a.Problem == "" && a.Tag == ""
}

// redact takes the content of some acts out of the journal, and of lines that cannot be read
// and mention what a finder finds. The lines keep the hashes that they had, by which the
// others name them, and the purge that is being made says which they were and what they
// are now. It is one step: the journal is written again beside the old one.
func (j *Journal) redact(t *task, finder *mention.Finder, acts map[int]bool) error {
	part := j.data.journal() + ".part"
	in, err := openRegular(j.data.journal(), os.O_RDONLY)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := t.sys().OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	r := &redactor{purge: t.act, acts: acts, finder: finder, out: out, redacted: map[string]string{}}
	err = r.copy(in)
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return errors.Join(err, disk.Remove(t.sys(), part))
	}
	if len(r.redacted) == 0 { // it was done before a crash
		return disk.Remove(t.sys(), part)
	}
	if err := t.at("redact"); err != nil {
		return err
	}
	if err := t.sys().Rename(part, j.data.journal()); err != nil {
		return err
	}
	return errors.Join(t.sys().SyncDir(j.data.dir), t.at("redacted"))
}

// redactor copies a journal, and takes the content of some acts out of it.
type redactor struct {
	purge    int // the act that is being made
	acts     map[int]bool
	finder   *mention.Finder
	out      io.Writer
	redacted map[string]string

	made Act    // the purge without its content
	last string // the hash of the line before
}

// copy copies all lines, and adds one in which the purge says what it redacted.
func (r *redactor) copy(in io.Reader) error {
	for lines := bufio.NewReaderSize(in, journalBlock); ; {
		line, err := lines.ReadBytes('\n')
		if line = bytes.TrimSuffix(line, []byte("\n")); len(line) > 0 {
			if err := r.line(line); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	if r.made.ID == 0 {
		return errors.New("the journal does not have the purge that is being made")
	}
	r.made.Prev, r.made.Redacted = r.last, r.redacted
	line, err := json.Marshal(r.made)
	if err == nil {
		_, err = r.out.Write(append(withSum(line), '\n'))
	}
	return err
}

func (r *redactor) line(line []byte) error {
	var a Act
	if json.Unmarshal(line, &a) != nil {
		a = Act{}
	}
	if a.ID == r.purge {
		r.made = a.bare()
	}
	r.last = chainHash(line)
	if a.Purged == 0 && (r.acts[a.ID] && !a.empty() || a.ID == 0 && r.finder.In(line)) {
		var err error
		if line, err = emptied(a, r.purge, r.last); err != nil {
			return err
		}
		r.redacted[r.last] = lineHash(line)
	}
	_, err := r.out.Write(append(line, '\n'))
	return err
}

// emptied is the line of an act without its content.
func emptied(a Act, purge int, was string) ([]byte, error) {
	a = a.bare()
	a.Purged, a.Was = purge, was
	line, err := json.Marshal(a)
	return withSum(line), err
}
