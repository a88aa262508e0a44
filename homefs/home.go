package homefs

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"path"
	"path/filepath"
)

// FS is the file system that a Home reads from: a home on disk, or copies
// that look like one. Names are slash paths relative to the home.
type FS interface {
	// ReadDir lists a directory, sorted by name.
	ReadDir(name string) ([]fs.DirEntry, error)
	// Stat follows links that stay inside the home.
	Stat(name string) (fs.FileInfo, error)
	// Open opens a regular file for reading and never blocks.
	// Anything else is ErrNotRegular.
	Open(name string) (File, error)
}

// File is an open file of an FS.
type File interface {
	io.ReaderAt
	io.Closer
	Stat() (fs.FileInfo, error)
}

// Home is the files of one home of Claude Code. It only reads.
type Home struct {
	root string
	fsys FS
	// unread is shared by everything that reads the same home.
	unread noter
}

// Open opens the home at root, a directory such as ~/.claude.
func Open(root string) (*Home, error) {
	fsys, err := openDirectory(root)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: root, Err: cause(err)}
	}
	return New(root, fsys), nil
}

// New returns a Home that reads from fsys and calls its directory root.
func New(root string, fsys FS) *Home {
	return &Home{root: root, fsys: fsys, unread: noter{unread: &unread{}}}
}

// Root returns the directory on which the home was opened.
func (h *Home) Root() string { return h.root }

// Path returns the path on disk of name, a slash path inside the home.
func (h *Home) Path(name string) string {
	return filepath.Join(h.root, filepath.FromSlash(name))
}

// Open opens a regular file of the home that is not on the deny-list. If it is not there
// because the whole home is not, the error is an [*AbsentError].
func (h *Home) Open(name string) (File, error) {
	name = path.Clean(name)
	if Denied(name) {
		return nil, &fs.PathError{Op: "open", Path: path.Base(name), Err: ErrDenied}
	}
	f, err := h.fsys.Open(name)
	h.unread.note("open", name, err)
	if errors.Is(err, fs.ErrNotExist) {
		err = cmp.Or(h.absence(), err)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: h.Path(name), Err: cause(err)}
	}
	return notedFile{f, name, h.unread}, nil
}

// ReadFile reads a whole file of at most limit bytes.
func (h *Home) ReadFile(name string, limit int64) ([]byte, error) {
	f, err := h.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.NewSectionReader(f, 0, limit+1))
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: h.Path(name), Err: cause(err)}
	}
	if int64(len(data)) > limit {
		return nil, &fs.PathError{Op: "read", Path: h.Path(name), Err: ErrTooLarge}
	}
	return data, nil
}

// ReadDir lists a directory without what is on the deny-list. A directory that does not
// exist is empty. If a part of it cannot be listed, ReadDir returns the rest and an
// error.
func (h *Home) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := h.ReadDirAll(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	kept := entries[:0]
	for _, e := range entries {
		if !Denied(path.Join(name, e.Name())) {
			kept = append(kept, e)
		}
	}
	return kept, err
}

// ReadDirAll lists a directory including what is on the deny-list, so that
// sizes can be counted. Unlike ReadDir it fails if the directory does not
// exist.
func (h *Home) ReadDirAll(name string) ([]fs.DirEntry, error) {
	entries, err := h.fsys.ReadDir(name)
	h.unread.note("list", name, err)
	entries = h.unread.entries(name, entries)
	if err != nil {
		return entries, &fs.PathError{Op: "read", Path: h.Path(name), Err: cause(err)}
	}
	return entries, nil
}

// Stat returns the file's information, or nil if there is no file of that name.
// It follows links that stay inside the home.
func (h *Home) Stat(name string) fs.FileInfo {
	info, err := h.Info(name)
	if err != nil {
		return nil
	}
	return info
}

// Info is Stat with the reason why there is no information. The error is [fs.ErrNotExist]
// if there is no file of that name.
func (h *Home) Info(name string) (fs.FileInfo, error) {
	info, err := h.fsys.Stat(name)
	h.unread.note("stat", name, err)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: h.Path(name), Err: cause(err)}
	}
	return info, nil
}
