package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"sesskeep/internal/disk/disktest"
	"sesskeep/internal/storetest"
)

// newMirrored is a world whose copies have a second place.
func newMirrored(t *testing.T) *world {
	w := newWorld(t)
	w.dir = filepath.Join(t.TempDir(), "data", "vault")
	w.usb = t.TempDir()
	w.check(os.MkdirAll(w.dir, 0o700))
	return w
}

func (w *world) vault() *Vault { return New(w.dir, w.o) }

func (w *world) addMirror() {
	w.t.Helper()
	_, err := w.vault().AddMirror(context.Background(), w.usb, false)
	w.check(err)
}

// mirror opens the only mirror, as another process would.
func (w *world) mirror() *Mirror {
	w.t.Helper()
	all, err := w.vault().Mirrors()
	w.check(err)
	if len(all) != 1 {
		w.t.Fatalf("%d mirrors", len(all))
	}
	return all[0]
}

// trySync syncs the mirror; problems are errors.
func (w *world) trySync(o SyncOptions) (Synced, error) {
	all, err := w.vault().Mirrors()
	if err != nil || len(all) != 1 {
		return Synced{}, errors.Join(err, fmt.Errorf("%d mirrors", len(all)))
	}
	s, err := all[0].Sync(context.Background(), o)
	for _, p := range s.Problems {
		err = errors.Join(err, fmt.Errorf("%s: %w", p.Name, p.Err))
	}
	return s, err
}

func (w *world) sync() Synced {
	w.t.Helper()
	s, err := w.trySync(SyncOptions{})
	w.check(err)
	return s
}

// mirrored asserts that the mirror alone has these files, and nothing that is damaged.
func (w *world) mirrored(want map[string]string) {
	w.t.Helper()
	other := *w
	other.dir, other.o.mirror = filepath.Join(w.usb, mirrorFolder), true
	other.compare(want)
}

// Every copy is in both places. What grows is appended, what is rewritten is replaced, and a sync
// with nothing to do writes nothing.
func TestMirror(t *testing.T) {
	w := newMirrored(t)
	w.o.frame = 4096
	w.addMirror()
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, chapter := range story {
		chapter.do(w, rnd)
		w.check(chapter.keep(w))
		s := w.sync()
		if s.Restored > 0 {
			t.Errorf("%s: %+v", chapter.name, s)
		}
		files := w.files()
		w.mirrored(files)
		equalBoxes(t, w.dir, filepath.Join(w.usb, mirrorFolder), chapter.name)
		before := tree(t, w.usb)
		if s := w.sync(); s.Copied+s.Restored > 0 || s.Bytes > 0 || tree(t, w.usb) != before {
			t.Errorf("%s: synced again: %+v", chapter.name, s)
		}
	}
	if w.mirror().Synced.IsZero() {
		t.Error("when it was synced is not known")
	}
}

// equalBoxes asserts that two places have the same bytes in their boxes.
func equalBoxes(t *testing.T, a, b, what string) {
	t.Helper()
	x, y := boxFiles(t, a), boxFiles(t, b)
	for name := range x {
		if x[name] != y[name] {
			t.Errorf("%s: %s differs", what, name)
		}
	}
	for name := range y {
		if _, ok := x[name]; !ok {
			t.Errorf("%s: %s is only in the second place", what, name)
		}
	}
}

func boxFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || !strings.Contains(path, boxSuffix+string(filepath.Separator)) {
			return err
		}
		text, err := os.ReadFile(path)
		files[strings.TrimPrefix(path, dir)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// A place that was away is caught up, and what was dropped meanwhile is dropped there too, also when
// the session was kept again in between.
func TestMirrorAway(t *testing.T) {
	w := newMirrored(t)
	w.addMirror()
	w.now = time.Now()
	w.sweep()
	w.sync()
	away := w.usb + ".unplugged"
	w.check(os.Rename(w.usb, away))
	w.check(os.Mkdir(w.usb, 0o700)) // the mount point
	if _, err := w.trySync(SyncOptions{}); !errors.Is(err, ErrMirrorAway) {
		t.Fatalf("sync of an empty mount point: %v", err)
	}
	w.append(mainA, "{\"more\":1}\n")
	w.check(os.Remove(w.path("projects/-v/" + idB + ".jsonl")))
	w.check(os.RemoveAll(w.path("file-history/" + idB)))
	w.now = w.now.Add(time.Minute)
	w.sweep()
	w.check(w.home().Remover.Drop(context.Background(), idB, "calm-sea"))
	if n, err := w.mirror().Behind(); err != nil || n != 1 {
		t.Errorf("%d sessions behind, %v", n, err)
	}
	if entries, err := os.ReadDir(w.usb); err != nil || len(entries) > 0 || w.mirror().Waiting != 1 {
		t.Errorf("wrote below the mount point: %v, %v; waiting %d", entries, err, w.mirror().Waiting)
	}
	w.check(os.Remove(w.usb))
	w.check(os.Rename(away, w.usb))
	w.sync()
	files := w.files()
	delete(files, "plans/calm-sea.md")
	w.mirrored(files)
	equalBoxes(t, w.dir, filepath.Join(w.usb, mirrorFolder), "caught up")
	for name := range boxFiles(t, w.usb) {
		if strings.Contains(name, idB) {
			t.Errorf("%s is still there", name)
		}
	}
	if w.mirror().Waiting != 0 {
		t.Error("the removal still waits")
	}
}

// What the vault loses comes back from the other place: boxes, ends of manifests, files and,
// with Check, bits; and the other way round.
func TestMirrorMends(t *testing.T) {
	for what, damage := range map[string]func(w *world, dir string){
		"a box is lost":            func(w *world, dir string) { w.check(os.RemoveAll(filepath.Join(dir, "h/projects/-w"))) },
		"the home's box is lost":   func(w *world, dir string) { w.check(os.RemoveAll(filepath.Join(dir, "h/home.box"))) },
		"frames are lost":          func(w *world, dir string) { w.check(os.Remove(filepath.Join(dir, "h/projects/-w", idA+".box/frames"))) },
		"a bit of frames flips":    func(w *world, dir string) { flip(w.t, filepath.Join(dir, "h/projects/-w", idA+".box/frames"), 70, 4) },
		"a bit of a manifest":      func(w *world, dir string) { flip(w.t, filepath.Join(dir, "h/projects/-w", idA+".box/manifest"), 40, 2) },
		"a manifest loses its end": func(w *world, dir string) { cutLastLine(w, filepath.Join(dir, "h/projects/-w", idA+".box/manifest")) },
	} {
		for _, side := range []string{"here", "there"} {
			t.Run(what+" "+side, func(t *testing.T) {
				w := newMirrored(t)
				w.o.frame = 4096
				w.addMirror()
				w.append(mainA, lines(rand.New(rand.NewPCG(1, 2)), 20000))
				w.now = w.now.Add(time.Hour)
				w.sweep()
				w.append(mainA, "{\"more\":1}\n")
				w.now = w.now.Add(time.Hour)
				w.sweep()
				w.sync()
				dir := w.dir
				if side == "there" {
					dir = filepath.Join(w.usb, mirrorFolder)
				}
				before := boxFiles(t, dir)
				damage(w, dir)
				if maps.Equal(before, boxFiles(t, dir)) {
					t.Fatal("nothing is damaged")
				}
				s, err := w.trySync(SyncOptions{Check: true})
				if err != nil || s.Bytes == 0 {
					t.Errorf("%+v, %v", s, err)
				}
				if !maps.Equal(before, boxFiles(t, dir)) {
					t.Error("it is not as it was")
				}
				w.compare(w.files())
				w.mirrored(w.files())
			})
		}
	}
}

func cutLastLine(w *world, path string) {
	text, err := os.ReadFile(path)
	w.check(err)
	i := bytes.LastIndexByte(text[:len(text)-1], '\n')
	w.check(os.Truncate(path, int64(i)+1))
}

// A vault that was lost as a whole gets everything back; where it has copied a session again, both
// places keep what they have.
func TestMirrorOfLostVault(t *testing.T) {
	w := newMirrored(t)
	w.addMirror()
	w.sweep()
	w.sync()
	w.check(os.RemoveAll(w.dir))
	w.check(os.Remove(w.path("projects/-v/" + idB + ".jsonl"))) // only the other place has it
	w.write(mainA, `{"type":"user","uuid":"z","sessionId":"`+idA+`","message":{"role":"user","content":"another"}}`+"\n")
	w.sweep()
	s, err := w.trySync(SyncOptions{})
	if !errors.Is(err, ErrMirrorDiffers) || s.Restored == 0 {
		t.Errorf("%+v, %v", s, err)
	}
	if got := readCopy(t, w.home(), "projects/-v/"+idB+".jsonl"); !strings.Contains(got, "calm-sea") {
		t.Errorf("what only the other place had: %s", got)
	}
	other := New(filepath.Join(w.usb, mirrorFolder), Options{mirror: true}).Home("h")
	if got := readCopy(t, other, mainA); !strings.Contains(got, `"content":"hi"`) {
		t.Errorf("what only the other place had of a session: %s", got)
	}
	if got := readCopy(t, w.home(), mainA); !strings.Contains(got, "another") {
		t.Errorf("what the vault copied: %s", got)
	}
}

// A directory that is the mirror of another vault is not taken over unless the user says so.
func TestMirrorTaken(t *testing.T) {
	w, other := newMirrored(t), newMirrored(t)
	w.addMirror()
	w.sweep()
	w.sync()
	other.usb = w.usb
	if _, err := other.vault().AddMirror(context.Background(), w.usb, false); !errors.Is(err, ErrMirrorTaken) {
		t.Fatalf("%v", err)
	}
	if _, err := other.vault().AddMirror(context.Background(), w.usb, true); err != nil {
		t.Fatal(err)
	}
	other.store = w.store
	if s := other.sync(); s.Restored != 2 {
		t.Errorf("%+v", s)
	}
	other.root = w.root
	other.compare(w.files())
	if _, err := w.vault().AddMirror(context.Background(), w.dir, false); err == nil {
		t.Error("the vault is its own mirror")
	}
}

// Wherever the disk fails or the machine stops, no place loses what it had, and the next sync
// makes them equal.
func TestMirrorFaults(t *testing.T) {
	rnd := func() *rand.Rand { return rand.New(rand.NewPCG(5, 6)) }
	// prepared is a world of which the mirror lacks something of every kind.
	prepared := func() (*world, map[string]string) {
		w, r := newMirrored(t), rnd()
		w.o.frame = 4096
		w.addMirror()
		w.append(mainA, lines(r, 9000))
		w.sweep()
		w.sync()
		w.append(mainA, lines(r, 9000))
		w.write("projects/-v/33333333-0000-4000-8000-000000000000.jsonl", lines(r, 5000))
		w.write("history.jsonl", "{\"display\":\"other\"}\n")
		w.sweep()
		w.check(w.home().Remover.DropFiles(context.Background(), func(name string) bool { return strings.HasPrefix(name, "paste-cache") }))
		w.check(os.Remove(w.path("paste-cache/0123456789abcdef.txt")))
		w.check(w.vault().changeMirrors(context.Background(), func(list []mirrorRecord) []mirrorRecord {
			list[0].Dropped = append(list[0].Dropped, droppedCopies{"h", idB}) // as if it was away when that was dropped
			return list
		}))
		w.check(w.home().Remover.drop(context.Background(), idB, nil))
		w.check(os.Remove(w.path("projects/-v/" + idB + ".jsonl")))
		w.check(os.RemoveAll(w.path("file-history/" + idB)))
		return w, w.files()
	}
	w, _ := prepared()
	learn := disktest.New(t)
	w.o.Disk = learn
	w.sync()
	points := learn.Points()
	t.Logf("%d points", len(points))
	if len(points) < 40 {
		t.Fatal("the sync wrote too little for this to show anything")
	}
	long := os.Getenv("SESSKEEP_CRASH") != ""
	losses := []disktest.Loss{disktest.Lose, disktest.Keep, disktest.Tear(1), disktest.Tear(2)}
	seed := int(storetest.Seed(t) % 6)
	for i, p := range points {
		if !long && i%6 != seed {
			continue
		}
		for n, loss := range losses {
			if !long && n != i%len(losses) {
				continue
			}
			w, files := prepared()
			d := disktest.New(t)
			d.Crash(p)
			w.o.Disk = d
			if _, err := w.trySync(SyncOptions{}); err == nil && !d.Met() {
				t.Fatalf("crash at %v was not met", p)
			}
			w.check(d.Reboot(loss))
			w.o.Disk = nil
			w.compare(files)
			w.sync()
			w.compare(files)
			w.mirrored(files)
			equalBoxes(t, w.dir, filepath.Join(w.usb, mirrorFolder), fmt.Sprintf("crash at %v", p))
			if t.Failed() {
				return
			}
		}
		w, files := prepared()
		d := disktest.New(t)
		d.Fail(p, []error{syscall.ENOSPC, syscall.EIO, syscall.EROFS}[i%3])
		w.o.Disk = d
		s, err := w.trySync(SyncOptions{})
		if err == nil && s.Stopped == "" && !strings.HasPrefix(p.Site, "remove") {
			t.Errorf("a failure at %v was not reported", p)
		}
		w.o.Disk = nil
		w.compare(files)
		w.sync()
		w.mirrored(files)
		equalBoxes(t, w.dir, filepath.Join(w.usb, mirrorFolder), fmt.Sprintf("failure at %v", p))
		if t.Failed() {
			return
		}
	}
}

// A place that is unplugged while it is synced is an error, not a problem of each session.
func TestMirrorUnplugged(t *testing.T) {
	w := newMirrored(t)
	w.addMirror()
	w.sweep()
	calls := 0
	w.o.Disk = disktest.Refuse(w.vault().o.Disk, func(_, name string) error {
		if calls++; inside(w.usb, name) && calls > 12 {
			w.check(os.RemoveAll(filepath.Join(w.usb, mirrorFolder)))
			return syscall.EIO
		}
		return nil
	})
	if s, err := w.mirror().Sync(context.Background(), SyncOptions{}); !errors.Is(err, ErrMirrorAway) {
		t.Errorf("%+v, %v", s, err)
	}
	w.o.Disk = nil
	w.compare(w.files())
	if slices.Contains(slices.Collect(maps.Keys(boxFiles(t, w.usb))), "") {
		t.Error("something is there")
	}
}
