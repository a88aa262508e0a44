package identity_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"sesskeep"
	"sesskeep/internal/identity"
	"sesskeep/internal/sealed"
)

// world is a data directory and a place for homes.
type world struct {
	t    *testing.T
	opts identity.Options
	dir  string
}

func newWorld(t *testing.T) *world {
	return &world{t, identity.Options{Dir: filepath.Join(t.TempDir(), "data"), Host: "Think Pad.example.org"}, t.TempDir()}
}

// home makes a home with projects.
func (w *world) home(name string) string {
	w.t.Helper()
	dir := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Join(dir, "projects"), 0o755); err != nil {
		w.t.Fatal(err)
	}
	return dir
}

// try resolves roots written as DIR or NAME=DIR.
func (w *world) try(roots ...string) ([]identity.Home, []string, error) {
	w.t.Helper()
	var list []identity.Root
	for _, text := range roots {
		root := identity.Root{Dir: text}
		if name, dir, ok := strings.Cut(text, "="); ok {
			if root, ok = identity.ParseName(name); !ok {
				w.t.Fatal("no name:", name)
			}
			root.Dir = dir
		}
		list = append(list, root)
	}
	return identity.Resolve(w.opts, list)
}

func (w *world) resolve(roots ...string) []identity.Home {
	w.t.Helper()
	homes, notes, err := w.try(roots...)
	if err != nil || len(notes) > 0 {
		w.t.Fatal(notes, err)
	}
	return homes
}

func (w *world) one(root string) identity.Home {
	w.t.Helper()
	return w.resolve(root)[0]
}

func (w *world) rename(from, to string) {
	w.t.Helper()
	if err := os.Rename(from, to); err != nil {
		w.t.Fatal(err)
	}
}

func TestIDsStay(t *testing.T) {
	w := newWorld(t)
	a, b := w.home(".claude"), w.home("work/.claude")
	first := w.resolve(a, b)
	if first[0].Name != "claude" || first[1].Name != "work-claude" || first[0].MachineName != "think-pad" {
		t.Errorf("names: %+v", first)
	}
	if first[0].ID == first[1].ID || first[0].Machine != first[1].Machine || first[0].Machine == "" {
		t.Errorf("ids: %+v", first)
	}
	for _, h := range first {
		if !sesskeep.ValidName(string(h.ID)) || !sesskeep.ValidName(string(h.Machine)) || !sesskeep.ValidName(h.Name) {
			t.Errorf("no text form: %+v", h)
		}
	}
	if again := w.resolve(b, a); again[0] != first[1] || again[1] != first[0] {
		t.Errorf("another order: %+v, want %+v", again, first)
	}
	if third := w.one(w.home("play/work/.claude")); third.Name != "claude-2" {
		t.Errorf("the third: %+v", third)
	}
}

// Nothing is written where nothing is new: reading costs no lock.
func TestNothingNew(t *testing.T) {
	w := newWorld(t)
	w.one(w.home(".claude"))
	before, err := os.Stat(filepath.Join(w.opts.Dir, "homes.json"))
	if err != nil {
		t.Fatal(err)
	}
	w.one(w.home(".claude"))
	after, err := os.Stat(filepath.Join(w.opts.Dir, "homes.json"))
	if err != nil || !os.SameFile(before, after) || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("written again: %v", err)
	}
}

func TestMoved(t *testing.T) {
	w := newWorld(t)
	a, b := w.home("a"), w.home("b")
	was := w.resolve(a, b)
	moved := filepath.Join(w.dir, "c")
	w.rename(a, moved)
	if got := w.one(moved); got.ID != was[0].ID || got.Name != "a" {
		t.Errorf("moved: %+v, want %+v", got, was[0])
	}
	// The old path is free: a home that is made there is another one.
	if got := w.one(w.home("a")); got.ID == was[0].ID || got.Name == "a" {
		t.Errorf("new at the old path: %+v", got)
	}
	// Two that change places take their ids along.
	w.rename(b, b+"x")
	w.rename(moved, b)
	w.rename(b+"x", moved)
	if got := w.resolve(moved, b); got[0].ID != was[1].ID || got[1].ID != was[0].ID {
		t.Errorf("swapped: %+v, want %+v", got, was)
	}
}

// A home that came back from a backup is another directory at the same path.
func TestRestored(t *testing.T) {
	w := newWorld(t)
	a := w.home("a")
	was := w.one(a)
	w.rename(a, a+".bak")
	if err := os.CopyFS(a, os.DirFS(a+".bak")); err != nil {
		t.Fatal(err)
	}
	if got := w.one(a); got != was {
		t.Errorf("restored: %+v, want %+v", got, was)
	}
}

func TestCopied(t *testing.T) {
	w := newWorld(t)
	a := w.home("a")
	was := w.one(a)
	if err := os.CopyFS(a+"2", os.DirFS(a)); err != nil {
		t.Fatal(err)
	}
	if got := w.one(a + "2"); got.ID == was.ID {
		t.Errorf("a copy has the id of what it is a copy of: %+v", got)
	}
}

// A home that moved to another disk is only known by the name the user gives it.
func TestNamed(t *testing.T) {
	w := newWorld(t)
	a := w.home("a")
	was := w.one("work=" + a)
	if was.Name != "work" || w.one(a) != was {
		t.Errorf("the name did not stay: %+v", was)
	}
	there := filepath.Join(w.dir, "there")
	if err := os.CopyFS(there, os.DirFS(a)); err != nil {
		t.Fatal(err)
	}
	var taken *identity.TakenError
	if _, _, err := w.try("work=" + there); !errors.As(err, &taken) || taken.Root != a {
		t.Errorf("two homes of one name: %v", err)
	}
	other := w.one(there) // seen once without its name
	if err := os.RemoveAll(a); err != nil {
		t.Fatal(err)
	}
	if got := w.one("work=" + there); got.ID != was.ID || got.ID == other.ID {
		t.Errorf("moved and named: %+v, want %+v", got, was)
	}
	if got := w.one(there); got.ID != was.ID {
		t.Errorf("and next time: %+v, want %+v", got, was)
	}
}

func TestOtherMachine(t *testing.T) {
	w := newWorld(t)
	homes := w.resolve(w.home("a"), "work.laptop="+w.home("b"), "play.laptop="+w.home("c"), "mine.think-pad="+w.home("d"))
	if homes[1].Machine == homes[0].Machine || homes[1].Machine != homes[2].Machine || homes[1].MachineName != "laptop" {
		t.Errorf("another machine: %+v", homes)
	}
	if homes[3].Machine != homes[0].Machine {
		t.Errorf("this machine by its name: %+v", homes[3])
	}
	if got := w.one(filepath.Join(w.dir, "b")); got != homes[1] {
		t.Errorf("it did not stay there: %+v, want %+v", got, homes[1])
	}
}

func TestLink(t *testing.T) {
	w := newWorld(t)
	a := w.home("a")
	was := w.one(a)
	if err := os.Symlink(a, a+"-link"); err != nil {
		t.Skip("no links here:", err)
	}
	if got := w.one(a + "-link"); got.ID != was.ID {
		t.Errorf("by another name: %+v, want %+v", got, was)
	}
	if got := w.one(a); got != was {
		t.Errorf("after that: %+v, want %+v", got, was)
	}
}

func TestDamagedFile(t *testing.T) {
	for name, text := range map[string]string{
		"cut":   `{"version":1,"machine":"abc`,
		"empty": "", "text": "x", "list": "[]",
	} {
		w := newWorld(t)
		a := w.home("a")
		was := w.one(a)
		file := filepath.Join(w.opts.Dir, "homes.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		homes, notes, err := w.try(a)
		if err != nil || len(notes) != 1 || homes[0] != was {
			t.Errorf("%s: %+v %q %v, want %+v", name, homes, notes, err, was)
		}
		if kept, err := os.ReadFile(file + ".damaged"); err != nil || string(kept) != text {
			t.Errorf("%s: not set aside: %q, %v", name, kept, err)
		}
		if got := w.one(a); got != homes[0] {
			t.Errorf("%s: next time %+v, want %+v", name, got, homes[0])
		}
	}
}

// Whatever stands in the file, no two homes are called alike.
func TestLenientFile(t *testing.T) {
	w := newWorld(t)
	a, b := w.home("a"), w.home("b")
	text := fmt.Sprintf(`{"version":1,"machine":"Not An Id","new":1,"machines":[{"id":"x/y","name":"m"}],"homes":[
		{"id":"same","name":"one","machine":"mmmm","path":%q},
		{"id":"same","name":"two","machine":"mmmm","path":%q},
		{"id":"../..","name":"three","machine":"mmmm","path":"/x"}]}`, a, b)
	if err := os.MkdirAll(w.opts.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.opts.Dir, "homes.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	homes := w.resolve(a, b)
	if homes[0].ID != "same" || homes[0].Name != "one" || homes[1].ID == "same" || homes[1].Name != "b" {
		t.Errorf("%+v", homes)
	}
}

func TestNewerFile(t *testing.T) {
	w := newWorld(t)
	a := w.home("a")
	was := w.one(a)
	file := filepath.Join(w.opts.Dir, "homes.json")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(strings.Replace(string(data), `"version": 1`, `"version": 2`, 1), ",\n  \"sum\"")
	newer := string(sealed.Seal([]byte(text + "\n}")))
	if err := os.WriteFile(file, []byte(newer), 0o600); err != nil {
		t.Fatal(err)
	}
	homes, notes, err := w.try(a, w.home("b"))
	if err != nil || homes[0] != was || len(notes) != 1 {
		t.Errorf("%+v %q %v", homes, notes, err)
	}
	if now, err := os.ReadFile(file); err != nil || string(now) != newer {
		t.Errorf("a newer file was written: %v", err)
	}
}

// Without a place to keep them, ids are the same each time, and the same as
// those that are kept.
func TestNotKept(t *testing.T) {
	w := newWorld(t)
	a := w.home("a")
	kept := w.one(a)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for dir, remarks := range map[string]int{"": 0, filepath.Join(file, "data"): 1} {
		w.opts.Dir = dir
		first, notes, err := w.try(a)
		if err != nil || len(notes) != remarks {
			t.Fatalf("%q: %q %v", dir, notes, err)
		}
		again, _, err := w.try(a)
		if err != nil || again[0] != first[0] || first[0].ID != kept.ID || first[0].Name != kept.Name {
			t.Errorf("%q: %+v, then %+v, kept %+v, %v", dir, first, again, kept, err)
		}
	}
}

// Processes that start together agree.
func TestTogether(t *testing.T) {
	w := newWorld(t)
	a, b := w.home("a"), w.home("b")
	all := make([][]identity.Home, 16)
	var group sync.WaitGroup
	for i := range all {
		group.Go(func() {
			roots := []string{a, b}
			if i%2 == 1 {
				roots = []string{b, a}
			}
			homes, notes, err := w.try(roots...)
			if err != nil || len(notes) > 0 {
				t.Error(notes, err)
				return
			}
			if i%2 == 1 {
				homes[0], homes[1] = homes[1], homes[0]
			}
			all[i] = homes
		})
	}
	group.Wait()
	for _, homes := range all {
		if len(homes) == 2 && (homes[0] != all[0][0] || homes[1] != all[0][1]) {
			t.Errorf("%+v, want %+v", homes, all[0])
		}
	}
}

// Whatever happens to one file, homes and the machine stay who they are. A home that
// was moved is known by nothing else.
func TestLost(t *testing.T) {
	w := newWorld(t)
	a := w.home("a")
	w.one(a)
	if err := os.Mkdir(filepath.Join(w.opts.Dir, "vault"), 0o700); err != nil {
		t.Fatal(err)
	}
	moved := filepath.Join(w.dir, "moved")
	w.rename(a, moved)
	was := w.one(moved)
	file, backup, other := filepath.Join(w.opts.Dir, "homes.json"), filepath.Join(w.opts.Dir, "backup", "homes.json"), filepath.Join(w.opts.Dir, "vault", "homes.json")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func(path string) error{
		"removed":   os.Remove,
		"cut":       func(path string) error { return os.Truncate(path, int64(len(text)/2)) },
		"an object": func(path string) error { return os.WriteFile(path, []byte("{}"), 0o600) },
		"a machine": func(path string) error {
			return os.WriteFile(path, []byte(strings.ReplaceAll(string(text), string(was.Machine), "abcdefgh")), 0o600)
		},
		"a home": func(path string) error {
			return os.WriteFile(path, []byte(strings.Replace(string(text), string(was.ID), "abcdef", 1)), 0o600)
		},
		"not a file": func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) },
	} {
		for _, paths := range [][]string{{file}, {backup}, {other}, {file, backup}, {file, other}, {backup, other}} {
			for _, path := range paths {
				if err := damage(path); err != nil {
					t.Fatal(err)
				}
			}
			homes, notes, err := w.try(moved)
			if err != nil || homes[0] != was {
				t.Errorf("%s: %v: %+v, %v, want %+v", name, paths, homes, err, was)
			}
			if lost := paths[0] == file; lost != (len(notes) > 0) {
				t.Errorf("%s: %v: notes %q", name, paths, notes)
			}
			for _, path := range paths {
				if info, err := os.Stat(path); err == nil && info.IsDir() { // nobody removes what is not ours
					if err := os.Remove(path); err != nil {
						t.Fatal(err)
					}
					w.resolve(moved)
				}
			}
			for _, path := range []string{file, backup, other} {
				if now, err := os.ReadFile(path); err != nil || string(now) != string(text) {
					t.Errorf("%s: %v: %s was not mended: %s, %v", name, paths, path, now, err)
				}
			}
		}
	}
}

// Where every copy is gone, what users added to sessions names the machine.
func TestAllLost(t *testing.T) {
	w := newWorld(t)
	a := w.home("a")
	was := w.one(a)
	w.opts.Keys = func() []sesskeep.Key {
		return []sesskeep.Key{{Session: "s", Home: was.ID, Machine: was.Machine}, {Session: "s", Home: "other1", Machine: "other234"}}
	}
	if err := os.RemoveAll(w.opts.Dir); err != nil {
		t.Fatal(err)
	}
	homes, notes, err := w.try(a)
	if err != nil || homes[0] != was || len(notes) != 1 || !strings.Contains(notes[0], "was lost") {
		t.Errorf("%+v %q %v, want %+v", homes, notes, err, was)
	}
	if got := w.one(a); got != was {
		t.Errorf("next time: %+v, want %+v", got, was)
	}
}
