// Package homes opens Claude's homes: each with its ids, the copies of what it lacks and
// what is known of its projects. Everything else asks about homes that were opened here.
package homes

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/identity"
	"sesskeep/internal/vault"
)

// Options say which homes to open.
type Options struct {
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

// Set is the homes that were opened together.
type Set struct {
	List    []*Home      // at least one
	Notes   []string     // about homes and their ids
	Vault   *vault.Vault // of their copies; nil: there is no place for any
	Outside Outside      // directories of their projects
	Unread  []error      // why some homes could not be opened: answers lack them

	opts  Options
	hints *stateBook
}

// Home is one opened home.
type Home struct {
	Store  *sesskeep.Store // backed by its copies, if there is a place for them
	Copies *vault.Home     // nil: there is none
	Is     identity.Home

	hints atomic.Pointer[[]string] // project paths known from .claude.json
}

// Open opens homes. One that does not exist or cannot be opened is left out as long as
// another can be opened; if none can, there is no Set. A name that another home has is
// [identity.TakenError], with a Set.
func Open(o Options) (*Set, error) {
	s := &Set{opts: o, hints: newStateBook(o.Cache)}
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
			s.Unread = append(s.Unread, err)
			continue
		}
		h := &Home{Store: store}
		s.ReadHints(h)
		s.List = append(s.List, h)
	}
	if len(s.List) == 0 {
		return nil, cmp.Or(append(s.Unread, missing)...)
	}
	err := s.identify()
	s.Outside.homes = s.known()
	for _, h := range s.List {
		h.Store.Files().Beside(s.Outside.homes...)
	}
	return s, err
}

func (s *Set) now() time.Time {
	if s.opts.Now == nil {
		return time.Now()
	}
	return s.opts.Now()
}

// open opens a home. One that is gone as a whole is opened from its copies.
func (s *Set) open(root string) (*sesskeep.Store, error) {
	store, err := sesskeep.Open(root)
	if !errors.Is(err, fs.ErrNotExist) || s.Vault == nil {
		return store, err
	}
	id, ok := identity.At(s.opts.Data, root)
	if !ok {
		return nil, err
	}
	backed, errBacked := homefs.OpenBacked(root, s.Vault.Home(id).FS())
	if errBacked != nil {
		return nil, err
	}
	s.Notes = append(s.Notes, root+" is not there: this is what is kept of it")
	return sesskeep.New(backed), nil
}

// known are the directories of all homes that are known here, whether they are read
// or not: what is secret in one of them is so everywhere.
func (s *Set) known() []string {
	list := slices.Concat(s.opts.Roots, s.opts.Others, identity.Known(s.opts.Data))
	slices.Sort(list)
	return slices.Compact(list)
}

// identify gives every home its ids and its copies.
func (s *Set) identify() error {
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
func (s *Set) back(h *Home, is identity.Home) error {
	h.Is = is
	if s.Vault != nil {
		h.Copies = s.Vault.Home(is.ID)
		h.Copies.Hide(func(id sesskeep.SessionID) bool { return s.opts.Trashed(h.Key(id)) })
		if backed, err := homefs.OpenBacked(h.Store.Root(), h.Copies.FS()); err == nil {
			h.Store = sesskeep.New(backed)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	h.Store.Identify(is.Machine, is.ID)
	return nil
}

// ReadHints reads what .claude.json knows of a home's projects.
func (s *Set) ReadHints(h *Home) {
	paths := s.hints.paths(h.Store.Root())
	h.hints.Store(&paths)
}

// Hints are the paths of projects that .claude.json knows.
func (h *Home) Hints() []string { return *h.hints.Load() }

// At is the home at a root, or nil.
func (s *Set) At(root string) *Home {
	i := slices.IndexFunc(s.List, func(h *Home) bool { return h.Store.Root() == root })
	if i < 0 {
		return nil
	}
	return s.List[i]
}

// Stores are the homes, with the copies of what they lack.
func (s *Set) Stores() []*sesskeep.Store {
	stores := make([]*sesskeep.Store, len(s.List))
	for i, h := range s.List {
		stores[i] = h.Store
	}
	return stores
}

// Roots are the paths of the homes.
func (s *Set) Roots() []string { return Roots(s.List) }

// ForIndex are the homes as the index takes them.
func (s *Set) ForIndex() []ask.Home { return ForIndex(s.List) }

// Roots are the paths of some homes.
func Roots(list []*Home) []string {
	roots := make([]string, len(list))
	for i, h := range list {
		roots[i] = h.Store.Root()
	}
	return roots
}

// ForIndex are some homes as the index takes them.
func ForIndex(list []*Home) []ask.Home {
	homes := make([]ask.Home, len(list))
	for i, h := range list {
		homes[i] = ask.Home{Store: h.Store, Hints: h.Hints()}
	}
	return homes
}

// ForIndex returns the home alone, for queries about no other.
func (h *Home) ForIndex() []ask.Home { return ForIndex([]*Home{h}) }

// Key is the key of a session of the home.
func (h *Home) Key(id sesskeep.SessionID) sesskeep.Key { return h.Store.SessionKey(id) }

// Disk is the home without its copies, or nil if there is no home any more.
func (h *Home) Disk() *sesskeep.Store {
	store := h.Store.With(h.Store.Files().Disk())
	if _, err := store.Files().Renew(); err != nil || store.Files().Missing(".") {
		return nil
	}
	return store
}

// SessionKey is the key of a session of the home at root.
func (s *Set) SessionKey(root, id string) sesskeep.Key {
	if h := s.At(root); h != nil {
		return h.Key(sesskeep.SessionID(id))
	}
	return sesskeep.Key{Session: sesskeep.SessionID(id)}
}

// Named finds homes by HOME[.MACHINE]; either may be a name or an id.
func (s *Set) Named(text string) []*Home {
	name, machine, far := strings.Cut(text, ".")
	var found []*Home
	for _, h := range s.List {
		here := h.Is.Name == name || string(h.Is.ID) == name
		if here && (!far || h.Is.MachineName == machine || string(h.Is.Machine) == machine) {
			found = append(found, h)
		}
	}
	return found
}

// Machine is what the machine is called that the home at root is of.
func (s *Set) Machine(root string) string {
	if h := s.At(root); h != nil {
		return h.Is.MachineName
	}
	return ""
}

// RetryUnread tries again to open or list what failed before, and reports whether any of
// it succeeds now.
func (s *Set) RetryUnread() (changed bool) {
	for _, h := range s.List {
		changed = h.Store.Files().RetryUnread() || changed
	}
	return s.Outside.askAgain() || changed
}
