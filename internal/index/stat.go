package index

import (
	"strconv"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/row"
)

// hintsFor are the known paths that can belong to a directory.
func hintsFor(h ask.Home, dir sesskeep.ProjectKey) []string {
	var hints []string
	if path := row.IndexedPath(h.Store.Files(), dir); path != "" {
		hints = append(hints, path)
	}
	for _, path := range h.Hints {
		if dir.Holds(path) {
			hints = append(hints, path)
		}
	}
	return hints
}

// statText is how a transcript looks from outside, its meta file included: what
// that says is among its facts.
func statText(ref sesskeep.Ref) string {
	b := make([]byte, 0, 160)
	for _, m := range []homefs.Mark{ref.Stat, ref.Meta} {
		if m == (homefs.Mark{}) {
			continue
		}
		b = strconv.AppendUint(append(b, ' '), m.Device, 36)
		b = strconv.AppendUint(append(b, ' '), m.Inode, 36)
		for _, n := range []int64{m.Size, m.Modtime, m.Changed} {
			b = strconv.AppendInt(append(b, ' '), n, 36)
		}
	}
	return string(b)
}
