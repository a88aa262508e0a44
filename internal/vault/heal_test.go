package vault

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/homefs"
)

// vaultFiles are the files of a vault, without its locks and what it knows of its
// own health.
func (w *world) vaultFiles() (files []string) {
	w.t.Helper()
	w.check(filepath.WalkDir(w.dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !strings.HasSuffix(e.Name(), "lock") && e.Name() != healthName {
			files = append(files, path)
		}
		return err
	}))
	return files
}

// damagedWorld is a home with long and short files, frames and ends, all copied.
func damagedWorld(t *testing.T) *world {
	w := newWorld(t)
	w.o.frame = 4096
	w.append(mainA, lines(rand.New(rand.NewPCG(4, 4)), 60_000))
	w.sweep()
	w.append(mainA, lines(rand.New(rand.NewPCG(5, 5)), 9000))
	w.sweep()
	return w
}

// Whatever is damaged or removed in the copies, the next sweep after it was found
// makes it again, as long as the sources are there.
func TestHeal(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8, 8))
	w := damagedWorld(t)
	want := w.files()
	for _, file := range w.vaultFiles() {
		info, err := os.Stat(file)
		if err != nil {
			continue // a box was written again under other names
		}
		for n := range 4 {
			at := int64(-1)
			switch {
			case n == 3:
				w.check(os.Remove(file))
			case info.Size() == 0:
				continue
			default:
				at = rnd.Int64N(info.Size())
				flip(t, file, at, byte(1)<<rnd.IntN(8))
			}
			if len(w.flaws()) == 0 && filepath.Base(file) != catalogName { // which need not be there
				t.Errorf("%s at %d: nothing was found", file, at)
			}
			w.sweep()
			if w.compare(want); t.Failed() {
				t.Fatalf("%s at %d was not mended", file, at)
			}
			if h := w.home().Checker.Health(); len(h.Flaws) > 0 {
				t.Fatalf("%s at %d: known after it was mended: %+v", file, at, h.Flaws)
			}
			if info, err = os.Stat(file); err != nil {
				break
			}
		}
	}
}

// What somebody finds damaged who only reads is made again too.
func TestHealAfterRead(t *testing.T) {
	w := damagedWorld(t)
	flip(t, filepath.Join(w.dir, "h/projects/-w", idA+".box/frames"), 3000, 2)
	w.sweep()
	if len(w.home().Checker.Health().Flaws) > 0 {
		t.Error("nobody has looked yet")
	}
	f, err := w.home().FS().Open(mainA)
	w.check(err)
	_, err = f.ReadAt(make([]byte, 60_000), 0)
	if w.check(f.Close()); err == nil {
		t.Fatal("the damage was not noticed")
	}
	w.sweep()
	w.compare(w.files())
}

// Of a damaged copy whose source is gone everything else is read: each intact
// frame, and every other file.
func TestReadAroundDamage(t *testing.T) {
	w := damagedWorld(t)
	want := w.files()
	w.check(os.Remove(w.path(mainA)))
	w.sweep()
	b, err := w.home().boxes.load(boxKey{"-w", idA})
	w.check(err)
	hit := b.newest(mainA).frames[3]
	flip(t, filepath.Join(b.dir, b.frames), hit.At+hit.Length/2, 8)

	home, err := homefs.OpenBacked(w.root, w.home().FS())
	w.check(err)
	store := sesskeep.New(home)
	tail, err := store.Tail(mainA, homefs.Mark{})
	w.check(err)
	defer tail.Close()
	entries := 0
	for _, ok := tail.Next(); ok; _, ok = tail.Next() {
		entries++
	}
	w.check(tail.Err())
	lost := strings.Count(want[mainA][hit.From:hit.From+hit.Size], "\n")
	if all := strings.Count(want[mainA], "\n"); entries != all-lost {
		t.Errorf("%d entries were read, want %d less %d", entries, all, lost)
	}
	if p := tail.Problems(); len(p) != 1 || p[0].Offset != hit.From || !p[0].Lost {
		t.Errorf("problems: %+v", p)
	}
	w.sweep()
	if flaws := w.flaws(); len(flaws) == 0 {
		t.Error("the damage was forgotten")
	}
}

// A scrub goes through all copies a little at a time, and notes what it finds.
func TestScrub(t *testing.T) {
	w := damagedWorld(t)
	flip(t, filepath.Join(w.dir, "h/projects/-w", idA+".box/frames"), 3000, 2)
	for day := range 4 {
		w.now = w.now.Add(24 * time.Hour)
		w.check(w.home().Checker.Scrub(t.Context()))
		w.check(w.home().Checker.Scrub(t.Context())) // too early: nothing is due
		if h := w.home().Checker.Health(); !h.Checked.Equal(w.now) || day < 2 != h.Whole.IsZero() {
			t.Errorf("day %d: %+v", day, h)
		}
	}
	if h := w.home().Checker.Health(); len(h.Flaws) == 0 || h.Flaws[0].Session != idA {
		t.Errorf("found %+v", h.Flaws)
	}
	w.sweep()
	w.compare(w.files())
}

// What the catalogue knows of a box is not gone while its manifest is damaged: an index
// that finds nothing there would not look again once it is healed.
func TestDamagedManifestIsNotEmpty(t *testing.T) {
	w := damagedWorld(t)
	w.check(os.Remove(w.path(mainA)))
	manifest := filepath.Join(w.dir, "h/projects/-w", idA+".box/manifest")
	text, err := os.ReadFile(manifest)
	w.check(err)
	for how, data := range map[string][]byte{"cut": text[:1], "removed": nil, "flipped": append([]byte("x"), text[1:]...)} {
		if data == nil {
			w.check(os.Remove(manifest))
		} else {
			w.check(os.WriteFile(manifest, data, 0o600))
		}
		copies := w.home().FS()
		if _, err := copies.Stat(mainA); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: its status: %v", how, err)
		}
		if _, err := copies.Open(mainA); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: opened: %v", how, err)
		}
		never := filepath.Dir(mainA) + "/" + idA + "/never.jsonl"
		if _, err := copies.Stat(never); how != "flipped" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: a file that never was: %v", how, err)
		}
	}
}

// A hole stays noted while the rest of the file is read, and while the disk says that it
// is not there, until its piece is whole.
func TestHoleStaysUnread(t *testing.T) {
	w := damagedWorld(t)
	w.check(os.Remove(w.path(mainA)))
	b, err := w.home().boxes.load(boxKey{"-w", idA})
	w.check(err)
	hit := b.newest(mainA).frames[1]
	damage := func() { flip(t, filepath.Join(b.dir, b.frames), hit.At+hit.Length/2, 8) }
	damage()
	home, err := homefs.OpenBacked(w.root, w.home().FS())
	w.check(err)
	store := sesskeep.New(home)
	read := func() (holed bool) {
		tail, err := store.Tail(mainA, homefs.Mark{})
		w.check(err)
		defer tail.Close()
		for _, ok := tail.Next(); ok; _, ok = tail.Next() {
			continue
		}
		w.check(tail.Err())
		return tail.Holed()
	}
	if !read() || !store.Files().Disk().Missing(mainA) || len(store.Files().Unread()) != 1 {
		t.Errorf("a piece is damaged: unread is %v", store.Files().Unread())
	}
	damage() // back
	if read() || len(store.Files().Unread()) > 0 {
		t.Errorf("it is whole again: unread is %v", store.Files().Unread())
	}
}

// What the user drops is gone, also where its manifest is damaged.
func TestDropDamaged(t *testing.T) {
	w := damagedWorld(t)
	w.check(os.Remove(w.path(mainA)))
	w.sweep()
	box := filepath.Join(w.dir, "h/projects/-w", idA+".box")
	flip(t, filepath.Join(box, "manifest"), 40, 1)
	w.check(w.home().Remover.Drop(t.Context(), idA))
	if _, err := os.Stat(box); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the box is still there: %v", err)
	}
	if _, err := w.home().FS().Stat(mainA); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("its transcript is %v", err)
	}
}

// A sweep says that it has healed what it saw to be damaged.
func TestSweepCountsHealed(t *testing.T) {
	w := damagedWorld(t)
	flip(t, filepath.Join(w.dir, "h/projects/-w", idA+".box/manifest"), 40, 1)
	k, err := w.home().Keeper.Sweep(t.Context(), w.store, SweepOptions{})
	if err != nil || k.Healed != 1 {
		t.Errorf("%+v, %v", k, err)
	}
}
