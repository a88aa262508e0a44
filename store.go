package sesskeep

// Store reads the sessions of one home of Claude Code. It only reads.
type Store struct {
	*Home
	ids Key // of the home alone: its machine and its home
}

// Open opens the home at root, a directory such as ~/.claude.
func Open(root string) (*Store, error) {
	home, err := OpenHome(root)
	if err != nil {
		return nil, err
	}
	return New(home), nil
}

// New returns a Store that reads the sessions of a home.
func New(home *Home) *Store { return &Store{Home: home} }

// Disk returns the same home without its copies.
func (s *Store) Disk() *Store { return &Store{Home: s.Home.Disk(), ids: s.ids} }

// Reopen opens a second Store on the same home.
func (s *Store) Reopen() (*Store, error) {
	home, err := s.Home.Reopen()
	if err != nil {
		return nil, err
	}
	return &Store{Home: home, ids: s.ids}, nil
}
