package vault

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/homefs"
)

// edit changes letters in the middle of a file: its size stays.
func (w *world) edit(name string, at int64, text string) {
	w.t.Helper()
	f, err := os.OpenFile(w.path(name), os.O_WRONLY, 0)
	w.check(err)
	_, err = f.WriteAt([]byte(text), at)
	w.check(err)
	w.check(f.Close())
}

// long makes a transcript of many frames, most of them full.
func (w *world) long() int64 {
	w.o.frame = 4096
	text := lines(rand.New(rand.NewPCG(3, 3)), 1<<20)
	w.write(mainA, text)
	return int64(strings.Index(text[300_000:], "word ") + 300_000)
}

// A file that is edited in place and then grows becomes another version: the copy
// is what the file was, never a mixture.
func TestEditedThenGrown(t *testing.T) {
	w := newWorld(t)
	at := w.long()
	w.sweep()
	before := w.files()
	w.edit(mainA, at, "WORD")
	w.append(mainA, "{}\n")
	w.sweep()
	w.compare(w.files())
	w.oldVersion(mainA, before[mainA])
}

// oldVersion makes sure that the first version of a file is as it was.
func (w *world) oldVersion(name, want string) {
	w.t.Helper()
	f, err := w.home().Family(idA)
	w.check(err)
	for _, m := range f.Members {
		if m.Name != name {
			continue
		}
		r, err := m.OpenVersion(m.Versions[len(m.Versions)-1].Number)
		w.check(err)
		if got := readAll(w.t, r); got != want {
			w.t.Errorf("the old version of %s is %s", name, short(got))
		}
		w.check(r.Close())
	}
}

// A process that follows a file compares it as a whole only now and then; what it
// missed is found when the file rests.
func TestEditedWhileFollowed(t *testing.T) {
	w := newWorld(t)
	at := w.long()
	h := w.home()
	keep := func() {
		t.Helper()
		_, err := h.Keeper.KeepFiles(t.Context(), w.store, []string{mainA})
		w.check(err)
	}
	w.now = time.Now()
	keep()
	w.append(mainA, "{}\n")
	keep()
	w.edit(mainA, at, "WORD")
	w.append(mainA, "{}\n")
	keep()
	w.now = time.Now().Add(time.Hour)
	keep()
	w.compare(map[string]string{mainA: w.files()[mainA]})
}

// counted counts what is read of a file.
type counted struct {
	homefs.File
	bytes *int64
}

func (c counted) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.File.ReadAt(p, off)
	*c.bytes += int64(n)
	return n, err
}

type countedFS struct {
	plainFS
	bytes *int64
}

func (c countedFS) Open(name string) (homefs.File, error) {
	f, err := c.plainFS.Open(name)
	return counted{f, c.bytes}, err
}

// Lines that are appended to a long file cost what they are long, not what the file
// is.
func TestFollowedCost(t *testing.T) {
	w := newWorld(t)
	w.long()
	w.now = time.Now()
	h := w.home()
	var read int64
	store := sesskeep.New(homefs.New(w.root, countedFS{plainFS{w.store.Files()}, &read}))
	for i := range 40 {
		if i == 2 {
			read = 0 // the first ones have no history
		}
		w.append(mainA, "{}\n")
		_, err := h.Keeper.KeepFiles(t.Context(), store, []string{mainA})
		w.check(err)
	}
	if read > 1<<20 {
		t.Errorf("38 lines made %d bytes be read", read)
	}
}
