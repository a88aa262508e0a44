package reading

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/saved"
)

// Saved is an output that was too large for its line and is in a file of its
// own. It is read a window at a time.
type Saved struct {
	Size int64
	file homefs.File
}

// OpenSaved opens an output of a session, or of an agent of it, by the name that its
// call has for it.
func OpenSaved(store *sesskeep.Store, ref sesskeep.Ref, name string) (*Saved, error) {
	file, err := saved.File(store.Files(), ref.Dir, store.Parent(ref), name)
	if err != nil {
		return nil, err
	}
	f, err := store.Files().Open(file)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Saved{Size: info.Size(), file: f}, nil
}

// Close closes the file.
func (o *Saved) Close() error { return o.file.Close() }

// Window reads at most size bytes from an offset, in whole lines if possible. It
// returns the offset of the next window; at the end the text is empty.
func (o *Saved) Window(offset int64, size int) (text string, next int64, err error) {
	buf := make([]byte, max(0, min(int64(size), o.Size-offset)))
	n, err := o.file.ReadAt(buf, offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", offset, err
	}
	end := n
	if offset+int64(n) < o.Size {
		end = lastLine(buf[:n])
	}
	return string(buf[:end]), offset + int64(end), nil
}

// lastLine returns the end of the last whole line, or else of the last character.
func lastLine(text []byte) int {
	if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	for i := len(text) - 1; i > 0 && i > len(text)-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) && !utf8.FullRune(text[i:]) {
			return i
		}
	}
	return len(text)
}
