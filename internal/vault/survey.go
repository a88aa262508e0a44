package vault

import (
	"errors"
	"io/fs"
	"time"

	"sesskeep"
)

// Survey is how a home compares with its copies.
type Survey struct {
	Sessions int   // that are there
	Covered  int   // of them, those that are kept as they are
	Behind   int   // of them, those that have changed since they were kept
	Bytes    int64 // of all files that there are to keep
	Missing  int64 // bytes of them that are not kept
	// Lag is for how long the oldest change has not been copied.
	Lag time.Duration

	Kept     int // sessions that have copies
	CopyOnly int // of them, those whose transcript is gone; 0 if the home is not there
	Versions int // that are not the newest
	// Unread are the directories and files of the home that could not be read.
	Unread []Problem
	Source int64 // how many bytes all versions have
}

// Survey compares a home with its copies. It reads no file of the home; store is
// nil if there is none any more.
func (h *Home) Survey(store *sesskeep.Store, skip func(sesskeep.ProjectKey) bool) (Survey, error) {
	var s Survey
	if store != nil {
		c, err := homeCensus(store, skip)
		if err != nil {
			return s, err
		}
		s.Unread = c.unread
		for key := range c.boxes {
			if err := h.surveyBox(c, key, &s); err != nil {
				return s, err
			}
		}
	}
	keys, err := h.layout.keys()
	if err != nil {
		return s, err
	}
	there, err := onDisk(store)
	if err != nil {
		return s, err
	}
	absent := absence(store, keys)
	s.Unread = append(s.Unread, absent...)
	for _, key := range append(keys, boxKey{}) {
		b, err := h.boxes.load(key)
		if err != nil {
			return s, err
		}
		if key.session != "" {
			s.Kept++
		}
		h.reportUnmarked(b)
		if main := mainName(key); b.newest(main) != nil && len(absent) == 0 && store.Files().Missing(main) && !h.hides(key.session) && !there[key.session] {
			s.CopyOnly++
		}
		for _, v := range b.versions {
			s.Source += v.size()
			if v != b.newest(v.name) {
				s.Versions++
			}
		}
	}
	return s, nil
}

// Why nothing of a home that has copies is noted as gone.
var (
	errAbsent = errors.New("it is not there, so nothing is counted as deleted")
	errEmpty  = errors.New("it is empty, so nothing is counted as deleted: is its disk mounted?")
)

// absence returns the problem that nothing is there of a home with these copies, if that is so.
func absence(store *sesskeep.Store, copies []boxKey) []Problem {
	switch {
	case store == nil:
		return []Problem{{".", errAbsent}}
	case len(copies) > 0 && isEmpty(store):
		return []Problem{{".", errEmpty}}
	}
	return nil
}

// isEmpty reports whether nothing is in a home, as where a disk is not mounted. A home whose
// sessions were all deleted has more: a client writes its history and its settings there.
func isEmpty(store *sesskeep.Store) bool {
	entries, err := store.Files().ReadDirAll(".")
	if err != nil || len(entries) > 1 || len(entries) == 1 && entries[0].Name() != "projects" {
		return false
	}
	projects, err := store.Files().ReadDir("projects")
	return err == nil && len(projects) == 0
}

// surveyBox compares the files of one box.
func (h *Home) surveyBox(c *census, key boxKey, s *Survey) error {
	b, err := h.boxes.load(key)
	if err != nil {
		return err
	}
	whole, any := c.whole(key), false
	for _, name := range c.boxes[key] {
		now, err := c.store.Files().Status(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			whole, s.Unread = false, append(s.Unread, Problem{name, cause(err)})
			continue
		}
		s.Bytes += now.Size
		v := b.newest(name)
		any = any || v != nil
		if v != nil && v.mark() == now {
			continue
		}
		whole = false
		if v == nil {
			s.Missing += now.Size
		} else {
			s.Missing += max(0, now.Size-v.size())
		}
		s.Lag = max(s.Lag, h.now().Sub(time.Unix(0, now.Modtime)))
	}
	switch {
	case key.session == "":
	case whole:
		s.Sessions, s.Covered = s.Sessions+1, s.Covered+1
	case any:
		s.Sessions, s.Behind = s.Sessions+1, s.Behind+1
	default:
		s.Sessions++
	}
	return nil
}

// Covers reports whether a transcript is kept with the status that a Ref has.
func (h *Home) Covers(ref sesskeep.Ref) bool {
	b, err := h.boxes.load(boxKey{ref.Dir, ref.Session})
	if err != nil {
		return false
	}
	v := b.newest(ref.File)
	return v != nil && v.mark() == ref.Stat
}

// Gone is a session whose transcript was deleted, and that has a copy.
type Gone struct {
	Session  sesskeep.SessionID
	Dir      sesskeep.ProjectKey
	Size     int64     // of its transcript
	Modified time.Time // its transcript, last
	Noticed  time.Time // zero: just now
}

// Gone lists the sessions whose transcript is not there any more, nor in the directory of
// another project. Store is nil if the home is gone.
func (h *Home) Gone(store *sesskeep.Store) ([]Gone, error) {
	keys, err := h.layout.keys()
	if err != nil {
		return nil, err
	}
	there, err := onDisk(store)
	var list []Gone
	for _, key := range keys {
		main := mainName(key)
		if store != nil && !store.Files().Missing(main) || h.hides(key.session) || there[key.session] {
			continue
		}
		b, err := h.boxes.load(key)
		if err != nil {
			return list, err
		}
		if v := b.newest(main); v != nil {
			list = append(list, Gone{key.session, key.dir, v.size(), v.modtime(), b.gone[main]})
		}
	}
	return list, err
}

// onDisk lists the sessions that have a transcript in a home; none if the home is gone.
func onDisk(store *sesskeep.Store) (map[sesskeep.SessionID]bool, error) {
	if store == nil {
		return nil, nil
	}
	refs, err := store.Find("")
	there := map[sesskeep.SessionID]bool{}
	for _, ref := range refs {
		there[ref.Session] = true
	}
	return there, err
}
