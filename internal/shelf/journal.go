package shelf

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"

	"sesskeep"
	"sesskeep/internal/label"
	"sesskeep/internal/sealed"
)

// Journal is the file of all acts. It has a line when an act is about to happen, and one
// when it is over: each is the whole act. So it is read from its end, no further than
// needed, and the first line of an act that is found there is the one that counts.
type Journal struct {
	data *data
}

// journalVersion is the newest form of the journal that is understood; forgetVersion is that
// of an act which removes for good, while it is made.
const journalVersion, forgetVersion = 2, 2

// needs is the version that a line says its reader must understand, whatever else
// it has.
func needs(line []byte) int {
	var v struct{ Needs int }
	_ = json.Unmarshal(line, &v) // a line that was cut off needs nothing
	return v.Needs
}

// Acts returns what was done, the newest first. It takes no lock, and reads no more of
// the journal than the caller asks for. A line that an older program must not
// interpret ends it with [sealed.ErrNewer].
func (j *Journal) Acts() iter.Seq2[Act, error] {
	return func(yield func(Act, error) bool) {
		below := 0 // the acts still to come have smaller numbers
		undone := map[int]bool{}
		for line, err := range j.backward() {
			if err != nil {
				yield(Act{}, err)
				return
			}
			if needs(line) > journalVersion {
				yield(Act{}, &fs.PathError{Op: "read", Path: j.data.journal(), Err: sealed.ErrNewer})
				return
			}
			var a Act
			// A line that a crash cut off says nothing that the files do not show.
			if json.Unmarshal(line, &a) != nil || a.ID < 1 || a.State == "" || below > 0 && a.ID >= below {
				continue
			}
			below = a.ID
			if undone[a.ID] {
				a.State = Undone
			} else if a.Undoes > 0 && a.State == Done {
				undone[a.Undoes] = true
			}
			delete(undone, a.ID)
			if !yield(a, nil) {
				return
			}
		}
	}
}

// last returns the newest act; its ID is 0 if there is none.
func (j *Journal) last() (Act, error) {
	for a, err := range j.Acts() {
		return a, err
	}
	return Act{}, nil
}

// Lost returns an error if it can be seen that the journal had more: it is gone and what
// changes left is there, or its last line is not what was written.
func (j *Journal) Lost() error {
	for line, err := range j.backward() {
		if err != nil {
			return nil // the next reader has the error
		}
		if len(line) == 0 {
			continue
		}
		if json.Unmarshal(line, new(struct{})) != nil || !intact(line) {
			return fmt.Errorf("the end of %s is damaged: what was changed last may be missing in it", j.data.journal())
		}
		return nil
	}
	backups, _ := os.ReadDir(j.data.backup("")) // what cannot be listed shows nothing
	trash, _ := os.ReadDir(j.data.trash())
	if slices.ContainsFunc(backups, ofAct) || len(trash) > 0 {
		return fmt.Errorf("%s is missing: what was changed before cannot be listed or undone", j.data.journal())
	}
	return nil
}

// Altered returns an error if something in the journal is not what was written. It reads
// all of it. An error of reading is left to the calls that need the journal.
func (j *Journal) Altered() error {
	flaws, _ := j.chainFlaws()
	if len(flaws) == 0 {
		return nil
	}
	return fmt.Errorf("%s is damaged: %s", flaws[0].File, flaws[0].Reason)
}

// ofAct reports whether a backup was made by an act: its name begins with the number.
func ofAct(e fs.DirEntry) bool {
	number, _, ok := strings.Cut(e.Name(), "-")
	_, err := strconv.Atoi(number)
	return ok && err == nil
}

// journalBlock is how much of the journal is read at once.
const journalBlock = 64 << 10

// backward reads the lines of the journal from the last to the first.
func (j *Journal) backward() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		f, err := openRegular(j.data.journal(), os.O_RDONLY)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			yield(nil, err)
			return
		}
		var rest []byte // the end of a line whose start is not read yet
		for at := info.Size(); at > 0; {
			n := min(journalBlock, at)
			at -= n
			block := make([]byte, n, n+int64(len(rest)))
			if _, err := f.ReadAt(block, at); err != nil {
				yield(nil, err)
				return
			}
			rest = append(block, rest...)
			for i := bytes.LastIndexByte(rest, '\n'); i >= 0; i = bytes.LastIndexByte(rest, '\n') {
				if !yield(rest[i+1:], nil) {
					return
				}
				rest = rest[:i]
			}
		}
		if len(rest) > 0 {
			yield(rest, nil)
		}
	}
}

// write adds an act as it stands, and returns when it is on the disk.
func (j *Journal) write(a Act) error {
	if err := j.data.at("journal " + string(a.State)); err != nil {
		return err
	}
	var err error
	if a.Prev, err = j.lastHash(); err != nil {
		return err
	}
	line, err := json.Marshal(a)
	if err != nil {
		return err
	}
	line = withSum(line)
	_, err = os.Lstat(j.data.journal())
	first := errors.Is(err, fs.ErrNotExist)
	f, err := j.data.disk.OpenFile(j.data.journal(), os.O_RDWR|os.O_CREATE|os.O_APPEND|openFlags, 0o600)
	if err != nil {
		return err
	}
	torn, err := noEnd(f)
	if err == nil {
		if torn { // a crash cut the last line off
			line = append([]byte("\n"), line...)
		}
		_, err = f.Write(append(line, '\n'))
	}
	if err == nil {
		err = j.data.at("journal written " + string(a.State))
	}
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if first && err == nil {
		err = j.data.disk.SyncDir(j.data.dir)
	}
	return err
}

// Find returns an act of some homes that can be undone; 0 is the last one
// there that is no undo itself. The error is [sesskeep.ErrNotFound] if there is
// none, and that of an act of another home is an *ElsewhereError.
func (j *Journal) Find(ctx context.Context, id int, homes []string) (Act, error) {
	for a, err := range j.Acts() {
		switch {
		case err != nil:
			return Act{}, err
		case ctx.Err() != nil:
			return Act{}, ctx.Err()
		case id == 0 && a.State == Done && a.Undoes == 0 && !a.gone() && a.In(homes):
			return a, nil
		case id == 0 || a.ID > id:
			continue
		case a.ID < id:
			return Act{}, &sesskeep.Error{Op: "undo", Name: strconv.Itoa(id), Err: sesskeep.ErrNotFound}
		case a.State == Noted:
			return Act{}, &sesskeep.Error{Op: "undo", Name: strconv.Itoa(id), Err: fmt.Errorf("%w: it changed nothing", sesskeep.ErrNotFound)}
		case !a.In(homes):
			return Act{}, &ElsewhereError{id, a.Home}
		case a.State == Undone || a.State == Dropped:
			return Act{}, &sesskeep.Error{Op: "undo", Name: strconv.Itoa(id), Err: fmt.Errorf("it was %s", a.State)}
		case a.gone():
			return Act{}, &sesskeep.Error{Op: "undo", Name: strconv.Itoa(id), Err: ErrPurged}
		}
		return a, nil
	}
	name := "the last change"
	if id > 0 {
		name = strconv.Itoa(id)
	}
	return Act{}, &sesskeep.Error{Op: "undo", Name: name, Err: sesskeep.ErrNotFound}
}

// BatchOf lists the acts of one command that can be undone, the newest first: a itself, and the
// others of its batch.
func (j *Journal) BatchOf(a Act) ([]Act, error) {
	if a.Batch == "" {
		return []Act{a}, nil
	}
	var list []Act
	for other, err := range j.Acts() {
		if err != nil {
			return nil, err
		}
		if other.Batch == a.Batch && other.State == Done && !other.gone() {
			list = append(list, other)
		} else if other.Batch != a.Batch && len(list) > 0 && other.ID < a.ID-maxBatch {
			break
		}
	}
	return list, nil
}

// maxBatch is how far apart the acts of one batch can be: others may act meanwhile.
const maxBatch = 1 << 16

// labelChanges lists the changes of labels after an act, the oldest first.
func (j *Journal) labelChanges(after int) ([]label.Change, error) {
	var list []label.Change
	for a, err := range j.Acts() {
		if err != nil {
			return nil, err
		}
		if a.ID <= after {
			break
		}
		if a.State != Done && a.State != Undone {
			continue
		}
		for _, step := range slices.Backward(a.Steps) {
			if l, ok := step.(Label); ok {
				list = append(list, label.Change{Act: a.ID, Key: l.Key, Before: l.Before, After: l.After})
			}
		}
	}
	slices.Reverse(list)
	return list, nil
}
