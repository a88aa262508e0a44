package sesskeep

import (
	"path"
	"slices"
	"strings"
)

// Family is a session with everything that belongs to it. Moves and copies
// take a whole family.
type Family struct {
	ID      SessionID
	Dir     ProjectKey
	Main    *Ref     // nil when only parts are left
	Agents  []Ref    // with files of their own
	Lone    []Ref    // agents of which only the meta file is there
	Results []string // names below tool-results
}

// Families groups the contents of a directory by session. It calls parent to
// read the session of a flat agent from its lines. Agents that name no session
// form a family of their own with an empty ID.
func (f *Folder) Families(parent func(Ref) SessionID) []Family {
	at := map[SessionID]int{}
	var list []Family
	family := func(id SessionID) *Family {
		i, ok := at[id]
		if !ok {
			i = len(list)
			at[id] = i
			list = append(list, Family{ID: id, Dir: f.Dir, Results: f.Results[id]})
		}
		return &list[i]
	}
	for _, ref := range f.Refs {
		if ref.Layout == LayoutMain {
			family(ref.Session).Main = &ref
			continue
		}
		if ref.Session == "" {
			ref.Session = parent(ref)
		}
		m := family(ref.Session)
		m.Agents = append(m.Agents, ref)
	}
	for _, ref := range f.Lone {
		m := family(ref.Session)
		m.Lone = append(m.Lone, ref)
	}
	for id := range f.Results {
		family(id)
	}
	slices.SortFunc(list, func(a, b Family) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return list
}

// Parent reads the session to which an agent's transcript belongs.
func (s *Store) Parent(ref Ref) SessionID {
	if ref.Session != "" || ref.Agent == "" {
		return ref.Session
	}
	t, err := s.Tail(ref.File, Mark{})
	if err != nil {
		return ""
	}
	defer t.Close()
	for e, ok := t.Next(); ok; e, ok = t.Next() {
		if e.Chain() && e.Session != "" {
			return e.Session
		}
	}
	return ""
}

// ResultFile finds the file to which a large tool output was saved. The
// absolute path in the transcript may be stale or hostile, so only its last
// part counts, and only below the session's own tool-results.
func (s *Store) ResultFile(dir ProjectKey, id SessionID, saved string) (string, error) {
	base := saved[strings.LastIndexAny(saved, `/\`)+1:]
	if base == "" || base == "." || base == ".." || !IsUUID(string(id)) {
		return "", &Error{Op: "find", Name: saved, Err: ErrNotFound}
	}
	name := path.Join("projects", string(dir), string(id), "tool-results", base)
	if info := s.Stat(name); info == nil || !info.Mode().IsRegular() {
		return "", &Error{Op: "find", Name: base, Err: ErrNotFound}
	}
	return name, nil
}
