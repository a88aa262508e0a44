package shelf

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"sesskeep/homefs"
	"sesskeep/internal/disk"
	"sesskeep/internal/label"
)

// begun is the point where an act is in the journal, and none of its steps is done.
const begun = "journal written begun"

// meanwhile makes an act of some steps, in which something happens at some points.
func (w *world) meanwhile(t *testing.T, happens map[string]func() error, steps ...Step) (Act, error) {
	t.Helper()
	s := w.shelf()
	s.data.at = func(point string) error {
		if f := happens[point]; f != nil {
			delete(happens, point)
			return f()
		}
		return nil
	}
	p, _ := w.plans(steps...)
	return s.Do(context.Background(), p)
}

func (w *world) write(name, text string) error {
	return os.WriteFile(w.path(name), []byte(text), 0o600)
}

func (w *world) extend(name, text string) error {
	f, err := os.OpenFile(w.path(name), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// What others do to a file between the plan and the step stays, and the act is dropped.
func TestChangedMeanwhile(t *testing.T) {
	files := tree{"a": "a\n", "b": "b\n"}
	move := func(w *world) Step { return Move{From: w.path("a"), To: filepath.Join(w.data(), "trash", "a")} }
	add := func(w *world) Step {
		return Append{File: w.path("a"), From: Bytes([]byte("ours")), Back: Bytes([]byte("back"))}
	}
	replaced := func(w *world) error {
		return errors.Join(w.write("new", "t\n"), os.Rename(w.path("new"), w.path("a")))
	}
	extended := func(w *world) error { return w.extend("a", "theirs\n") }
	removed := func(w *world) error { return os.Remove(w.path("a")) }
	for name, test := range map[string]struct {
		across bool
		step   func(w *world) Step
		point  string
		change func(w *world) error
		left   string // of the file
	}{
		"move, written":                          {false, move, begun, extended, "a\ntheirs\n"},
		"move, replaced":                         {false, move, begun, replaced, "t\n"},
		"move, gone":                             {false, move, begun, removed, ""},
		"move across, written":                   {true, move, begun, extended, "a\ntheirs\n"},
		"move across, written while it is moved": {true, move, "remove", extended, "a\ntheirs\n"},
		"move across, gone":                      {true, move, begun, removed, ""},
		"append, written":                        {false, add, begun, extended, "a\ntheirs\n"},
		"append, replaced":                       {false, add, begun, replaced, "t\n"},
		"append, gone":                           {false, add, begun, removed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := (&world{old: files, across: test.across}).build(t)
			a, err := w.meanwhile(t, map[string]func() error{test.point: func() error { return test.change(w) }}, test.step(w))
			if !errors.Is(err, ErrChanged) || a.State == Done {
				t.Errorf("got %v, %s", err, a.State)
			}
			w.want(t, files.with(tree{"a": test.left}))
		})
	}
}

// withoutRenameNew is a system that cannot rename without replacing.
type withoutRenameNew struct{ disk.System }

func (withoutRenameNew) RenameNew(_, _ string) error { return syscall.ENOSYS }

// Where the system itself cannot refuse, a name that is taken at the last moment is not
// overwritten either.
func TestTakenWithoutRenameNew(t *testing.T) {
	files := tree{"a": "a", "dir/f": "f"}
	for _, name := range []string{"a", "dir"} {
		w := (&world{old: files}).build(t)
		s := w.shelf()
		s.data.disk = withoutRenameNew{s.data.disk}
		taken := func() error { return w.write("x", "theirs") }
		if name == "dir" {
			taken = func() error { return os.Mkdir(w.path("x"), 0o700) }
		}
		s.data.at = func(point string) error {
			if point == "move" {
				return taken()
			}
			return nil
		}
		p, _ := w.plans(Move{From: w.path(name), To: w.path("x")})
		if a, err := s.Do(context.Background(), p); !errors.Is(err, fs.ErrExist) || a.State == Done {
			t.Errorf("%s: got %v, %s", name, err, a.State)
		}
		if got := w.snapshot(t); got[name] != files[name] || got["dir/f"] != "f" {
			t.Errorf("%s: the home is %q", name, got)
		}
	}
}

// A file that takes the place of what was just moved is no file of the act: it goes
// back where it came from.
func TestReplacedWhileMoved(t *testing.T) {
	w := (&world{old: tree{"a": "a"}}).build(t)
	to := w.path("x")
	_, err := w.meanwhile(t, map[string]func() error{"moved": func() error {
		return errors.Join(os.Rename(to, w.path("kept")), os.WriteFile(to, []byte("theirs"), 0o600))
	}}, Move{From: w.path("a"), To: to})
	if !errors.Is(err, ErrChanged) {
		t.Errorf("got %v", err)
	}
	w.want(t, tree{"a": "theirs", "kept": "a"})
}

// A file is not removed from its volume while another has its place on the other one.
func TestCarryKeepsOriginal(t *testing.T) {
	for _, point := range []string{"move", "copied"} {
		t.Run(point, func(t *testing.T) {
			w := (&world{old: tree{"a": "a"}, across: true}).build(t)
			to := filepath.Join(w.data(), "trash", "a")
			a, err := w.meanwhile(t, map[string]func() error{point: func() error { return os.WriteFile(to, []byte("theirs"), 0o600) }},
				Move{From: w.path("a"), To: to})
			if !errors.Is(err, fs.ErrExist) || a.State == Done {
				t.Errorf("got %v, %s", err, a.State)
			}
			w.want(t, w.old)
			if text, err := os.ReadFile(to); err != nil || string(text) != "theirs" {
				t.Errorf("what had the place is %q, %v", text, err)
			}
		})
	}
}

// A name that leads to another file by the time of the step is left alone, as are both
// files.
func TestLedElsewhere(t *testing.T) {
	files := tree{"one/f": "f\n", "two/f": "f\n", "two/g": "g\n"}
	for name, step := range map[string]func(w *world) Step{
		"replace": func(w *world) Step {
			return Replace{File: w.path("projects/f"), Before: ContentOf([]byte("f\n")), From: Bytes([]byte("x"))}
		},
		"append": func(w *world) Step { return Append{File: w.path("projects/f"), From: Bytes([]byte("x"))} },
		"place":  func(w *world) Step { return Create{File: w.path("projects/new"), From: Bytes([]byte("x"))} },
	} {
		t.Run(name, func(t *testing.T) {
			w := (&world{old: files}).build(t)
			link := w.path("projects")
			check(t, os.Symlink(w.path("one"), link))
			a, err := w.meanwhile(t, map[string]func() error{begun: func() error {
				return errors.Join(os.Remove(link), os.Symlink(w.path("two"), link))
			}}, step(w))
			if !errors.Is(err, ErrChanged) || a.State == Done {
				t.Errorf("got %v, %s", err, a.State)
			}
			w.want(t, files.with(tree{"projects": "-> " + w.path("two")}))
		})
	}
}

// What waits in our data directory to be written is read again before it is: damaged,
// it reaches no file.
func TestStagedDamaged(t *testing.T) {
	for name, step := range map[string]func(w *world) Step{
		"append":  func(w *world) Step { return Append{File: w.path("a"), From: Bytes([]byte("ours\n"))} },
		"place":   func(w *world) Step { return Create{File: w.path("b"), From: Bytes([]byte("ours\n"))} },
		"replace": func(w *world) Step { return replaceStep(w, "a", "ours\n") },
	} {
		t.Run(name, func(t *testing.T) {
			w := (&world{old: tree{"a": "a\n"}}).build(t)
			a, err := w.meanwhile(t, map[string]func() error{begun: func() error {
				staged, err := filepath.Glob(filepath.Join(w.data(), "stage", "*"))
				if len(staged) != 1 {
					t.Errorf("staged: %v, %v", staged, err)
				}
				return os.WriteFile(staged[0], []byte("0urs\n"), 0o600)
			}}, step(w))
			if err == nil || a.State != Dropped {
				t.Errorf("got %v, %s", err, a.State)
			}
			w.want(t, w.old)
		})
	}
}

// A line that cannot be added whole is taken away again, unless others wrote behind it.
func TestCutBehindOthers(t *testing.T) {
	for name, others := range map[string]string{"alone": "", "others wrote": "theirs\n"} {
		t.Run(name, func(t *testing.T) {
			w := (&world{old: tree{"a": "a\n"}}).build(t)
			failed := errors.New("no space")
			a, err := w.meanwhile(t, map[string]func() error{
				"append": func() error { return errors.Join(w.extend("a", "our"), failed) },
				"cut":    func() error { return w.extend("a", others) },
			}, Append{File: w.path("a"), From: Bytes([]byte("ours\n")), Back: Bytes([]byte("back\n"))})
			want, state := "a\n", Dropped
			if others != "" {
				want, state = "a\nour"+others, Unclear
			}
			if !errors.Is(err, failed) || a.State != state {
				t.Errorf("got %v, %s", err, a.State)
			}
			w.want(t, tree{"a": want})
		})
	}
}

// A file that was placed and written by others at the last moment stays when the act is
// taken back.
func TestWrittenWhileTakenBack(t *testing.T) {
	w := (&world{old: tree{"a": "a\n"}}).build(t)
	a, err := w.meanwhile(t, map[string]func() error{
		"placed":  func() error { return errors.New("no space") },
		"unplace": func() error { return w.write("new", "theirs\n") },
	}, Create{File: w.path("new"), From: Bytes([]byte("ours\n"))})
	if err == nil || a.State == Done {
		t.Errorf("got %v, %s", err, a.State)
	}
	w.want(t, w.old.with(tree{"new": "theirs\n"}))
}

// A backup that is damaged does not come back into the home.
func TestDamagedBackup(t *testing.T) {
	w := worlds()["replace, kept across"].build(t)
	a, err := w.meanwhile(t, map[string]func() error{
		"place": func() error { return errors.New("no space") },
		"fetch": func() error {
			kept, err := filepath.Glob(filepath.Join(w.data(), "backup", "*settings.json"))
			if len(kept) != 1 {
				t.Fatalf("kept: %v, %v", kept, err)
			}
			return os.WriteFile(kept[0], []byte("{\"b\":1}"), 0o600)
		},
	}, replaceStep(w, "settings.json", "{\"a\":2}"), Create{File: w.path("new"), From: Bytes([]byte("x"))})
	if err == nil || a.State == Done || a.State == Dropped {
		t.Errorf("got %v, %s", err, a.State)
	}
	if got := w.snapshot(t)["settings.json"]; got != w.done["settings.json"] {
		t.Errorf("the settings are %s", got)
	}

	w = worlds()["replace"].build(t)
	p, err := w.plan(w)
	check(t, err)
	a = do(t, w.shelf(), p)
	if text, err := w.shelf().Kept(a, 0); err != nil || !bytes.Equal(text, []byte("{\"a\":1}")) {
		t.Errorf("the backup is %q, %v", text, err)
	}
	check(t, os.WriteFile(w.shelf().KeptFile(a, 0), []byte("{\"b\":1}"), 0o600))
	if text, err := w.shelf().Kept(a, 0); err == nil {
		t.Errorf("a damaged backup is %q", text)
	}
}

// A file that its owner may not write, and more lines than are one write, are refused
// before anything is done.
func TestAppendRefused(t *testing.T) {
	w := (&world{old: tree{"a": "a\n", "b": "b\n"}}).build(t)
	check(t, os.Chmod(w.path("a"), 0o400))
	for name, step := range map[string]Step{
		"read-only": Append{File: w.path("a"), From: Bytes([]byte("x"))},
		"too much":  Append{File: w.path("b"), From: Bytes(bytes.Repeat([]byte("x"), maxAppend+1))},
	} {
		_, err := w.meanwhile(t, nil, step)
		if want := map[string]error{"read-only": fs.ErrPermission, "too much": homefs.ErrTooLarge}[name]; !errors.Is(err, want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	w.want(t, w.old)
	if got := states(t, w.shelf()); got != "" {
		t.Errorf("the journal has %s", got)
	}
	a, err := w.meanwhile(t, nil, Append{File: w.path("b"), From: Bytes([]byte("x"))})
	check(t, err)
	if p, err := w.shelf().Undo(context.Background(), a, Actor{}); err == nil {
		t.Errorf("lines that nothing takes back have a plan: %+v", p)
	}
}

// Only what lies directly in the trash is removed for good.
func TestPurgeOutside(t *testing.T) {
	w := (&world{old: tree{"a": "a"}}).build(t)
	s := w.shelf()
	inner := filepath.Join(s.TrashDir(), "1", "files")
	check(t, os.MkdirAll(filepath.Join(inner, "x"), 0o700))
	check(t, os.MkdirAll(filepath.Join(s.TrashDir(), ".hidden"), 0o700))
	for _, path := range []string{w.path("a"), w.home(), inner, w.data(), s.TrashDir(), filepath.Join(s.TrashDir(), ".hidden"), filepath.Join(s.TrashDir(), "..", "..", "home")} {
		p, _ := w.plans(Purge{Path: path})
		if _, err := s.Do(context.Background(), p); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: got %v", path, err)
		}
		// One that a crash interrupted is asked again.
		if err := (Purge{Path: path}).run(s.task(Act{ID: 7, Home: w.home()}, 0)); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s, from the journal: got %v", path, err)
		}
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s is gone: %v", path, err)
		}
	}
	w.want(t, w.old)
	if got := states(t, s); got != "" {
		t.Errorf("the journal has %s", got)
	}
	p, _ := w.plans(Purge{Path: filepath.Join(s.TrashDir(), "1")}, Create{File: w.path("new"), From: Bytes([]byte("x"))})
	s.data.at = func(point string) error {
		if point == "place" {
			return errors.New("no space")
		}
		return nil
	}
	if a, err := s.Do(context.Background(), p); !errors.Is(err, ErrPurged) || a.State == Dropped || a.State == Done {
		t.Errorf("what was purged is called as it was: %v, %s", err, a.State)
	}
}

// What somebody else added to a session since is neither overwritten nor undone.
func TestRelabelled(t *testing.T) {
	ctx := context.Background()
	w := (&world{old: tree{"a": "a"}}).build(t)
	title := func(title string) Label {
		return Label{Key: labelKey, Edit: func(now label.Label) (label.Label, error) { now.Title = title; return now, nil }}
	}
	p, _ := w.plans(Label{Key: labelKey, Before: label.Label{Title: "old"}, After: label.Label{Title: "new"}})
	if _, err := w.shelf().Do(ctx, p); !errors.Is(err, ErrChanged) || states(t, w.shelf()) != "" {
		t.Errorf("another label than the plan expects: %v, %s", err, states(t, w.shelf()))
	}
	first, err := w.meanwhile(t, nil, title("first"))
	check(t, err)
	_, err = w.meanwhile(t, map[string]func() error{"label": func() error {
		return w.shelf().Labels().Set(ctx, label.Change{Act: 9, Key: labelKey, Before: label.Label{Title: "first"}, After: label.Label{Title: "theirs"}})
	}}, title("ours"))
	if !errors.Is(err, ErrChanged) {
		t.Errorf("written at the last moment: %v", err)
	}
	if p, err := w.shelf().Undo(ctx, first, Actor{}); !errors.Is(err, ErrChanged) {
		t.Errorf("undo of what was changed since: %v, %+v", err, p)
	}
	if now, err := w.shelf().Labels().Of(ctx, labelKey); err != nil || now.Title != "theirs" {
		t.Errorf("the title is %q, %v", now.Title, err)
	}
}

// Undo finds the act that is named, and none in its place.
func TestFindOnly(t *testing.T) {
	ctx := context.Background()
	w := (&world{old: tree{"a": "a"}}).build(t)
	s := w.shelf()
	move := func(from, to string) Act {
		a, err := w.meanwhile(t, nil, Move{From: w.path(from), To: w.path(to)})
		check(t, err)
		return a
	}
	first := move("a", "b")
	noted, err := s.Note(ctx, Plan{Verb: "export", Home: w.home()})
	check(t, err)
	p, err := s.Undo(ctx, first, Actor{})
	check(t, err)
	do(t, s, p)
	dropped, err := w.meanwhile(t, map[string]func() error{"moved": func() error { return errors.New("no space") }}, Move{From: w.path("a"), To: w.path("c")})
	if err == nil || dropped.State != Dropped {
		t.Fatalf("got %v, %s", err, dropped.State)
	}
	for name, test := range map[string]struct {
		id   int
		said string
	}{
		"one that there is not": {99, "not found"}, "before the first": {-1, "not found"}, "one that changed nothing": {noted.ID, "changed nothing"},
		"one that was undone": {first.ID, "it was undone"}, "one that was dropped": {dropped.ID, "it was dropped"},
	} {
		if a, err := s.Journal.Find(ctx, test.id, []string{w.home()}); err == nil || !strings.Contains(err.Error(), test.said) {
			t.Errorf("%s: found %d, %v", name, a.ID, err)
		}
	}
}

// Texts are read from small regular files alone.
func TestReadTextRefused(t *testing.T) {
	w := (&world{old: tree{"a": "a"}}).build(t)
	check(t, os.Symlink("a", w.path("link")))
	check(t, os.Mkdir(w.path("dir"), 0o700))
	check(t, w.write("large", ""))
	check(t, os.Truncate(w.path("large"), maxRead+1))
	for name, want := range map[string]error{"link": homefs.ErrNotRegular, "dir": homefs.ErrNotRegular, "large": homefs.ErrTooLarge} {
		if text, err := ReadText(w.path(name)); !errors.Is(err, want) {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
	}
}
