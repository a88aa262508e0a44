package shelf

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"sesskeep/internal/disk"
)

// task is one step of an act, and where its files lie.
type task struct {
	shelf *Shelf
	home  string
	act   int
	tag   string // of the act: keeps its names apart from those of others
	n     int    // which step
	named []string
}

func (s *Shelf) task(a Act, n int) *task {
	return &task{shelf: s, home: a.Home, act: a.ID, tag: a.Tag, n: n, named: a.Named}
}

// sys is how files are changed.
func (t *task) sys() disk.System { return t.shelf.data.disk }

// at is called with the points that an act reaches: tests stop or fail it there.
func (t *task) at(point string) error { return t.shelf.data.at(point) }

func (t *task) number() string {
	if t.n == 0 {
		return strconv.Itoa(t.act)
	}
	return fmt.Sprintf("%d.%d", t.act, t.n)
}

// staged is the file in our data directory where a new content waits.
func (t *task) staged() string { return filepath.Join(t.shelf.data.stage(), t.number()) }

// kept is the file in our data directory that keeps what a step removes from the file
// with a name.
func (t *task) kept(name string) string {
	return t.shelf.data.backup(t.number() + "-" + filepath.Base(name))
}

// beside is a name in the directory of a file, for what is about to replace it, and then
// for what was replaced.
func (t *task) beside(path string) string {
	dir, name := filepath.Split(path)
	return filepath.Join(dir, fmt.Sprintf(".%s.sesskeep-%s-%s", name, t.number(), t.tag))
}

// part is beside, while it is being written.
func (t *task) part(path string) string { return t.beside(path) + ".part" }

// stageContent writes a new content into our data directory.
func (t *task) stageContent(from Source) (Content, error) {
	if err := t.at("stage"); err != nil {
		return Content{}, err
	}
	if err := disk.MkdirAll(t.sys(), filepath.Dir(t.staged()), 0o700); err != nil {
		return Content{}, err
	}
	c, err := write(t.sys(), t.staged(), from)
	if err == nil {
		err = t.sys().SyncDir(filepath.Dir(t.staged()))
	}
	return c, err
}

// fill puts the staged content beside a file, whole, with a mode and the
// owner of like; nil: our own.
func (t *task) fill(path string, want Content, mode fs.FileMode, like fs.FileInfo) error {
	if err := t.at("fill"); err != nil {
		return err
	}
	part := t.part(path)
	if err := writeExactly(t.sys(), part, FileSource(t.staged()), want); err != nil {
		return err
	}
	if like != nil { // the owner first: changing it removes some of the mode
		if err := keepOwner(part, like); err != nil {
			return err
		}
	}
	if err := t.sys().Chmod(part, mode); err != nil {
		return err
	}
	if err := t.at("filled"); err != nil {
		return err
	}
	return t.sys().Rename(part, t.beside(path))
}

// date gives a file a time that it had; zero: it keeps its own. Where the system
// refuses, the file only seems newer.
func (t *task) date(path string, modified time.Time) {
	if !modified.IsZero() {
		_ = t.sys().Chtimes(path, time.Time{}, modified)
	}
}

// firstMissing is the topmost directory that has to be made for a path in the home;
// empty: none.
func (t *task) firstMissing(path string) (top string) {
	if data, err := realDir(t.shelf.data.dir); err != nil || inside(data, path) {
		return ""
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if is, err := there(dir); err != nil || is || dir == filepath.Dir(dir) {
			return top
		}
		top = dir
	}
}

// prune removes the directories that were made for a path, up to the topmost of them,
// if they are empty. One that stays does no harm.
func (t *task) prune(path, top string) {
	if top == "" {
		return
	}
	for dir := filepath.Dir(path); inside(top, dir); dir = filepath.Dir(dir) {
		if entries, err := os.ReadDir(dir); err != nil && !errors.Is(err, fs.ErrNotExist) || len(entries) > 0 {
			return
		}
		if err := disk.Remove(t.sys(), dir); err != nil {
			return
		}
		_ = t.sys().SyncDir(filepath.Dir(dir))
	}
}

// keep moves a file that was replaced into our data directory. What a program
// still writes to it goes there with it.
func (t *task) keep(file, name string) error {
	if err := t.at("keep"); err != nil {
		return err
	}
	kept := t.kept(name)
	if err := disk.MkdirAll(t.sys(), filepath.Dir(kept), 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(file)
	if err != nil {
		return err
	}
	if !otherNames(info) { // else its other names would be changed with it
		if err = t.sys().Rename(file, kept); err == nil {
			return errors.Join(t.sys().Chmod(kept, 0o600), t.sys().SyncDir(filepath.Dir(kept)), t.sys().SyncDir(filepath.Dir(file)))
		}
		if !acrossDisks(err) {
			return err
		}
	}
	part := kept + ".part"
	if _, err := write(t.sys(), part, FileSource(file)); err != nil {
		return err
	}
	if err := t.sys().Rename(part, kept); err != nil {
		return err
	}
	return errors.Join(t.sys().SyncDir(filepath.Dir(kept)), t.at("copied"), t.sys().Remove(file), t.sys().SyncDir(filepath.Dir(file)))
}

// exchange gives two files each other's name. Where the system cannot do that in
// one step, b has a content at every moment all the same.
func (t *task) exchange(a, b string) error {
	if !t.shelf.cannotSwitch {
		if err := t.sys().Exchange(a, b); !disk.Cannot(err) {
			return err
		}
	}
	old := a + ".old"
	if err := disk.Remove(t.sys(), old); err != nil {
		return err
	}
	if err := t.sys().Link(b, old); err != nil {
		if _, err := write(t.sys(), old, FileSource(b)); err != nil {
			return err
		}
	}
	// If the new name were on the disk and this one not, b would be lost.
	if err := t.sys().SyncDir(filepath.Dir(old)); err != nil {
		return err
	}
	if err := t.at("linked"); err != nil {
		return err
	}
	if err := t.sys().Rename(a, b); err != nil {
		return err
	}
	if err := t.at("renamed"); err != nil {
		return err
	}
	return t.sys().Rename(old, a)
}

// mendExchange finishes an exchange of two steps that a crash interrupted.
func mendExchange(sys disk.System, a, b string) error {
	old := a + ".old"
	if is, err := there(old); err != nil || !is {
		return err
	}
	waiting, err := there(a)
	if err != nil {
		return err
	}
	if !waiting { // it has its new name, or a never came to the disk
		same, err := Same(old, b)
		if err != nil {
			return err
		}
		waiting = same
	}
	if waiting {
		return sys.Remove(old) // b is what it was
	}
	return sys.Rename(old, a)
}

// renameNew renames a file and replaces nothing.
func renameNew(sys disk.System, from, to string) error {
	err := sys.RenameNew(from, to)
	if !disk.Cannot(err) {
		return err
	}
	if info, err := os.Lstat(from); err != nil {
		return err
	} else if !info.IsDir() {
		if err := sys.Link(from, to); err != nil {
			return err
		}
		return sys.Remove(from)
	}
	if is, err := there(to); err != nil || is {
		return errors.Join(err, taken(to))
	}
	return sys.Rename(from, to)
}

func taken(path string) error {
	return fmt.Errorf("%s is there already: %w", path, fs.ErrExist)
}

// errWritten says that a file is not what a step expects, errOpen that it will
// not be for long.
var (
	errWritten = fmt.Errorf("somebody wrote it just now: it %w", ErrChanged)
	errOpen    = fmt.Errorf("a program has it open to write: it %w", ErrChanged)
)

// discard removes what a step left in the directory of a file and in stage/.
// What cannot be removed does no harm.
func (t *task) discard(path string) error {
	if path != "" {
		if err := disk.Remove(t.sys(), t.part(path)); err != nil {
			return err
		}
	}
	return disk.Remove(t.sys(), t.staged())
}

// waitClosed waits until no program has a file open to write, and reports whether that
// came. The name of the file is ours: no program opens it again.
func (t *task) waitClosed(path string) bool {
	for end := time.Now().Add(t.shelf.writerPatience); !t.shelf.openFilesUnknown && isWritten(path); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}
