package travel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/backup"
	"sesskeep/internal/errcode"
)

// RestoreOptions say what is restored, and where to.
type RestoreOptions struct {
	From    *backup.Repository
	Backup  *backup.Backup
	Targets []Target
	Maps    Mappings
	Only    []string // ids of sessions and paths of projects; empty: everything
}

// Target is a home of a backup with the directory that it is restored to.
type Target struct {
	Home backup.Home
	Root string
}

// Targets returns the directories that the homes of a backup are restored to: the directory to,
// or, if it is empty, their old paths with the mappings applied. If homes are named it returns only those.
func Targets(b *backup.Backup, to string, named []string, maps Mappings) (list []Target, err error) {
	for _, h := range b.Homes {
		if len(named) == 0 || slices.Contains(named, h.Name) || slices.Contains(named, h.ID) || slices.Contains(named, h.Root) {
			list = append(list, Target{h, maps.Path(h.Root)})
		}
	}
	switch {
	case len(list) == 0:
		return nil, errcode.New(errcode.NotFound, fmt.Errorf("the backup has no home called %s", strings.Join(named, " or ")))
	case to == "":
		return list, nil
	case len(list) > 1:
		return nil, errcode.New(errcode.Invalid, fmt.Errorf("the backup has %d homes, and one directory takes one of them", len(list)))
	}
	list[0].Root = to
	return list, nil
}

// Restored says what was restored, or would be.
type Restored struct {
	Backup   string         `json:"backup"`
	Homes    []RestoredHome `json:"homes"`
	Labels   int            `json:"labelCount"`            // sessions whose labels were restored
	Trash    int            `json:"trashCount"`            // sessions that were restored into the trash
	Copies   int            `json:"copyCount"`             // sessions whose copies were restored
	Mended   int            `json:"mendedCount,omitempty"` // of these sessions, those whose copies here were damaged
	Settings []string       `json:"settings"`              // files of ours that were restored
	Kept     []KeptFile     `json:"kept"`                  // files that exist, differ and were not overwritten
	Lost     []string       `json:"lost"`                  // files of the backup that cannot be read
	Acts     int            `json:"actCount"`              // changes that were made
	Act      int            `json:"actId,omitempty"`       // number of the last change; undoing it undoes all of them
	DryRun   bool           `json:"dryRun"`
}

// RestoredHome says what was restored of a home.
type RestoredHome struct {
	From     string `json:"fromRoot"` // its path in the backup
	Root     string `json:"root"`     // directory that it was restored to
	Sessions int    `json:"sessionCount"`
	Files    int    `json:"fileCount"`    // files that were restored
	Present  int    `json:"presentCount"` // files that existed with everything that the backup has
	Size     int64  `json:"fileSize"`     // bytes of the files that were restored
}

// KeptFile is a file that existed and differs from the backup, and was not overwritten.
type KeptFile struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// verb is the verb of restores in the journal.
const verb = "backup restore"

// restorer restores a backup.
type restorer struct {
	tr     *Travel
	o      RestoreOptions
	doing  acts.Doing
	choice *choice
	report Progress
	out    Restored
	done   int
	bytes  int64
	trees  map[string][]*backup.File
	labels map[sesskeep.Key]labelled
}

// Restore puts back what is missing, and overwrites nothing: it lists files that exist and
// differ. Each session is an act of its own in the journal; one undo reverses all of them.
// A dry run plans everything and changes nothing.
func (tr *Travel) Restore(ctx context.Context, d acts.Doing, o RestoreOptions, progress Progress) (Restored, error) {
	if err := tr.opts.Journal.Start(ctx, d, verb, o.From.Path()); err != nil {
		return Restored{}, err
	}
	r := &restorer{tr: tr, o: o, doing: d, choice: newChoice(o.Only), report: progress, trees: map[string][]*backup.File{}}
	r.doing.Batch = cmp.Or(d.Batch, acts.NewBatch())
	r.out = Restored{Backup: o.Backup.ID, Homes: []RestoredHome{}, Settings: []string{}, Kept: []KeptFile{}, Lost: []string{}, DryRun: d.DryRun}
	for i := range o.Backup.List {
		f := &o.Backup.List[i]
		r.trees[f.Tree] = append(r.trees[f.Tree], f)
	}
	err := r.all(ctx)
	if !d.DryRun {
		tr.opts.Journal.Touch()
	}
	return r.out, err
}

func (r *restorer) all(ctx context.Context) error {
	if err := r.readLabels(ctx); err != nil {
		return err
	}
	for _, t := range r.o.Targets {
		if err := r.home(ctx, t); err != nil {
			return err
		}
		if err := r.copies(ctx, t); err != nil {
			return err
		}
	}
	if err := r.restLabels(ctx); err != nil {
		return err
	}
	if err := r.trash(ctx); err != nil {
		return err
	}
	if missing := r.choice.missing(); len(missing) > 0 {
		return errcode.New(errcode.NotFound, fmt.Errorf("the backup has no session and no project %s", strings.Join(missing, ", ")))
	}
	if !r.choice.all() {
		return nil
	}
	return r.ours(ctx)
}

// keep notes a file that was not overwritten.
func (r *restorer) keep(file, reason string) { r.out.Kept = append(r.out.Kept, KeptFile{file, reason}) }

// progress reports that a file was restored.
func (r *restorer) progress(size int64) {
	r.done++
	r.bytes += size
	if r.report != nil {
		r.report(r.done, max(r.done, r.total()), r.bytes)
	}
}

// total is how many files the homes have.
func (r *restorer) total() (n int) {
	for _, t := range r.o.Targets {
		n += len(r.trees[homeTree+t.Home.ID])
	}
	return n
}

// read reads a file of the backup as a whole.
func (r *restorer) read(tree, name string) ([]byte, error) {
	for _, f := range r.trees[tree] {
		if f.Name == name {
			return readAll(r.o.From, f)
		}
	}
	return nil, nil
}

// intact returns an error if a file of the backup cannot be read as a whole.
func (r *restorer) intact(f *backup.File) error {
	_, err := discard(r.o.From.Open(*f))
	return err
}

// sortedKeys returns the keys of a map, sorted.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// isLost reports whether an error says that the backup is damaged.
func isLost(err error) bool { return errors.Is(err, backup.ErrDamaged) }
