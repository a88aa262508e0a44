package sesskeep

import "sesskeep/homefs"

// Store reads the sessions of one home of Claude Code. It only reads.
type Store struct {
	files *homefs.Home
	ids   Key // of the home alone: its machine and its home
}

// Open opens the home at root, a directory such as ~/.claude.
func Open(root string) (*Store, error) {
	files, err := homefs.Open(root)
	if err != nil {
		return nil, err
	}
	return New(files), nil
}

// New returns a Store that reads the sessions of a home.
func New(files *homefs.Home) *Store { return &Store{files: files} }

// Files returns the files of the home.
func (s *Store) Files() *homefs.Home { return s.files }

// Root returns the directory on which the home was opened.
func (s *Store) Root() string { return s.files.Root() }

// Path returns the path on disk of name, a slash path inside the home.
func (s *Store) Path(name string) string { return s.files.Path(name) }

// With returns a Store of the same home, with the same ids, that reads other files:
// those without copies for example, see [homefs.Home.Disk].
func (s *Store) With(files *homefs.Home) *Store { return &Store{files: files, ids: s.ids} }
