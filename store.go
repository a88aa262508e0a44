package sesskeep

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"path/filepath"
)

// FS is what a Store reads from: a home on disk, or kept copies that look like
// one. Names are slash paths relative to the home.
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

// Store is one home of Claude Code. It only reads.
type Store struct {
	root string
	fsys FS
}

// Open opens the home at root, a directory such as ~/.claude.
func Open(root string) (*Store, error) {
	fsys, err := openPlace(root)
	if err != nil {
		return nil, &Error{Op: "open", Name: root, Err: plain(err)}
	}
	return OpenFS(root, fsys), nil
}

// OpenFS makes a Store that reads from fsys and names itself root.
func OpenFS(root string, fsys FS) *Store {
	return &Store{root: root, fsys: fsys}
}

// Root is the directory the Store was opened on.
func (s *Store) Root() string { return s.root }

// Path is where name, a slash path inside the home, lies on disk.
func (s *Store) Path(name string) string {
	return filepath.Join(s.root, filepath.FromSlash(name))
}

// Open opens a regular file of the home that is not on the deny-list.
func (s *Store) Open(name string) (File, error) {
	name = path.Clean(name)
	if Denied(name) {
		return nil, &Error{Op: "open", Name: path.Base(name), Err: ErrDenied}
	}
	f, err := s.fsys.Open(name)
	if err != nil {
		return nil, &Error{Op: "open", Name: s.Path(name), Err: plain(err)}
	}
	return f, nil
}

// ReadFile reads a whole file of at most limit bytes.
func (s *Store) ReadFile(name string, limit int64) ([]byte, error) {
	f, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.NewSectionReader(f, 0, limit+1))
	if err != nil {
		return nil, &Error{Op: "read", Name: s.Path(name), Err: plain(err)}
	}
	if int64(len(data)) > limit {
		return nil, &Error{Op: "read", Name: s.Path(name), Err: ErrTooLarge}
	}
	return data, nil
}

// readDir lists a directory without what is on the deny-list. A directory that
// is not there is empty.
func (s *Store) readDir(name string) ([]fs.DirEntry, error) {
	entries, err := s.fsys.ReadDir(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &Error{Op: "read", Name: s.Path(name), Err: plain(err)}
	}
	kept := entries[:0]
	for _, e := range entries {
		if !Denied(path.Join(name, e.Name())) {
			kept = append(kept, e)
		}
	}
	return kept, nil
}

// Stamp is what the file system says of a file or directory, without reading it:
// a Mark with nothing before it. The second result is false if there is none.
func (s *Store) Stamp(name string) (Mark, bool) {
	info := s.stat(name)
	if info == nil {
		return Mark{}, false
	}
	return statMark(info), true
}

// stat is the file's information, or nil when there is nothing by that name.
func (s *Store) stat(name string) fs.FileInfo {
	info, err := s.fsys.Stat(name)
	if err != nil {
		return nil
	}
	return info
}

// plain drops the operation and path that package os put into err: an Error
// names both already.
func plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
