package sesskeep_test

import (
	"bytes"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"sesskeep"
)

// A lateFile notes the time of a write before it has the bytes, as systems do.
type lateFile struct {
	early, late []byte
	reads       int
	written     time.Time
}

func (f *lateFile) ReadDir(string) ([]fs.DirEntry, error) { return nil, fs.ErrNotExist }
func (f *lateFile) Stat(string) (fs.FileInfo, error)      { return f.status() }
func (f *lateFile) Open(string) (sesskeep.File, error)    { return lateHandle{f}, nil }

// status is that of the write, however much of it has come.
func (f *lateFile) status() (fs.FileInfo, error) {
	return fs.Stat(fstest.MapFS{"f": {Data: f.late, ModTime: f.written}}, "f")
}

type lateHandle struct{ file *lateFile }

func (h lateHandle) ReadAt(p []byte, off int64) (int, error) {
	data := h.file.late
	if h.file.reads++; h.file.reads == 1 {
		data = h.file.early
	}
	return bytes.NewReader(data).ReadAt(p, off)
}

func (h lateHandle) Close() error { return nil }

func (h lateHandle) Stat() (fs.FileInfo, error) { return h.file.status() }

// Bytes that were rewritten in place while they were read, by a write whose time
// was noted before, are not taken for those that were read.
func TestTailRewrittenLate(t *testing.T) {
	line := func(c string) string { return `{"type":"user","uuid":"` + strings.Repeat(c, 20) + `"}` + "\n" }
	f := &lateFile{early: []byte(line("x")), late: []byte(line("y")), written: time.Now()}
	s := sesskeep.OpenFS("home", f)
	tail, err := s.Tail("f", sesskeep.Mark{})
	if err != nil {
		t.Fatal(err)
	}
	e, ok := tail.Next()
	if !ok || !strings.HasPrefix(e.UUID, "x") {
		t.Fatalf("read %+v", e)
	}
	tail.Next()
	mark, err := tail.Mark()
	if err != nil {
		t.Fatal(err)
	}
	f.late = append(f.late, line("z")...) // it grows before anybody looks again
	again, err := s.Tail("f", mark)
	if err != nil || again.Change != sesskeep.ChangeReplaced {
		t.Errorf("%v, %v: want replaced", again.Change, err)
	}
}
