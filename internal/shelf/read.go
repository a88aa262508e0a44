package shelf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"sesskeep/internal/regular"
)

// maxRead bounds a file that is edited as a text.
const maxRead = 32 << 20

// File is a small file as it was read to be edited.
type File struct {
	Path string // where links lead
	Data []byte // nil: there is no file
}

// Read reads a file of a home that is to be edited. Nothing is read that a step
// could not change.
//
// A program that rewrites a file in place leaves it empty for a moment. Read
// waits for what comes, and refuses a file that stays empty, with
// [ErrChanged], unless it was made empty.
func (s *Shelf) Read(ctx context.Context, home, name string) (File, error) {
	start := time.Now()
	for {
		f, err := s.ReadNow(home, name)
		if err != nil || f.Data == nil || len(f.Data) > 0 {
			return f, err
		}
		info, err := os.Lstat(f.Path)
		if err != nil || info.Size() > 0 {
			continue // it changed meanwhile
		}
		if age := start.Sub(info.ModTime()); age.Abs() > s.writerPatience {
			return f, nil // no program is writing it
		}
		if time.Since(start) > s.writerPatience {
			if info.ModTime().Equal(born(f.Path)) {
				return f, nil
			}
			return f, fmt.Errorf("it is empty, and was not a moment ago: it %w", ErrChanged)
		}
		select {
		case <-ctx.Done():
			return f, ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// ReadNow reads a file as Read does, and does not wait.
func (s *Shelf) ReadNow(home, name string) (File, error) {
	return (&task{shelf: s, home: home}).read(name)
}

// ReadNamed reads a file that the user named, wherever it lies. Its Path is what a plan
// that changes it has in Named.
func (s *Shelf) ReadNamed(home, name string) (File, error) {
	path, err := follow(name)
	if err != nil {
		return File{Path: path}, err
	}
	return (&task{shelf: s, home: home, named: []string{path}}).read(name)
}

func (t *task) read(name string) (File, error) {
	path, err := t.lead(name)
	if err != nil {
		return File{Path: path}, err
	}
	data, err := ReadText(path)
	return File{Path: path, Data: data}, err
}

// Kept reads the text that a step of an act replaced; nil if there was none. It
// must be the one that the act says.
func (s *Shelf) Kept(a Act, n int) ([]byte, error) {
	r, ok := a.Steps[n].(Replace)
	if !ok {
		return nil, nil
	}
	kept := s.task(a, n).kept(r.File)
	data, err := ReadText(kept)
	if err == nil && ContentOf(data) != r.Before {
		err = fmt.Errorf("backup %s is damaged", kept)
	}
	return data, err
}

// ReadText reads a small regular file that is not a link; nil means that there is
// none.
func ReadText(path string) ([]byte, error) {
	f, err := openRegular(path, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxRead+1))
	if len(data) > maxRead {
		err = regular.ErrTooLarge
	}
	return data, errors.Join(err, f.Close())
}
