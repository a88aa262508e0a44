package shelf

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep/homefs"
)

// try makes an act of some steps in a home with some files.
func try(t *testing.T, files tree, steps func(w *world) []Step) (*world, Act, error) {
	t.Helper()
	w := (&world{old: files}).build(t)
	p, _ := w.plans(steps(w)...)
	a, err := w.shelf().Do(context.Background(), p)
	return w, a, err
}

// Nothing is overwritten, and then nothing is done at all.
func TestNeverOverwrites(t *testing.T) {
	files := tree{"a": "a", "b": "b", "c": "c"}
	for name, step := range map[string]func(w *world) Step{
		"place": func(w *world) Step { return Create{File: w.path("b"), From: Bytes([]byte("x"))} },
		"move":  func(w *world) Step { return Move{From: w.path("a"), To: w.path("b")} },
	} {
		w, a, err := try(t, files, func(w *world) []Step {
			return []Step{Move{From: w.path("c"), To: w.path("d")}, step(w)}
		})
		if !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: got %v", name, err)
		}
		w.want(t, files)
		if states(t, w.shelf()) != "" {
			t.Errorf("%s: act %d is in the journal", name, a.ID)
		}
	}
}

// A name that is taken at the last moment is not overwritten either.
func TestTakenMeanwhile(t *testing.T) {
	for point, step := range map[string]func(w *world) Step{
		"place": func(w *world) Step { return Create{File: w.path("b"), From: Bytes([]byte("x"))} },
		"move":  func(w *world) Step { return Move{From: w.path("a"), To: w.path("b")} },
	} {
		w := (&world{old: tree{"a": "a", "c": "c"}}).build(t)
		s := w.shelf()
		s.data.at = func(at string) error {
			if at == point {
				return os.WriteFile(w.path("b"), []byte("theirs"), 0o600)
			}
			return nil
		}
		p, _ := w.plans(replaceStep(w, "c", "new"), step(w))
		if a, err := s.Do(context.Background(), p); !errors.Is(err, fs.ErrExist) || a.State != Dropped {
			t.Errorf("%s: got %v, %s", point, err, a.State)
		}
		w.want(t, w.old.with(tree{"b": "theirs"}))
	}
}

// A step that expects something else is refused before any is done.
func TestExpects(t *testing.T) {
	files := tree{"a": "a", "b": "b"}
	for name, step := range map[string]func(w *world) Step{
		"replace": func(w *world) Step {
			return Replace{File: w.path("b"), Before: ContentOf([]byte("x")), From: Bytes(nil)}
		},
		"move": func(w *world) Step {
			is, err := Identify(w.path("b"))
			check(t, err)
			check(t, os.WriteFile(w.path("b"), []byte("b"), 0o600)) // another time
			return Move{From: w.path("b"), To: w.path("x"), Is: is}
		},
		"append": func(w *world) Step {
			is, err := Identify(w.path("b"))
			check(t, err)
			is.Size++
			return Append{File: w.path("b"), Is: is, From: Bytes([]byte("x"))}
		},
	} {
		w, _, err := try(t, files, func(w *world) []Step { return []Step{Move{From: w.path("a"), To: w.path("d")}, step(w)} })
		if !errors.Is(err, ErrChanged) {
			t.Errorf("%s: got %v", name, err)
		}
		w.want(t, files)
		if got := states(t, w.shelf()); got != "" {
			t.Errorf("%s: the journal has %s", name, got)
		}
	}
}

// A rename reads nothing: what cannot be read can be moved.
func TestMoveReadsNothing(t *testing.T) {
	w, a, err := try(t, tree{"a": "a"}, func(w *world) []Step {
		check(t, os.Truncate(w.path("a"), 1<<40)) // nobody hashes that
		return []Step{Move{From: w.path("a"), To: w.path("x/b")}}
	})
	check(t, err)
	p, err := w.shelf().Undo(context.Background(), a, Actor{})
	check(t, err)
	do(t, w.shelf(), p)
	if info, err := os.Stat(w.path("a")); err != nil || info.Size() != 1<<40 {
		t.Error(info, err)
	}
}

// What is moved keeps its time, or gets the one that the step names.
func TestMoveTime(t *testing.T) {
	long, now := time.Unix(1e9, 0), time.Unix(2e9, 0)
	modified := func(path string) time.Time {
		info, err := os.Stat(path)
		check(t, err)
		return info.ModTime()
	}
	for _, across := range []bool{false, true} {
		w := (&world{old: tree{"a": "a", "b": "b"}, across: across}).build(t)
		to := func(name string) string { return filepath.Join(w.data(), "trash", name) }
		p, _ := w.plans(Move{From: w.path("a"), To: to("a")}, Move{From: w.path("b"), To: to("b"), Modified: now})
		a := do(t, w.shelf(), p)
		if !modified(to("a")).Equal(long) || !modified(to("b")).Equal(now) {
			t.Errorf("across %v: %v, %v", across, modified(to("a")), modified(to("b")))
		}
		p, err := w.shelf().Undo(context.Background(), a, Actor{})
		check(t, err)
		do(t, w.shelf(), p)
		if !modified(w.path("a")).Equal(long) || !modified(w.path("b")).Equal(long) {
			t.Errorf("across %v, undone: %v, %v", across, modified(w.path("a")), modified(w.path("b")))
		}
	}
}

// Directories keep their rights on another file system, there, back, and when the
// act is taken back.
func TestMoveTreeMode(t *testing.T) {
	mode := func(path string) fs.FileMode {
		info, err := os.Stat(path)
		check(t, err)
		return info.Mode().Perm()
	}
	for _, name := range []string{"trash across", "trash across, blocked"} {
		w := worlds()[name].build(t)
		dir := w.path("projects/-w/a/subagents")
		check(t, os.Chmod(dir, 0o751))
		s := w.shelf()
		w.block(s)
		p, err := w.plan(w)
		check(t, err)
		a, err := s.Do(context.Background(), p)
		if w.blocked {
			if a.State != Dropped || mode(dir) != 0o751 {
				t.Errorf("taken back: %s, %v, %v", a.State, mode(dir), err)
			}
			continue
		}
		check(t, err)
		if got := mode(filepath.Join(w.data(), "trash", "1", "a", "subagents")); got != 0o751 {
			t.Errorf("there: %v", got)
		}
		p, err = s.Undo(context.Background(), a, Actor{})
		check(t, err)
		do(t, s, p)
		if got := mode(dir); got != 0o751 {
			t.Errorf("back: %v", got)
		}
		if left, err := os.ReadDir(filepath.Join(w.data(), "trash", "1")); err != nil || len(left) > 0 {
			t.Errorf("left: %v, %v", left, err)
		}
	}
}

// Lines begin on lines of their own, and the file keeps its time.
func TestAppend(t *testing.T) {
	for text, want := range map[string]string{"": "x\n", "a\n": "a\nx\n", "a": "a\nx\n", "a\n\n": "a\n\nx\n"} {
		w, a, err := try(t, tree{"f": text}, func(w *world) []Step {
			return []Step{Append{File: w.path("f"), From: Bytes([]byte("x")), Back: Bytes([]byte("y\n"))}}
		})
		check(t, err)
		w.want(t, tree{"f": want})
		if info, err := os.Stat(w.path("f")); err != nil || !info.ModTime().Equal(time.Unix(1e9, 0)) {
			t.Errorf("%q: its time is %v, %v", text, info.ModTime(), err)
		}
		step := a.Steps[0].(Append)
		if got := want[step.Offset : step.Offset+step.Added.Size]; got != "x\n" || ContentOf([]byte(got)) != step.Added {
			t.Errorf("%q: noted %+v", text, step)
		}
		// Others go on, and still it is undone by a line of ours.
		check(t, os.WriteFile(w.path("f"), []byte(want+"later\n"), 0o600))
		p, err := w.shelf().Undo(context.Background(), a, Actor{})
		check(t, err)
		do(t, w.shelf(), p)
		w.want(t, tree{"f": want + "later\ny\n"})
	}
}

// What a crash left of a line is completed.
func TestAppendHalf(t *testing.T) {
	w := (&world{old: tree{"f": "a"}}).build(t)
	s := w.shelf()
	s.data.at = func(point string) error {
		if point != "append" {
			return nil
		}
		f, err := os.OpenFile(w.path("f"), os.O_APPEND|os.O_WRONLY, 0)
		check(t, err)
		_, err = f.WriteString("\nlo")
		check(t, errors.Join(err, f.Close()))
		panic("killed")
	}
	p, _ := w.plans(Append{File: w.path("f"), From: Bytes([]byte("long\n"))})
	func() {
		defer func() { _ = recover() }()
		do(t, s, p)
	}()
	_, err := w.shelf().Recover(context.Background())
	check(t, err)
	w.want(t, tree{"f": "a\nlong\n"})
}

// Others go on after a crash: our line is there, and not added again.
func TestAppendThenOthers(t *testing.T) {
	w := (&world{old: tree{"f": "a\n"}}).build(t)
	s := w.shelf()
	s.data.at = func(point string) error {
		if point == "appended" {
			panic("killed")
		}
		return nil
	}
	p, _ := w.plans(Append{File: w.path("f"), From: Bytes([]byte("ours\n")), Back: Bytes([]byte("undo\n"))})
	func() {
		defer func() { _ = recover() }()
		do(t, s, p)
	}()
	check(t, os.WriteFile(w.path("f"), []byte("a\nours\ntheirs\n"), 0o600))
	if a, err := w.shelf().Recover(context.Background()); err != nil || a.State != Done {
		t.Errorf("got %+v, %v", a, err)
	}
	w.want(t, tree{"f": "a\nours\ntheirs\n"})
}

// A copy that is not right is no reason to remove anything.
func TestMoveBadCopy(t *testing.T) {
	w := worlds()["trash across"].build(t)
	s := w.shelf()
	s.data.at = func(point string) error {
		if point == "copied" {
			parts, err := filepath.Glob(filepath.Join(w.data(), "trash", "1", "a", "*", ".*.part"))
			for _, part := range parts {
				err = errors.Join(err, os.WriteFile(part, []byte("{\"flipped\":1}"), 0o600))
			}
			return err
		}
		return nil
	}
	p, err := w.plan(w)
	check(t, err)
	if a, err := s.Do(context.Background(), p); err == nil || a.State != Dropped {
		t.Errorf("got %v, %s", err, a.State)
	}
	w.want(t, w.old)
	check(t, filepath.WalkDir(filepath.Join(w.data(), "trash"), func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			t.Errorf("%s stays", path)
		}
		return err
	}))
}

// Undo asks every step before it does any.
func TestUndoAsksAll(t *testing.T) {
	files := tree{"a": "a", "b": "b", "c": "c\n"}
	steps := func(w *world) []Step {
		return []Step{
			Move{From: w.path("a"), To: w.path("moved")},
			replaceStep(w, "b", "new"),
			Create{File: w.path("placed"), From: Bytes([]byte("placed"))},
			Append{File: w.path("c"), From: Bytes([]byte("x\n")), Back: Bytes([]byte("y\n"))},
		}
	}
	for name, change := range map[string]tree{
		"moved": {"moved": "changed"}, "replaced": {"b": "changed"}, "placed": {"placed": "changed"},
		"appended": {"c": "c\n"}, "in the way": {"a": "theirs"}, "gone": {"moved": ""},
	} {
		w, a, err := try(t, files, steps)
		check(t, err)
		for file, text := range change {
			if text == "" {
				check(t, os.Remove(w.path(file)))
				continue
			}
			check(t, os.WriteFile(w.path(file), []byte(text), 0o600))
		}
		before := w.snapshot(t)
		if _, err := w.shelf().Undo(context.Background(), a, Actor{}); !errors.Is(err, ErrChanged) && !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: got %v", name, err)
		}
		w.want(t, before)
	}
}

// No step leads to secrets, or by a link out of the home.
func TestGuard(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	outside := t.TempDir()
	check(t, os.WriteFile(filepath.Join(outside, "f"), []byte("f"), 0o600))
	check(t, os.Mkdir(filepath.Join(outside, "p"), 0o700))
	files := tree{
		"a": "a", ".credentials.json": "secret", "deep/x": "x", "projects/-w/s.jsonl": "s",
		"deep/ide/1.lock": "secret", "session-env/s/hook.sh": "secret",
	}
	build := func() *world {
		w := (&world{old: files}).build(t)
		check(t, os.Symlink(outside, w.path("deep/out")))
		check(t, os.Symlink(filepath.Join(outside, "f"), w.path("deep/f")))
		check(t, os.Symlink(w.path(".credentials.json"), w.path("secret")))
		check(t, os.Symlink(filepath.Join(outside, "p"), w.path("projects/-linked")))
		return w
	}
	for _, name := range []string{
		".credentials.json", "secret", "deep/f", "deep/out/f", "deep/out/new", "deep/out/p/new", "../outside", "x.key", "ide/2.lock",
	} {
		for _, step := range []func(w *world, path string) Step{
			func(w *world, path string) Step {
				return Replace{File: path, Before: ContentOf([]byte("f")), From: Bytes(nil)}
			},
			func(w *world, path string) Step { return Append{File: path, From: Bytes([]byte("x"))} },
			func(w *world, path string) Step { return Create{File: path, From: Bytes([]byte("x"))} },
			func(w *world, path string) Step { return Move{From: path, To: w.path("moved")} },
			func(w *world, path string) Step { return Move{From: w.path("a"), To: path} },
		} {
			w := build()
			refused(t, w, step(w, w.path(name)))
		}
	}
	// A directory that holds secrets.
	for _, name := range []string{"deep", "session-env"} {
		w := build()
		refused(t, w, Move{From: w.path(name), To: w.path("moved")})
	}
	// The owner's own links are followed.
	w := build()
	p, _ := w.plans(Create{File: w.path("projects/-linked/new.jsonl"), From: Bytes([]byte("x"))})
	do(t, w.shelf(), p)
	if text, err := os.ReadFile(filepath.Join(outside, "p", "new.jsonl")); err != nil || string(text) != "x" {
		t.Errorf("%q, %v", text, err)
	}
}

func refused(t *testing.T, w *world, step Step) {
	t.Helper()
	p, _ := w.plans(step)
	_, err := w.shelf().Do(context.Background(), p)
	if err == nil {
		t.Errorf("%#v was done", step)
		return
	}
	if !errors.Is(err, homefs.ErrDenied) && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, homefs.ErrNotRegular) && !errors.Is(err, fs.ErrExist) {
		t.Errorf("%s: got %v", step.file(), err)
	}
	w.want(t, w.snapshot(t).with(w.old))
}

// A link that is put in the way after the plan was made leads nowhere either.
func TestGuardLater(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	outside := t.TempDir()
	for _, name := range []string{"replace", "place", "mixed"} {
		w := worlds()[name].build(t)
		p, err := w.plan(w)
		check(t, err)
		s := w.shelf()
		s.data.at = func(point string) error {
			if point == "journal written begun" {
				check(t, os.Rename(w.home(), w.home()+"2"))
				check(t, os.Mkdir(w.home(), 0o700))
				check(t, filepath.WalkDir(w.home()+"2", func(path string, e fs.DirEntry, err error) error {
					if rest := strings.TrimPrefix(path, w.home()+"2"); rest != "" && !e.IsDir() {
						check(t, os.MkdirAll(filepath.Dir(w.home()+rest), 0o700))
						check(t, os.Symlink(outside, w.home()+rest))
					}
					return err
				}))
			}
			return nil
		}
		if _, err := s.Do(context.Background(), p); err == nil && name != "place" {
			t.Errorf("%s was done", name)
		}
		if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
			t.Errorf("%s wrote %v, %v", name, left, err)
		}
	}
}

// A directory that another process makes meanwhile is no link to nowhere.
func TestRealDirMeanwhile(t *testing.T) {
	for range 300 {
		dir := filepath.Join(t.TempDir(), "data")
		made := make(chan error, 1)
		go func() { made <- os.Mkdir(dir, 0o700) }()
		if _, err := realDir(dir); err != nil {
			t.Fatal(err)
		}
		if err := <-made; err != nil {
			t.Fatal(err)
		}
	}
}

// Undoing a batch leaves out what was undone already: a second undo of that act
// would do it again.
func TestTogetherLeavesUndone(t *testing.T) {
	w := (&world{old: tree{"a": "a", "b": "b", "c": "c"}}).build(t)
	s, ctx := w.shelf(), context.Background()
	var acts []Act
	for _, name := range []string{"a", "b", "c"} {
		p, _ := w.plans(Move{From: w.path(name), To: w.path("moved/" + name)})
		p.Batch = "one command"
		acts = append(acts, do(t, s, p))
	}
	back, err := s.Undo(ctx, acts[1], Actor{})
	check(t, err)
	do(t, s, back)
	list, err := s.Journal.BatchOf(acts[2])
	check(t, err)
	var left []int
	for _, a := range list {
		left = append(left, a.ID)
	}
	if want := []int{acts[2].ID, acts[0].ID}; !slices.Equal(left, want) {
		t.Errorf("acts %v can be undone, want %v", left, want)
	}
}
