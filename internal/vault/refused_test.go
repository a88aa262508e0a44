package vault

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

	"sesskeep/homefs"
)

// A frame is read as it was written or not at all, whatever the manifest says of it.
func TestFrameRefused(t *testing.T) {
	w := newWorld(t)
	w.sweep()
	piece := []byte("{\"a\":1}\n{\"b\":2}\n")
	data, err := compress(nil, piece, nil)
	w.check(err)
	good := frame{Size: int64(len(piece)), Length: int64(len(data)), SHA256: sha256.Sum256(piece), Sum: homefs.Sum(0, data)}
	if got, err := w.home().reader.frame(bytes.NewReader(data), good); err != nil || !bytes.Equal(got, piece) {
		t.Fatalf("%q, %v", got, err)
	}
	for name, spoil := range map[string]func(f *frame){
		"another content":     func(f *frame) { f.SHA256[3]++ },
		"another sum":         func(f *frame) { f.Sum++ },
		"shorter":             func(f *frame) { f.Length-- },
		"longer":              func(f *frame) { f.Length++ },
		"another size":        func(f *frame) { f.Size++ },
		"larger than memory":  func(f *frame) { f.Length = math.MaxInt64 / 2 },
		"a size beyond reach": func(f *frame) { f.Size = math.MaxInt64 / 2 },
		"a base beyond reach": func(f *frame) { f.Base = &base{Dir: "-w", Session: idA, Version: 1, Size: math.MaxInt64 / 2} },
		"a base that never was": func(f *frame) {
			f.Base = &base{Dir: "-w", Session: idA, Version: 99, Size: 1}
		},
	} {
		bad := good
		spoil(&bad)
		if got, err := w.home().reader.frame(bytes.NewReader(data), bad); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if got, err := decompress(data, nil, good.Size+1); err == nil {
		t.Errorf("of another size: %q", got)
	}
}

// What a frame was compressed against has to be what it was then.
func TestBaseRefused(t *testing.T) {
	w := newWorld(t)
	w.sweep()
	b, err := w.home().boxes.load(boxKey{"-w", idA})
	w.check(err)
	v := b.newest("projects/-w/" + idA + ".jsonl")
	text, err := os.ReadFile(w.path(v.name))
	w.check(err)
	good := base{Dir: "-w", Session: idA, Version: v.number, From: 2, Size: 20, SHA256: sha256.Sum256(text[2:22])}
	if got, err := w.home().reader.base(&good); err != nil || !bytes.Equal(got, text[2:22]) {
		t.Fatalf("%q, %v", got, err)
	}
	moved := good
	moved.From++
	if got, err := w.home().reader.base(&moved); !errors.Is(err, ErrDamaged) {
		t.Errorf("another piece: %q, %v", got, err)
	}
}

// Frames follow each other.
func TestFramesFollow(t *testing.T) {
	for _, f := range []frame{{From: 1, Size: 9, Length: 9}, {From: 10, Size: 0, Length: 9}, {From: 10, Size: 9}, {From: 10, Size: 9, Length: 9, At: -1}, {From: 11, Size: 9, Length: 9}} {
		v := &version{}
		if err := v.add(frame{Size: 10, Length: 5}); err != nil {
			t.Fatal(err)
		}
		if err := v.add(f); err == nil {
			t.Errorf("%+v is taken behind 10 bytes", f)
		}
	}
	if err := new(digest).UnmarshalText([]byte("abcd")); err == nil {
		t.Error("half a digest is taken")
	}
}

// A catalogue of a newer program is left alone, one of an older program tells nothing,
// and a damaged one is noticed.
func TestCatalogOfOthers(t *testing.T) {
	for name, test := range map[string]struct {
		form    int
		damaged bool
		want    error
	}{
		"newer": {catalogForm + 1, false, ErrNewer}, "older": {catalogForm - 1, false, fs.ErrNotExist}, "damaged": {catalogForm, true, ErrDamaged},
	} {
		w := newWorld(t)
		w.sweep()
		path := w.home().layout.catalog()
		data := fmt.Appendf(make([]byte, 4), "%s%d\nmore", catalogTitle, test.form)
		binary.BigEndian.PutUint32(data, homefs.Sum(0, data[4:]))
		if test.damaged {
			data[len(data)-1]++
		}
		w.check(os.WriteFile(path, data, 0o600))
		if _, err := decodeCatalog(path); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
		h := w.home()
		_, err := h.Family(idA)
		w.check(err)
		h.boxes.catalog.summaries()
		if err := h.Uncatalogued(); (err != nil) != test.damaged {
			t.Errorf("%s: it says %v", name, err)
		}
	}
}

// A box whose manifest lacks lines is damaged: those that the catalogue knows, or that
// are not whole.
func TestManifestLacksLines(t *testing.T) {
	w := newWorld(t)
	w.sweep()
	key := boxKey{"-w", idA}
	manifest := filepath.Join(w.dir, "h/projects/-w", idA+".box", manifestName)
	before, err := os.ReadFile(manifest)
	w.check(err)
	w.append(mainA, "{\"n\":1}\n")
	w.sweep()
	whole, err := os.ReadFile(manifest)
	w.check(err)
	flaw := func(data []byte) error {
		w.check(os.WriteFile(manifest, data, 0o600))
		h := w.home()
		b, err := h.boxes.load(key)
		w.check(err)
		return h.boxes.flaw(b)
	}
	if err := flaw(whole); err != nil {
		t.Errorf("as it was: %v", err)
	}
	if err := flaw(before); !errors.Is(err, ErrDamaged) {
		t.Errorf("without its last line: %v", err)
	}
	spoilt := bytes.Clone(whole)
	spoilt[12] ^= 1
	if err := flaw(spoilt); !errors.Is(err, ErrDamaged) {
		t.Errorf("with a damaged line: %v", err)
	}
}

// The end of a copy that is lost is damage, and no end of the file; what is not kept is
// not there, and nothing is read before the beginning.
func TestEndLost(t *testing.T) {
	w := newWorld(t)
	w.append("history.jsonl", "half a line")
	w.sweep()
	f, err := w.home().FS().Open("history.jsonl")
	w.check(err)
	if n, err := f.ReadAt(make([]byte, 1), -1); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("before the beginning: %d, %v", n, err)
	}
	w.check(f.Close())
	ends, err := filepath.Glob(filepath.Join(w.dir, "h/home.box/*.end"))
	if err != nil || len(ends) == 0 {
		t.Fatalf("%v, %v", ends, err)
	}
	for _, end := range ends {
		w.check(os.Remove(end))
	}
	f, err = w.home().FS().Open("history.jsonl")
	w.check(err)
	if data, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<20)); !errors.Is(err, ErrDamaged) {
		t.Errorf("%q, %v", data, err)
	}
	w.check(f.Close())
	if list, err := w.home().FS().ReadDir("tasks/" + idB); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is not kept: %v, %v", list, err)
	}
}

// A source that gets shorter while it is copied is one that moves.
func TestShorterMeanwhile(t *testing.T) {
	for _, err := range []error{io.EOF, io.ErrUnexpectedEOF} {
		if !errors.Is(moving(err), errMoving) {
			t.Errorf("%v is %v", err, moving(err))
		}
	}
	if moving(fs.ErrPermission) != fs.ErrPermission {
		t.Error("a file that may not be read is one that moves")
	}
}

// The quota holds.
func TestQuota(t *testing.T) {
	w := newWorld(t)
	w.sweep()
	for quota, want := range map[int64]error{0: nil, 1 << 40: nil, 1: ErrQuota} {
		err := New(w.dir, w.o).Room(Policy{Quota: quota})
		if errors.Is(err, ErrFull) {
			t.Skip("there is no room on this disk")
		}
		if !errors.Is(err, want) {
			t.Errorf("a quota of %d: %v", quota, err)
		}
	}
}
