package reading

import (
	"errors"
	"fmt"
	"sync"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/jsonl"
)

// Lines reads single lines of a transcript, whose positions are known from elsewhere,
// without reading the rest. A line that is not what it should be is [ErrMoved].
type Lines struct {
	name string
	file homefs.File
}

// lineReaders are kept for their buffers: whoever reads lines of many transcripts reads little of each.
var lineReaders = sync.Pool{New: func() any { return new(jsonl.Reader) }}

// ErrMoved is returned for a position at which another line lies than expected.
var ErrMoved = errors.New("the line is not where it was")

// OpenLines opens a transcript. The caller must close it.
func OpenLines(store *sesskeep.Store, ref sesskeep.Ref) (*Lines, error) {
	f, err := store.Files().Open(ref.File)
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	return &Lines{store.Path(ref.File), f}, nil
}

// Close closes the transcript.
func (l *Lines) Close() error { return l.file.Close() }

// At reads the line of a number, counting from 1, that lies at an offset.
func (l *Lines) At(number int, offset, length int64) (sesskeep.Entry, error) {
	raw := make([]byte, length)
	if _, err := l.file.ReadAt(raw, offset); err != nil {
		return sesskeep.Entry{}, &sesskeep.Error{Op: "read", Name: l.name, Err: sesskeep.Cause(err)}
	}
	e, err := sesskeep.Decode(raw)
	if err != nil {
		return e, ErrMoved
	}
	e.Line, e.Offset = number, offset
	return e, nil
}

// Behind reads lines by how many lines of the file they lie behind the first one that
// is wanted, which is decoded with all before it. The numbers ascend.
func (l *Lines) Behind(first func(e *sesskeep.Entry) bool, numbers []int, give func(at int, e *sesskeep.Entry) error) error {
	lines := lineReaders.Get().(*jsonl.Reader)
	lines.Reset(l.file, 0, 0)
	defer func() {
		lines.Reset(nil, 0, 0)
		lineReaders.Put(lines)
	}()
	from := -1
	for len(numbers) > 0 && lines.Next() {
		line := lines.Line()
		if from >= 0 && line.Number < from+numbers[0] {
			continue
		}
		e, err := sesskeep.Decode(line.Bytes)
		if from < 0 {
			if err != nil || !first(&e) {
				continue
			}
			from = line.Number
		}
		if line.Number < from+numbers[0] {
			continue
		}
		if err != nil || line.Number > from+numbers[0] {
			return ErrMoved
		}
		if err := give(numbers[0], &e); err != nil {
			return err
		}
		numbers = numbers[1:]
	}
	if err := lines.Err(); err != nil {
		return &sesskeep.Error{Op: "read", Name: l.name, Err: sesskeep.Cause(err)}
	}
	if len(numbers) > 0 {
		return ErrMoved
	}
	return nil
}
