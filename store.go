package sesskeep

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"path/filepath"
)

// FS is the file system that a Store reads from: a home on disk, or copies
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

// Store is one home of Claude Code. It only reads.
type Store struct {
	root string
	fsys FS
	ids  Key // of the home alone: its machine and its home
	// unread is shared by all Stores on the same home.
	unread noter
}

// Open opens the home at root, a directory such as ~/.claude.
func Open(root string) (*Store, error) {
	fsys, err := openPlace(root)
	if err != nil {
		return nil, &Error{Op: "open", Name: root, Err: plain(err)}
	}
	return OpenFS(root, fsys), nil
}

// OpenFS returns a Store that reads from fsys and calls its directory root.
func OpenFS(root string, fsys FS) *Store {
	return &Store{root: root, fsys: fsys, unread: noter{unread: &unread{}}}
}

// Root returns the directory on which the Store was opened.
func (s *Store) Root() string { return s.root }

// Path returns the path on disk of name, a slash path inside the home.
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
	s.unread.note("open", name, err)
	if err != nil {
		return nil, &Error{Op: "open", Name: s.Path(name), Err: plain(err)}
	}
	return notedFile{f, name, s.unread}, nil
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

// ReadDir lists a directory without what is on the deny-list. A directory that
// does not exist is empty. With an error comes what could be read all the same.
func (s *Store) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := s.ReadDirAll(name)
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
func (s *Store) ReadDirAll(name string) ([]fs.DirEntry, error) {
	entries, err := s.fsys.ReadDir(name)
	s.unread.note("list", name, err)
	entries = s.unread.entries(name, entries)
	if err != nil {
		return entries, &Error{Op: "read", Name: s.Path(name), Err: plain(err)}
	}
	return entries, nil
}

// Stamp returns what the file system says of a file or directory, as a Mark of
// which nothing is read. The second result is false if there is no such file.
func (s *Store) Stamp(name string) (Mark, bool) {
	info := s.Stat(name)
	if info == nil {
		return Mark{}, false
	}
	return statMark(info), true
}

// Stat returns the file's information, or nil if there is no file of that name.
// It follows links that stay inside the home.
func (s *Store) Stat(name string) fs.FileInfo {
	info, err := s.Info(name)
	if err != nil {
		return nil
	}
	return info
}

// Info returns the file's information as Stat does, and says why if it cannot:
// [fs.ErrNotExist] is that there is no file of that name.
func (s *Store) Info(name string) (fs.FileInfo, error) {
	info, err := s.fsys.Stat(name)
	s.unread.note("stat", name, err)
	if err != nil {
		return nil, &Error{Op: "read", Name: s.Path(name), Err: plain(err)}
	}
	return info, nil
}

// Status returns what Stamp returns, and says why if it cannot, as Info does.
func (s *Store) Status(name string) (Mark, error) {
	info, err := s.Info(name)
	if err != nil {
		return Mark{}, err
	}
	return statMark(info), nil
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
