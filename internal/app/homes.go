package app

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"sesskeep"
	"sesskeep/internal/identity"
	"sesskeep/internal/index"
	"sesskeep/internal/vault"
)

// homeOptions say which homes to open.
type homeOptions struct {
	Roots []string
	// Names are what the user calls homes, HOME[.MACHINE], by their roots. The
	// others keep the names they have.
	Names map[string]string
	// Others are homes that are not read. What is secret in them stays so under
	// whatever name.
	Others []string
	// Data is the directory in which the ids of homes and the copies are kept; Host is
	// what this machine calls itself. Empty: ids follow the paths, and there are no
	// copies.
	Data, Host string
	Cache      string           // directory of what can be found again; empty: in memory
	Now        func() time.Time // nil: time.Now
	// Labelled lists the sessions that have a label, from which lost ids of homes are
	// found again.
	Labelled func() []sesskeep.Key
	// Trashed reports whether a session lies in the trash: its copy is not shown.
	Trashed func(sesskeep.Key) bool
}

// homeSet is the homes that were opened together.
type homeSet struct {
	List    []*home      // at least one
	Notes   []string     // about homes and their ids
	Vault   *vault.Vault // of their copies; nil: there is no place for any
	Outside outside      // directories of their projects

	opts  homeOptions
	hints *stateBook
}

// home is one opened home.
type home struct {
	Store  *sesskeep.Store // backed by its copies, if there is a place for them
	Copies *vault.Home     // nil: there is none
	Is     identity.Home

	hints atomic.Pointer[[]string] // project paths known from .claude.json
}

// openHomes opens homes. One that does not exist is left out as long as another
// exists; if none does, it gives no homeSet. A name that another home has is
// [identity.TakenError], with a homeSet.
func openHomes(o homeOptions) (*homeSet, error) {
	s := &homeSet{opts: o, hints: newStateBook(o.Cache)}
	if o.Data != "" {
		s.Vault = vault.New(filepath.Join(o.Data, "vault"), vault.Options{Now: s.now})
	}
	var missing error
	for _, root := range o.Roots {
		store, err := s.open(root)
		if errors.Is(err, fs.ErrNotExist) {
			missing = err
			continue
		}
		if err != nil {
			return nil, err
		}
		h := &home{Store: store}
		s.ReadHints(h)
		s.List = append(s.List, h)
	}
	if len(s.List) == 0 {
		return nil, missing
	}
	err := s.identify()
	s.Outside.homes = s.known()
	for _, h := range s.List {
		h.Store.Beside(s.Outside.homes...)
	}
	return s, err
}

func (s *homeSet) now() time.Time {
	if s.opts.Now == nil {
		return time.Now()
	}
	return s.opts.Now()
}

// open opens a home. One that is gone as a whole is opened from its copies.
func (s *homeSet) open(root string) (*sesskeep.Store, error) {
	store, err := sesskeep.Open(root)
	if !errors.Is(err, fs.ErrNotExist) || s.Vault == nil {
		return store, err
	}
	id, ok := identity.At(s.opts.Data, root)
	if !ok {
		return nil, err
	}
	backed, errBacked := sesskeep.OpenBacked(root, s.Vault.Home(id).FS())
	if errBacked != nil {
		return nil, err
	}
	s.Notes = append(s.Notes, root+" is not there: this is what is kept of it")
	return backed, nil
}

// known are the directories of all homes that are known here, whether they are read
// or not: what is secret in one of them is so everywhere.
func (s *homeSet) known() []string {
	list := slices.Concat(s.opts.Roots, s.opts.Others, identity.Known(s.opts.Data))
	slices.Sort(list)
	return slices.Compact(list)
}

// identify gives every home its ids and its copies.
func (s *homeSet) identify() error {
	roots := make([]identity.Root, len(s.List))
	for i, h := range s.List {
		roots[i], _ = identity.ParseName(s.opts.Names[h.Store.Root()])
		roots[i].Dir = h.Store.Root()
	}
	ids, notes, err := identity.Resolve(identity.Options{Dir: s.opts.Data, Host: s.opts.Host, Keys: s.opts.Labelled}, roots)
	s.Notes = append(s.Notes, notes...)
	for i, is := range ids {
		if err := s.back(s.List[i], is); err != nil {
			return err
		}
	}
	return err
}

// back gives a home its ids and its copies.
func (s *homeSet) back(h *home, is identity.Home) error {
	h.Is = is
	if s.Vault != nil {
		h.Copies = s.Vault.Home(is.ID)
		h.Copies.Hide(func(id sesskeep.SessionID) bool { return s.opts.Trashed(h.Key(id)) })
		if backed, err := sesskeep.OpenBacked(h.Store.Root(), h.Copies.FS()); err == nil {
			h.Store = backed
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	h.Store.Identify(is.Machine, is.ID)
	return nil
}

// ReadHints reads what .claude.json knows of a home's projects.
func (s *homeSet) ReadHints(h *home) {
	paths := s.hints.paths(h.Store.Root())
	h.hints.Store(&paths)
}

// At is the home at a root, or nil.
func (s *homeSet) At(root string) *home {
	i := slices.IndexFunc(s.List, func(h *home) bool { return h.Store.Root() == root })
	if i < 0 {
		return nil
	}
	return s.List[i]
}

// Stores are the homes, with the copies of what they lack.
func (s *homeSet) Stores() []*sesskeep.Store {
	stores := make([]*sesskeep.Store, len(s.List))
	for i, h := range s.List {
		stores[i] = h.Store
	}
	return stores
}

// Roots are the paths of the homes.
func (s *homeSet) Roots() []string { return homeRoots(s.List) }

// ForIndex are the homes as the index takes them.
func (s *homeSet) ForIndex() []index.Home { return homesForIndex(s.List) }

// homeRoots are the paths of some homes.
func homeRoots(list []*home) []string {
	roots := make([]string, len(list))
	for i, h := range list {
		roots[i] = h.Store.Root()
	}
	return roots
}

// homesForIndex are some homes as the index takes them.
func homesForIndex(list []*home) []index.Home {
	homes := make([]index.Home, len(list))
	for i, h := range list {
		homes[i] = index.Home{Store: h.Store, Hints: *h.hints.Load()}
	}
	return homes
}

// Alone is the home for a question about no other.
func (h *home) Alone() []index.Home { return homesForIndex([]*home{h}) }

// Key is the key of a session of the home.
func (h *home) Key(id sesskeep.SessionID) sesskeep.Key { return h.Store.SessionKey(id) }

// Disk is the home without its copies, or nil if there is no home any more.
func (h *home) Disk() *sesskeep.Store {
	store := h.Store.Disk()
	if _, err := store.Renew(); err != nil || store.Missing(".") {
		return nil
	}
	return store
}
