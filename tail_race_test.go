package sesskeep_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"sesskeep"
	"sesskeep/homefs"
)

// A lateFile notes the time of a write before it has the bytes, as systems do.
type lateFile struct {
	early, late []byte
	reads       int
	written     time.Time
}

func (f *lateFile) ReadDir(string) ([]fs.DirEntry, error) { return nil, fs.ErrNotExist }
func (f *lateFile) Stat(string) (fs.FileInfo, error)      { return f.status() }
func (f *lateFile) Open(string) (homefs.File, error)      { return lateHandle{f}, nil }

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
	s := sesskeep.New(homefs.New("home", f))
	tail, err := s.Tail("f", homefs.Mark{})
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
	if err != nil || again.Change != homefs.Replaced {
		t.Errorf("%v, %v: want replaced", again.Change, err)
	}
}

// What was read before is rewritten in place, and the file grows, between the
// comparison with the Mark and the reading of what is new. The next Mark does not
// vouch for bytes that nobody has read.
func TestTailRewrittenMeanwhile(t *testing.T) {
	line := func(c string) string { return `{"type":"user","uuid":"` + strings.Repeat(c, 20) + `"}` + "\n" }
	dir := t.TempDir()
	file := filepath.Join(dir, filepath.FromSlash(tailName))
	put := func(lines string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	s := openDir(t, dir)
	put(line("x"))
	_, _, mark := readTail(t, s, homefs.Mark{})
	put(line("x") + line("a"))
	tail, err := s.Tail(tailName, mark)
	if err != nil || tail.Change != homefs.Grown {
		t.Fatalf("%v, %v: want grown", tail.Change, err)
	}
	defer tail.Close()
	put(line("y") + line("a") + line("b"))
	for _, ok := tail.Next(); ok; _, ok = tail.Next() {
	}
	if mark, err = tail.Mark(); err != nil {
		t.Fatal(err)
	}
	put(line("y") + line("a") + line("b") + line("c"))
	if _, change, _ := readTail(t, s, mark); change != homefs.Replaced {
		t.Errorf("%v: want replaced", change)
	}
}
