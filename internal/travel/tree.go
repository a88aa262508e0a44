package travel

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/backup"
	"sesskeep/internal/homes"
)

// tree is a directory that is backed up.
type tree struct {
	name   string
	files  *homefs.Home
	prefix string // begins all names in the tree, such as the directory in the trash
	below  string // directory of the tree that is laid out like a home, for the deny-list; "": the tree itself
	// whole reports whether the files of a directory are backed up together, as they were at
	// one moment.
	whole func(dir string) bool
	want  func(name string) bool // reports whether a file is backed up; nil: all are
}

// maxDepth is far below any file that clients write.
const maxDepth = 24

// homeTree returns the trees of a home and of its copies.
func (c *collector) homeTree(h *homes.Home) (list []*tree) {
	id := string(h.Is.ID)
	if disk := h.Disk(); disk != nil {
		list = append(list, &tree{name: homeTree + id, files: disk.Files(), want: func(name string) bool {
			if !strings.Contains(name, "/") && !slices.Contains(belongings, name) {
				c.head.Left = append(c.head.Left, name)
				return false
			}
			return true
		}})
	}
	if h.Copies != nil && h.Copies.Any() {
		c.noteDamagedCopies(h)
		if files, err := homefs.Open(filepath.Join(c.tr.opts.Data, "vault", id)); err == nil {
			list = append(list, &tree{name: copiesTree + id, files: files, whole: isBox, want: isCopy})
		} else {
			c.noteUnread(filepath.Join(c.tr.opts.Data, "vault", id), err)
		}
	}
	return list
}

// noteDamagedCopies notes copies that are damaged: they are backed up as they are, which is not all that
// was copied.
func (c *collector) noteDamagedCopies(h *homes.Home) {
	for _, p := range h.Copies.Damage() {
		c.noteUnread(p.Name, p.Err)
	}
}

// isBox reports whether a directory of copies is a box, which is changed as a whole.
func isBox(dir string) bool { return strings.HasSuffix(dir, ".box") }

// isCopy reports whether a file among the copies is backed up: not a cache, a lock or an
// unfinished file.
func isCopy(name string) bool {
	base := path.Base(name)
	return base != "catalog" && base != "health" && !strings.HasSuffix(base, "lock") && !strings.HasSuffix(base, ".part")
}

// trashTrees returns a tree for each session in the trash.
func (c *collector) trashTrees(ctx context.Context) (list []*tree, err error) {
	page, err := c.tr.opts.Trash.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range page.Problems {
		c.head.Unread = append(c.head.Unread, backup.Unread{File: filepath.Join("trash", p.File), Reason: p.Reason})
	}
	for _, t := range page.Trash {
		dir := filepath.Join(c.tr.opts.Journal.Shelf.TrashDir(), t.Name)
		files, err := homefs.Open(dir)
		if err != nil {
			c.noteUnread(dir, err)
			continue
		}
		list = append(list, &tree{name: trashTree, files: files, prefix: t.Name + "/", below: "files/"})
	}
	return list, nil
}

// walk finds the files below a directory of a tree.
func (c *collector) walk(t *tree, dir string, depth int) {
	entries, err := t.files.ReadDir(dir)
	if err != nil {
		c.noteUnread(t.files.Path(dir), err)
	}
	if t.whole != nil && t.whole(dir) {
		size := int64(0)
		for _, e := range entries {
			if info, err := e.Info(); err == nil {
				size += info.Size()
			}
		}
		c.files = append(c.files, found{t, dir, size})
		return
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if t.denied(name) || t.want != nil && !t.want(name) {
			continue
		}
		info, err := c.info(t, name, e)
		switch {
		case err != nil:
			if !errors.Is(err, fs.ErrNotExist) {
				c.noteUnread(t.files.Path(name), err)
			}
		case info.IsDir() && depth < maxDepth:
			c.walk(t, name, depth+1)
		case info.Mode().IsRegular():
			c.found(t, name, info)
		}
	}
}

// info returns the status of an entry. It follows links where homes may have them: at the top,
// and in projects/.
func (c *collector) info(t *tree, name string, e fs.DirEntry) (fs.FileInfo, error) {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.Info()
	}
	if dir := path.Dir(name); t.prefix == "" && (dir == "." || dir == "projects") {
		info, err := t.files.Info(name)
		if errors.Is(err, homefs.ErrDenied) {
			return nil, fs.ErrNotExist
		}
		return info, err
	}
	return e.Info()
}

// denied reports whether a file in a tree is on the deny-list.
func (t *tree) denied(name string) bool {
	rest, ok := strings.CutPrefix(name, t.below)
	return ok && homefs.Denied(rest)
}

func (c *collector) found(t *tree, name string, info fs.FileInfo) {
	c.files = append(c.files, found{t, name, info.Size()})
	if strings.HasPrefix(t.name, homeTree) && isTranscript(name) {
		c.sessions++
	}
}

// isTranscript reports whether a file of a home is the transcript of a session.
func isTranscript(name string) bool {
	id, ok := strings.CutSuffix(path.Base(name), ".jsonl")
	return ok && sesskeep.IsUUID(id) && strings.HasPrefix(name, "projects/") && strings.Count(name, "/") == 2
}

// add backs up a file of a tree, or a box.
func (t *tree) add(ctx context.Context, c *collector, name string) error {
	if t.whole != nil && t.whole(name) {
		return t.addBox(ctx, c, name)
	}
	return t.addFile(ctx, c, name)
}

// addFile backs up a file, and notes it if it cannot be read.
func (t *tree) addFile(ctx context.Context, c *collector, name string) error {
	was := c.was[[2]string{t.name, t.prefix + name}]
	now, err := t.files.Status(name)
	if err == nil && c.w.Keep(was, now) {
		return nil
	}
	if err == nil {
		err = c.w.Add(ctx, backup.Source{Tree: t.name, Name: t.prefix + name, Was: was, Open: func() (homefs.File, error) { return t.files.Open(name) }})
	}
	var failed *backup.WriteError
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist), errors.Is(err, homefs.ErrDenied):
		return nil
	case errors.As(err, &failed), ctx.Err() != nil:
		return err
	}
	c.noteUnread(t.files.Path(name), err)
	return nil
}

// boxTries is how often a box is read again if it changes meanwhile.
const boxTries = 5

// addBox backs up a box: first the manifest, which names the other files. If the manifest
// changed meanwhile, files that it names may be gone, and the box is read again.
func (t *tree) addBox(ctx context.Context, c *collector, dir string) error {
	for range boxTries {
		before, _ := t.files.Status(path.Join(dir, "manifest"))
		entries, err := t.files.ReadDir(dir)
		if err != nil {
			c.noteUnread(t.files.Path(dir), err)
			return nil
		}
		slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { return manifestFirst(a) - manifestFirst(b) })
		for _, e := range entries {
			if e.Type().IsRegular() && isCopy(e.Name()) {
				if err := t.addFile(ctx, c, path.Join(dir, e.Name())); err != nil {
					return err
				}
			}
		}
		if after, _ := t.files.Status(path.Join(dir, "manifest")); after == before {
			return nil
		}
		c.w.Drop(t.name, dir+"/")
	}
	c.noteUnread(t.files.Path(dir), errors.New("it is being written all the time"))
	return nil
}

func manifestFirst(e fs.DirEntry) int {
	if e.Name() == "manifest" {
		return 0
	}
	return 1
}
