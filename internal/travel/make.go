package travel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"sesskeep/internal/backup"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
)

// Made says what a backup holds.
type Made struct {
	Path      string `json:"path"` // path of the repository
	Encrypted bool   `json:"encrypted"`
	backup.Head
	backup.Written
	Sessions int `json:"sessionCount"`
}

// Progress is called with the number of files that were backed up or restored, their total and
// the bytes so far.
type Progress func(done, total int, bytes int64)

// Make backs everything up. A repository inside of a home is [errcode.Conflict]. The Head lists
// files that could not be read: the backup lacks them.
func (tr *Travel) Make(ctx context.Context, to Where, progress Progress) (Made, error) {
	m := Made{Path: to.Path}
	if err := tr.outside(to.Path); err != nil {
		return m, err
	}
	w, err := backup.NewWriter(to.Path, tr.repository(to))
	if err != nil {
		return m, err
	}
	m.Encrypted = w.Repo.Encrypted()
	c, err := tr.collect(ctx, w, progress)
	if err != nil {
		return m, errors.Join(err, w.Abort())
	}
	m.Sessions = c.sessions
	m.Head, m.Written, err = w.Commit(c.head)
	return m, err
}

// outside returns an error if a path lies in what is backed up.
func (tr *Travel) outside(path string) error {
	dir, err := realPath(path)
	if err != nil {
		return err
	}
	for _, root := range append(tr.opts.Homes.Roots(), tr.opts.Data) {
		if real, err := filepath.EvalSymlinks(root); err == nil && catalog.Within(dir, real) {
			return errcode.New(errcode.Conflict, fmt.Errorf("%s lies in %s, which is backed up", path, root))
		}
	}
	return nil
}

// realPath follows the links of a path. Its last parts need not exist.
func realPath(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	above := filepath.Dir(path)
	if !errors.Is(err, os.ErrNotExist) || above == path {
		return real, err
	}
	above, err = realPath(above)
	return filepath.Join(above, filepath.Base(path)), err
}

// collector finds files and backs them up.
type collector struct {
	tr       *Travel
	w        *backup.Writer
	was      map[[2]string]*backup.File
	head     backup.Head
	sessions int
	files    []found
	progress Progress

	mu   sync.Mutex
	done int
	read int64
}

// found is a file to back up, or a directory whose files are backed up together.
type found struct {
	tree *tree
	name string
	size int64
}

// rounds is how often files are collected again because sessions were moved meanwhile.
const rounds = 3

// collect backs up all trees. If an act moved something meanwhile, such as from the trash to a
// home, it starts over, which costs little: stored files are not read again.
func (tr *Travel) collect(ctx context.Context, w *backup.Writer, progress Progress) (*collector, error) {
	was, err := lastBackup(w.Repo)
	if err != nil {
		return nil, err
	}
	var c *collector
	for range rounds {
		before := tr.journalState()
		w.Forget()
		c = &collector{tr: tr, w: w, was: was, progress: progress}
		if err := c.all(ctx); err != nil {
			return nil, err
		}
		if tr.journalState() == before {
			break
		}
	}
	return c, nil
}

// journalState returns a number that changes with every act.
func (tr *Travel) journalState() int64 {
	info, err := os.Stat(filepath.Join(tr.opts.Data, "journal.jsonl"))
	if err != nil {
		return 0
	}
	return info.Size()
}

// lastBackup returns the files of the newest backup that can be read.
func lastBackup(r *backup.Repository) (map[[2]string]*backup.File, error) {
	heads, _, err := r.List()
	if err != nil {
		return nil, err
	}
	was := map[[2]string]*backup.File{}
	for _, h := range heads {
		b, err := r.Load(h.ID)
		if err != nil {
			continue // an older backup can be used too
		}
		for i := range b.List {
			f := &b.List[i]
			was[[2]string{f.Tree, f.Name}] = f
		}
		break
	}
	return was, nil
}

func (c *collector) all(ctx context.Context) error {
	var trees []*tree
	for _, h := range c.tr.opts.Homes.List {
		c.head.Homes = append(c.head.Homes, backup.Home{
			ID: string(h.Is.ID), Name: h.Is.Name, Machine: string(h.Is.Machine), Root: h.Store.Root(),
		})
		c.head.Machine, c.head.MachineName = string(h.Is.Machine), cmp.Or(c.tr.opts.Host, h.Is.MachineName)
		trees = append(trees, c.homeTree(h)...)
	}
	more, err := c.trashTrees(ctx)
	if err != nil {
		return err
	}
	for _, t := range append(trees, more...) {
		c.walk(t, ".", 0)
	}
	if err := c.ours(ctx); err != nil {
		return err
	}
	slices.SortFunc(c.head.Unread, func(a, b backup.Unread) int { return strings.Compare(a.File, b.File) })
	slices.Sort(c.head.Left)
	c.head.Left = slices.Compact(c.head.Left)
	return c.store(ctx)
}

// store backs up the files that were found.
func (c *collector) store(ctx context.Context) error {
	slices.SortStableFunc(c.files, func(a, b found) int { return cmp.Compare(b.size, a.size) }) // large files first, so that none is left to one worker at the end
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan found)
	var group sync.WaitGroup
	for range cmp.Or(c.tr.opts.Workers, runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for f := range next {
				if err := c.add(ctx, f); err != nil {
					cancel(err)
				}
			}
		})
	}
	for _, f := range c.files {
		select {
		case next <- f:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	group.Wait()
	return context.Cause(ctx)
}

// add backs up one file. It notes a file that cannot be read, and skips one that is gone.
func (c *collector) add(ctx context.Context, f found) error {
	err := f.tree.add(ctx, c, f.name)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done++
	c.read += f.size
	if c.progress != nil {
		c.progress(c.done, len(c.files), c.read)
	}
	return err
}

// noteUnread notes a file or directory that the backup lacks, and why.
func (c *collector) noteUnread(path string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.head.Unread = append(c.head.Unread, backup.Unread{File: path, Reason: errcode.PlainReason(err)})
}
