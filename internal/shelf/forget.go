package shelf

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"strconv"
	"strings"

	"sesskeep"
	"sesskeep/internal/disk"
	"sesskeep/internal/mention"
)

// Forget removes for good what our data directory has of sessions besides their files: what
// users added to them, and what changes have written down and kept of them. An act that
// mentions one loses its content in the journal, and its backups: it cannot be undone any
// more. It comes last in its act, which it empties too.
type Forget struct {
	Keys   []sesskeep.Key `json:"keys"`
	Of     mention.Set    `json:"of"`
	Labels int            `json:"labels"` // that are there when the act begins
}

// Forgotten is what a Forget removes.
type Forgotten struct {
	Labels  int // of sessions and agents
	Backups int // files that changes keep
	Acts    []int
}

func (f Forget) file() string { return "journal.jsonl" }

func (f Forget) check(t *task) (Step, error) {
	var err error
	f.Labels, err = t.shelf.Labels().Has(context.Background(), f.Keys)
	return f, err
}

func (f Forget) stage(*task) (Step, error) { return f, nil }

func (f Forget) run(t *task) error {
	if err := t.at("forget"); err != nil {
		return err
	}
	if err := t.shelf.Labels().Forget(context.Background(), f.Keys); err != nil {
		return err
	}
	if err := t.at("labels forgotten"); err != nil {
		return err
	}
	finder := f.Of.Finder()
	backups, err := t.shelf.data.mentioning(finder)
	if err != nil {
		return err
	}
	acts, err := t.shelf.Journal.mentioning(finder, backups)
	if err != nil {
		return err
	}
	maps.Copy(acts, backups) // also of acts that the journal has lost
	delete(acts, t.act)
	if err := t.shelf.data.markPurged(acts); err != nil { // what goes first does not show it any more
		return err
	}
	if err := t.at("backups marked"); err != nil {
		return err
	}
	if err := t.shelf.data.dropBackups(acts); err != nil {
		return err
	}
	// That there is a backup shows, after a crash, how far the act itself came.
	if err := t.shelf.data.emptyBackups(t.act); err != nil {
		return err
	}
	if err := t.at("backups dropped"); err != nil {
		return err
	}
	own := map[int]bool{t.act: true}
	if err := t.shelf.Journal.redact(t, finder, union(acts, own)); err != nil {
		return err
	}
	return errors.Join(t.shelf.data.dropBackups(own), t.shelf.data.removeMarks(acts))
}

func union(a, b map[int]bool) map[int]bool {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

func (f Forget) revert(t *task) error {
	if n, err := t.shelf.Labels().Has(context.Background(), f.Keys); err != nil || n >= f.Labels {
		return err
	}
	return ErrPurged
}

func (f Forget) inverse(*task) (Step, error) { return nil, ErrPurged }

// Forgets says what a Forget of sessions would remove. It changes nothing.
func (s *Shelf) Forgets(ctx context.Context, f Forget) (out Forgotten, err error) {
	if out.Labels, err = s.Labels().Has(ctx, f.Keys); err != nil {
		return out, err
	}
	finder := f.Of.Finder()
	backups, err := s.data.mentioning(finder)
	if err != nil {
		return out, err
	}
	acts, err := s.Journal.mentioning(finder, backups)
	if err != nil {
		return out, err
	}
	for id := range acts {
		out.Acts = append(out.Acts, id)
	}
	err = s.data.eachBackup(func(name string, act int) error {
		if acts[act] && s.data.backup(name) != s.data.mark(act) {
			out.Backups++
		}
		return nil
	})
	return out, err
}

// eachBackup calls f with the files and directories that acts keep. Copies of labels and of
// lists are none of them.
func (d *data) eachBackup(f func(name string, act int) error) error {
	entries, err := os.ReadDir(d.backup(""))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if act, ok := actOf(e.Name()); ok && err == nil {
			err = f(e.Name(), act)
		}
	}
	return err
}

// actOf is the act that keeps a file under a name: the number with which the name begins.
func actOf(name string) (act int, ok bool) {
	number, _, ok := strings.Cut(name, "-")
	number, _, _ = strings.Cut(number, ".")
	act, err := strconv.Atoi(number)
	return act, ok && err == nil
}

// purgedMark is what the backups of an act leave until the journal says that they are gone.
const purgedMark = "purged"

func (d *data) mark(act int) string { return d.backup(strconv.Itoa(act) + "-" + purgedMark) }

// markPurged marks acts whose backups are about to go.
func (d *data) markPurged(acts map[int]bool) error {
	marked := map[int]bool{}
	return d.eachBackup(func(_ string, act int) error {
		if !acts[act] || marked[act] {
			return nil
		}
		marked[act] = true
		return disk.WriteFile(d.disk, d.mark(act), nil, 0o600)
	})
}

func (d *data) removeMarks(acts map[int]bool) (err error) {
	for act := range acts {
		err = errors.Join(err, disk.Remove(d.disk, d.mark(act)))
	}
	return err
}

// mentioning returns the acts whose backups mention what a finder finds, in their names or in
// what they hold.
func (d *data) mentioning(finder *mention.Finder) (map[int]bool, error) {
	acts := map[int]bool{}
	err := d.eachBackup(func(name string, act int) error {
		if acts[act] || d.backup(name) == d.mark(act) {
			acts[act] = true
			return nil
		}
		found, err := finder.Below(d.backup(name))
		if found {
			acts[act] = true
		}
		return err
	})
	return acts, err
}

// emptyBackups takes the content out of what an act keeps.
func (d *data) emptyBackups(of int) error {
	return d.eachBackup(func(name string, act int) error {
		if act != of {
			return nil
		}
		return disk.WriteFile(d.disk, d.backup(name), nil, 0o600)
	})
}

// dropBackups removes what some acts keep.
func (d *data) dropBackups(acts map[int]bool) error {
	err := d.eachBackup(func(name string, act int) error {
		if !acts[act] || d.backup(name) == d.mark(act) {
			return nil
		}
		info, err := os.Lstat(d.backup(name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case info.IsDir():
			return d.removeTree(d.backup(name))
		}
		return d.disk.Remove(d.backup(name))
	})
	if err != nil {
		return err
	}
	if err = d.disk.SyncDir(d.backup("")); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
