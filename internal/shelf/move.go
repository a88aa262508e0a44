package shelf

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sesskeep/internal/disk"
	"sesskeep/internal/regular"
)

// Move moves a file or a directory to a name that is free, with the directories
// it needs there. On one file system that is a rename, and nothing is read.
//
// To another file system a file is copied, the copy is read again and compared,
// and then the file is removed. A directory has to be empty by then: [MoveTree]
// plans the moves for all it holds.
type Move struct {
	From    string   `json:"from"`
	To      string   `json:"to"`               // empty: into our data directory
	Link    string   `json:"link,omitempty"`   // a link of the owner's that leads to one of them
	Is      Identity `json:"is"`               // what is moved; zero: what is there
	Across  bool     `json:"across,omitempty"` // it leads to another volume
	Content Content  `json:"content,omitzero"` // of a file that is copied there
	// Modified is the time it gets there, with all it holds; zero: it keeps its own.
	Modified time.Time `json:"modified,omitzero"`
	// Times are those that it and all it holds get again, by their names inside of it,
	// and Had those from before, where they get another.
	Times map[string]time.Time `json:"times,omitempty"`
	Had   map[string]time.Time `json:"had,omitempty"`
	Made  string               `json:"made,omitempty"`  // topmost directory that is created for it
	Prune string               `json:"prune,omitempty"` // directory that is removed when it is empty after the move
}

// MoveTree plans to move a file, or a directory with all it holds: in one step
// where that is a rename.
func MoveTree(from, to string) (Steps, error) {
	is, info, err := identify(from)
	if err != nil {
		return nil, err
	}
	there, err := volumeFor(to)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() || there == volumeOf(from, is) {
		return Steps{Move{From: from, To: to, Is: is}}, nil
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return nil, err
	}
	var steps Steps
	for _, e := range entries {
		below, err := MoveTree(filepath.Join(from, e.Name()), filepath.Join(to, e.Name()))
		if err != nil {
			return nil, err
		}
		steps = append(steps, below...)
	}
	return append(steps, Move{From: from, To: to, Is: is}), nil
}

// volume is what a rename cannot leave: a file system, by one of its mounts.
type volume struct{ device, mount uint64 }

func volumeOf(path string, is Identity) volume { return volume{is.Device, mountOf(path)} }

// volumeFor returns the volume that a path will be on.
func volumeFor(path string) (volume, error) {
	for {
		dir, err := realDir(filepath.Dir(path))
		if err != nil {
			return volume{}, err
		}
		is, err := Identify(dir)
		if !errors.Is(err, fs.ErrNotExist) || dir == path {
			return volumeOf(dir, is), err
		}
		path = dir
	}
}

func (m Move) file() string {
	if m.Link != "" {
		return m.Link
	}
	return m.From
}

func (m Move) check(t *task) (Step, error) {
	if m.To == "" {
		m.To = t.kept(m.file())
	}
	from, to, err := m.lead(t)
	if err != nil {
		return m, err
	}
	is, info, err := identify(from)
	if err != nil {
		return m, err
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return m, regular.ErrNotRegular
	}
	if m.Is == (Identity{}) {
		m.Is = is
	}
	if !m.Is.equal(is) {
		return m, errWritten
	}
	if err := free(to); err != nil {
		return m, err
	}
	m.Made = t.firstMissing(to)
	if !m.Modified.IsZero() || m.Times != nil {
		if m.Had, err = times(from); err != nil {
			return m, err
		}
	}
	there, err := volumeFor(to)
	m.Across = there != volumeOf(from, is)
	if err == nil && m.Across && !info.IsDir() {
		m.Content, err = contentOf(from)
	}
	return m, err
}

func (m Move) lead(t *task) (from, to string, err error) {
	if from, err = t.leadMoved(m.From, m.Link); err != nil {
		return "", "", err
	}
	to, err = t.leadMoved(m.To, m.Link)
	return from, to, err
}

func (m Move) stage(*task) (Step, error) { return m, nil }

func (m Move) run(t *task) error {
	from, to, err := m.lead(t)
	if err != nil {
		return err
	}
	switch still, err := there(from); {
	case err != nil:
		return err
	case !still:
		if is, err := m.isAt(to); err != nil || !is {
			return errors.Join(err, gone(fs.ErrNotExist))
		}
		return m.touch(t, to) // done before a crash
	}
	if err := disk.MkdirAll(t.sys(), filepath.Dir(to), 0o700); err != nil {
		return err
	}
	if err := t.at("move"); err != nil {
		return err
	}
	if m.Across {
		return m.carry(t, from, to)
	}
	return m.rename(t, from, to)
}

func (m Move) tidy(t *task, reverted bool) {
	from, to, err := m.lead(t)
	switch {
	case err != nil: // what is left does no harm
	case reverted:
		t.prune(to, m.Made)
	default:
		t.prune(from, m.Prune)
	}
}

// times are those of a file, or of a directory and all it holds.
func times(path string) (map[string]time.Time, error) {
	list := map[string]time.Time{}
	err := filepath.WalkDir(path, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		inner, err := filepath.Rel(path, name)
		list[filepath.ToSlash(inner)] = info.ModTime()
		return err
	})
	return list, err
}

func (m Move) rename(t *task, from, to string) error {
	now, err := Identify(from)
	if err != nil {
		return gone(err)
	}
	if !now.equal(m.Is) {
		return errWritten
	}
	if err := renameNew(t.sys(), from, to); err != nil {
		return err
	}
	if err := t.at("moved"); err != nil {
		return err
	}
	if now, err := Identify(to); err != nil || !now.is(m.Is) {
		return errors.Join(err, errWritten, renameNew(t.sys(), to, from))
	}
	return errors.Join(m.touch(t, to), t.sys().SyncDir(filepath.Dir(to)), t.sys().SyncDir(filepath.Dir(from)))
}

// isAt reports whether a path has what is moved, or our copy of it.
func (m Move) isAt(path string) (bool, error) {
	now, info, err := identify(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case now.is(m.Is):
		return true, nil
	case !m.Across || info.IsDir():
		return m.Across, nil // a directory is made again there
	}
	copied, err := contentOf(path)
	return copied == m.Content, err
}

// touch gives it its new time with all it held when it was checked, or the times they
// had. It lists no directory: that could fail after the move.
func (m Move) touch(t *task, path string) error {
	for name, modified := range m.Times {
		t.date(filepath.Join(path, filepath.FromSlash(name)), modified)
	}
	if m.Modified.IsZero() {
		return nil
	}
	for name := range m.Had {
		err := t.sys().Chtimes(filepath.Join(path, filepath.FromSlash(name)), time.Time{}, m.Modified)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// carry moves to another volume.
func (m Move) carry(t *task, from, to string) error {
	now, info, err := identify(from)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return m.carryDir(t, from, to, info)
	}
	if !now.equal(m.Is) {
		return errWritten
	}
	copied, err := contentOf(to)
	if err == nil && copied == (Content{}) {
		copied, err = m.Content, m.copy(t, from, to, info)
	}
	if err != nil {
		return err
	}
	if copied != m.Content {
		return taken(to)
	}
	if err := t.at("remove"); err != nil {
		return err
	}
	if now, err := Identify(from); err != nil || !now.equal(m.Is) {
		return errors.Join(err, errWritten)
	}
	return errors.Join(t.sys().Remove(from), t.sys().SyncDir(filepath.Dir(from)))
}

// carryDir makes a directory that has been emptied on another volume, where what
// it held may have made it already.
func (m Move) carryDir(t *task, from, to string, info fs.FileInfo) error {
	if err := t.sys().Mkdir(to, info.Mode().Perm()); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := t.sys().Chmod(to, info.Mode().Perm()); err != nil {
		return err
	}
	if err := t.at("remove"); err != nil {
		return err
	}
	return errors.Join(t.sys().Remove(from), m.touch(t, to), t.sys().SyncDir(filepath.Dir(to)), t.sys().SyncDir(filepath.Dir(from)))
}

// copy copies a file. The copy gets its name when what is on the disk was read
// again and is right.
func (m Move) copy(t *task, from, to string, info fs.FileInfo) error {
	part := t.part(to)
	if err := writeExactly(t.sys(), part, FileSource(from), m.Content); err != nil {
		return err
	}
	modified := m.Modified
	if had, ok := m.Times["."]; ok {
		modified = had
	} else if modified.IsZero() {
		modified = m.Is.Modified
	}
	err := errors.Join(keepOwner(part, info), t.sys().Chmod(part, info.Mode().Perm()), t.sys().Chtimes(part, time.Time{}, modified))
	if err != nil {
		return err
	}
	if err := t.at("copied"); err != nil {
		return err
	}
	if copied, err := contentOf(part); err != nil || copied != m.Content {
		return errors.Join(err, fmt.Errorf("the copy %s is not what was copied", part))
	}
	if err := renameNew(t.sys(), part, to); err != nil {
		return err
	}
	return t.sys().SyncDir(filepath.Dir(to))
}

func (m Move) revert(t *task) error {
	from, to, err := m.lead(t)
	if err != nil {
		return err
	}
	if err := disk.Remove(t.sys(), t.part(to)); err != nil {
		return err
	}
	if is, err := m.isAt(to); err != nil || !is {
		return err
	}
	if err := t.at("move back"); err != nil {
		return err
	}
	now, info, err := identify(to)
	if err != nil {
		return err
	}
	switch still, err := there(from); {
	case err != nil:
		return err
	case still && info.IsDir(): // what it holds came back before it
		return errors.Join(t.sys().Chmod(from, info.Mode().Perm()), t.sys().Remove(to))
	case still: // the copy was made, and the original not removed yet
		return t.sys().Remove(to)
	}
	back := Move{From: m.To, To: m.From, Link: m.Link, Is: now, Across: m.Across, Content: m.Content, Times: m.Had}
	if m.Had == nil {
		back.Times = map[string]time.Time{".": m.Is.Modified}
	}
	return back.run(t)
}

func (m Move) inverse(t *task) (Step, error) {
	from, to, err := m.lead(t)
	if err != nil {
		return nil, err
	}
	now, info, err := identify(to)
	if err != nil {
		return nil, gone(err)
	}
	if same, err := m.isAt(to); err != nil {
		return nil, err
	} else if !same || now.is(m.Is) && !info.IsDir() && now.Size != m.Is.Size {
		return nil, fmt.Errorf("%s %w, and nothing was done", m.To, ErrChanged)
	}
	if err := free(from); err != nil {
		return nil, err
	}
	return Move{From: m.To, To: m.From, Link: m.Link, Is: now, Times: m.Had, Prune: m.Made}, nil
}
