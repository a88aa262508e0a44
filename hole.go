package sesskeep

import (
	"errors"
	"os"

	"sesskeep/homefs"
)

// holed is a transcript that is read although pieces of it cannot be. Each of them
// stands there as one line that says so, which is no record: so it is a Problem, and
// what follows has its offsets.
type holed struct {
	homefs.File
	met bool // a piece was
}

// holeText begins a line that stands for a hole; spaces follow.
const holeText = "this piece of the copy is damaged"

// readable lets a transcript be read around its holes. Only copies have some.
func readable(f homefs.File) homefs.File {
	if _, isFile := f.(*os.File); isFile {
		return f
	}
	return &holed{File: f}
}

func (h *holed) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		var more int
		more, err = h.File.ReadAt(p[n:], off+int64(n))
		n += more
		var hole *homefs.HoleError
		if !errors.As(err, &hole) {
			return n, err
		}
		at := off + int64(n)
		if at < hole.From || at >= hole.To {
			return n, err
		}
		n += fillHole(hole, p[n:], at)
		h.met = true
	}
	return n, nil
}

// fillHole writes the placeholder text of a hole from an offset on, up to the length of p.
func fillHole(e *homefs.HoleError, p []byte, at int64) int {
	n := int(min(int64(len(p)), e.To-at))
	for i := range n {
		switch from := at + int64(i) - e.From; {
		case at+int64(i) == e.To-1:
			p[i] = '\n'
		case from < int64(len(holeText)):
			p[i] = holeText[from]
		default:
			p[i] = ' '
		}
	}
	return n
}
