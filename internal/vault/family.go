package vault

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/homefs"
)

// Family is what is kept of a session.
type Family struct {
	Session sesskeep.SessionID
	Members []Member // sorted by name
	// Damaged says that lines of a manifest are damaged: there may have been more.
	Damaged bool
}

// Member is a kept file.
type Member struct {
	Name     string // inside the home
	Size     int64
	Mode     fs.FileMode
	Modified time.Time // its source, last
	Kept     time.Time // when it was last the same as its source
	Gone     time.Time // when it was noticed that the source is gone; zero: it is there
	Versions []Version // the newest first; the first is the one above

	reader *reader
	box    *box
}

// Version is one content that a file had.
type Version struct {
	Number   int
	Size     int64
	Began    time.Time
	Kept     time.Time
	Modified time.Time
}

// Families lists the sessions that have copies, sorted.
func (h *Home) Families() ([]sesskeep.SessionID, error) {
	keys, err := h.layout.keys()
	var ids []sesskeep.SessionID
	for _, key := range keys {
		ids = append(ids, key.session)
	}
	slices.Sort(ids)
	return slices.Compact(ids), err
}

// Family returns what is kept of a session, with the plans of the slugs that are
// given. The error is [sesskeep.ErrNotFound] if that is nothing.
func (h *Home) Family(id sesskeep.SessionID, slugs ...string) (Family, error) {
	f := Family{Session: id}
	keys, err := h.layout.keysOf(id)
	if err != nil {
		return f, err
	}
	for _, key := range keys {
		if err := h.addMembers(&f, key, func(string) bool { return true }); err != nil {
			return f, err
		}
	}
	if len(f.Members) == 0 {
		return f, &sesskeep.Error{Op: "find the copy of", Name: string(id), Err: sesskeep.ErrNotFound}
	}
	if len(slugs) > 0 {
		err = h.addMembers(&f, boxKey{}, func(name string) bool { return planOf(name, slugs) })
	}
	slices.SortFunc(f.Members, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
	return f, err
}

// planOf reports whether a file is a plan of one of some slugs: its own, or one of
// its agents'.
func planOf(name string, slugs []string) bool {
	plan, ok := strings.CutPrefix(strings.TrimSuffix(name, ".md"), "plans/")
	return ok && slices.ContainsFunc(slugs, func(slug string) bool {
		return plan == slug || strings.HasPrefix(plan, slug+"-agent-")
	})
}

// Rest returns what is kept of the home and belongs to no session: history.jsonl,
// paste-cache/ and plans/.
func (h *Home) Rest() ([]Member, error) {
	var f Family
	err := h.addMembers(&f, boxKey{}, func(string) bool { return true })
	return f.Members, err
}

func (h *Home) addMembers(f *Family, key boxKey, want func(name string) bool) error {
	b, err := h.boxes.load(key)
	if err != nil {
		return err
	}
	f.Damaged = f.Damaged || len(b.flaws) > 0
	members := map[string]*Member{}
	for _, v := range slices.Backward(b.versions) {
		if !want(v.name) || v.Time.IsZero() {
			continue
		}
		m := members[v.name]
		if m == nil {
			m = &Member{Name: v.name, Size: v.size(), Mode: v.mode, Modified: v.modtime(), Kept: v.Time, Gone: b.gone[v.name], reader: h.reader, box: b}
			members[v.name] = m
		}
		m.Versions = append(m.Versions, Version{v.number, v.size(), v.began, v.Time, v.modtime()})
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		f.Members = append(f.Members, *members[name])
	}
	return nil
}

// Lost is how many bytes of the newest version are damaged. It reads all of it.
func (m Member) Lost() (lost int64, err error) {
	err = m.pieces(func(_ []byte, size int64, err error) error {
		if errors.Is(err, ErrDamaged) {
			lost, err = lost+size, nil
		}
		return err
	})
	return lost, err
}

// CopyIntact writes what is intact of the newest version: of a transcript whole
// lines.
func (m Member) CopyIntact(w io.Writer) error {
	return m.pieces(func(piece []byte, _ int64, err error) error {
		if errors.Is(err, ErrDamaged) {
			return nil
		}
		if err == nil {
			_, err = w.Write(piece)
		}
		return err
	})
}

// pieces calls each for every piece of the newest version: with its bytes, or with the
// reason why they cannot be read.
func (m Member) pieces(each func(piece []byte, size int64, err error) error) error {
	opened, err := m.Open()
	if err != nil {
		return err
	}
	defer opened.Close()
	f := opened.(*file)
	for _, fr := range f.v.frames {
		piece, err := f.readFrame(fr)
		if err := each(piece, fr.Size, err); err != nil {
			return err
		}
	}
	if f.v.End == 0 {
		return nil
	}
	return each(f.end, f.v.End, f.endErr)
}

// Open opens the newest version.
func (m Member) Open() (homefs.File, error) { return m.OpenVersion(m.Versions[0].Number) }

// OpenVersion opens a version by its number.
func (m Member) OpenVersion(number int) (homefs.File, error) {
	v, err := m.box.version(number)
	if err != nil {
		return nil, &sesskeep.Error{Op: "open the copy of", Name: m.Name, Err: sesskeep.ErrNotFound}
	}
	f, err := m.reader.open(m.box, v)
	if err != nil {
		return nil, &sesskeep.Error{Op: "open the copy of", Name: m.Name, Err: err}
	}
	return f, nil
}
