package vault

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep/homefs"
)

// summary is what a list of the files of a box needs.
type summary struct {
	stamp fileStamp // of the manifest
	seq   uint64    // changes of the box so far
	files []listed  // sorted by name
}

// listed is the newest version of a file.
type listed struct {
	Name string
	Mark homefs.Mark
	Mode fs.FileMode
}

func (l listed) info() info { return info{filepath.Base(l.Name), l.Mark, l.Mode} }

// find finds a file by its name.
func (s *summary) find(name string) (listed, bool) {
	i, ok := slices.BinarySearchFunc(s.files, name, func(l listed, name string) int { return strings.Compare(l.Name, name) })
	if !ok {
		return listed{}, false
	}
	return s.files[i], true
}

func (b *box) summary() *summary {
	b.once.Do(func() {
		s := &summary{stamp: b.stamp, seq: b.seq}
		for _, name := range b.names() {
			if v := b.newest(name); !v.Time.IsZero() {
				i := v.info()
				s.files = append(s.files, listed{name, i.mark, i.mode})
			}
		}
		b.sum = s
	})
	return b.sum
}

// lost lists the files that had a copy in the catalogue and have none in the box, or only
// an earlier one because its last changes are gone.
func (b *box) lost(was entry) (names []string) {
	for _, name := range was.Lost {
		if b.newest(name) == nil {
			names = append(names, name)
		}
	}
	for _, l := range was.Files {
		v := b.newest(l.Name)
		if v == nil || b.seq < was.Seq && v.size() < l.Mark.Size && v.Mark.Modtime <= l.Mark.Modtime {
			names = append(names, l.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
