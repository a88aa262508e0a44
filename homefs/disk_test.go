package homefs_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/storetest"
)

const diskHome = `
-- projects/-w/` + sessionA + `.jsonl --
{"type":"user","uuid":"a","sessionId":"s","message":{"content":"hi"}}
-- settings.json --
{}
-- .credentials.json --
hush
-- session-env/s/env.sh --
hush
`

// link makes a symbolic link, or skips the test where there are none.
func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skip(err)
	}
}

// wantRead expects the file to be readable as a transcript of one line.
func wantRead(t *testing.T, s *sesskeep.Store, name string) {
	t.Helper()
	d, err := s.Digest(name)
	if err != nil || d.Entries != 1 {
		t.Errorf("%s: %d entries, %v", name, d.Entries, err)
	}
}

// wantRefused expects that nothing of the file comes out.
func wantRefused(t *testing.T, s *sesskeep.Store, name string, want error) {
	t.Helper()
	data, err := s.Files().ReadFile(name, 1<<20)
	if err == nil || len(data) > 0 {
		t.Errorf("%s was read: %q", name, data)
	}
	if want != nil && !errors.Is(err, want) {
		t.Errorf("%s: %v, want %v", name, err, want)
	}
}

func refFiles(f sesskeep.Folder) string {
	var names []string
	for _, ref := range f.Refs {
		names = append(names, filepath.Base(ref.File))
	}
	return strings.Join(names, " ")
}

func TestOpenMissingHome(t *testing.T) {
	for _, dir := range []string{filepath.Join(t.TempDir(), "gone"), filepath.Join(storetest.Home(t, diskHome), "settings.json")} {
		_, err := sesskeep.Open(dir)
		var e *fs.PathError
		if !errors.As(err, &e) || e.Op != "open" || e.Path != dir {
			t.Errorf("open %s: %v", dir, err)
		}
	}
}

// The home itself, its projects and each project may lie elsewhere.
func TestLinkedDirectories(t *testing.T) {
	file := "projects/-w/" + sessionA + ".jsonl"
	t.Run("home", func(t *testing.T) {
		name := filepath.Join(t.TempDir(), "home")
		link(t, storetest.Home(t, diskHome), name)
		s := openDir(t, name)
		wantRead(t, s, file)
		wantRefused(t, s, ".credentials.json", homefs.ErrDenied)
		if s.Root() != name || s.Path("a/b") != filepath.Join(name, "a", "b") {
			t.Errorf("root %s, path %s", s.Root(), s.Path("a/b"))
		}
	})
	t.Run("projects", func(t *testing.T) {
		dir := t.TempDir()
		link(t, filepath.Join(storetest.Home(t, diskHome), "projects"), filepath.Join(dir, "projects"))
		s := openDir(t, dir)
		wantRead(t, s, file)
		folders, err := s.Folders()
		if err != nil || len(folders) != 1 || refFiles(folders[0]) != sessionA+".jsonl" {
			t.Errorf("%+v %v", folders, err)
		}
	})
	t.Run("project", func(t *testing.T) {
		dir := storetest.Home(t, "-- projects/.keep --\n")
		link(t, filepath.Join(storetest.Home(t, diskHome), "projects", "-w"), filepath.Join(dir, "projects", "-w"))
		s := openDir(t, dir)
		wantRead(t, s, file)
		folders, err := s.Folders()
		if err != nil || len(folders) != 1 || refFiles(folders[0]) != sessionA+".jsonl" {
			t.Errorf("%+v %v", folders, err)
		}
	})
	t.Run("project in linked projects", func(t *testing.T) {
		other := storetest.Home(t, "-- projects/.keep --\n")
		link(t, filepath.Join(storetest.Home(t, diskHome), "projects", "-w"), filepath.Join(other, "projects", "-w"))
		dir := t.TempDir()
		link(t, filepath.Join(other, "projects"), filepath.Join(dir, "projects"))
		wantRead(t, openDir(t, dir), file)
	})
	t.Run("settings", func(t *testing.T) {
		dir := t.TempDir()
		link(t, filepath.Join(storetest.Home(t, diskHome), "settings.json"), filepath.Join(dir, "settings.json"))
		if _, err := openDir(t, dir).Files().ReadFile("settings.json", 10); err != nil {
			t.Error(err)
		}
	})
	t.Run("in a circle", func(t *testing.T) {
		dir := storetest.Home(t, diskHome)
		link(t, "..", filepath.Join(dir, "projects", "-up"))
		link(t, "loop", filepath.Join(dir, "projects", "loop"))
		s := openDir(t, dir)
		wantRead(t, s, file)
		wantRefused(t, s, "projects/-up/.credentials.json", homefs.ErrDenied)
		wantRefused(t, s, "projects/loop/x.jsonl", nil)
		if _, err := s.Folders(); err != nil {
			t.Error(err)
		}
	})
}

// A transcript may be a link to a file beside it; out of the home, or to a
// secret, no link deep inside leads.
func TestLinkedFiles(t *testing.T) {
	dir := storetest.Home(t, diskHome)
	outside := storetest.Home(t, "-- secret.jsonl --\n{\"type\":\"user\"}\n-- dir/x.jsonl --\n{}\n")
	folder := filepath.Join(dir, "projects", "-w")
	at := func(n string) string {
		return filepath.Join(folder, "00000000-0000-4000-8000-00000000000"+n+".jsonl")
	}
	name := func(n string) string {
		return "projects/-w/00000000-0000-4000-8000-00000000000" + n + ".jsonl"
	}
	link(t, sessionA+".jsonl", at("1"))
	link(t, filepath.Join(folder, sessionA+".jsonl"), at("0"))
	link(t, filepath.Join(outside, "secret.jsonl"), at("2"))
	link(t, "../../.credentials.json", at("3"))
	link(t, filepath.Join(dir, ".credentials.json"), at("4"))
	link(t, "../../session-env/s/env.sh", at("5"))
	link(t, "gone.jsonl", at("6"))
	link(t, filepath.Base(at("7")), at("7"))
	link(t, filepath.Base(at("3")), at("8"))
	link(t, ".", at("9"))
	link(t, filepath.Join(outside, "dir"), filepath.Join(folder, "deep"))
	link(t, "../session-env/s", filepath.Join(dir, "projects", "-env"))
	link(t, ".credentials.json", filepath.Join(dir, "other.json"))
	s := openDir(t, dir)

	wantRead(t, s, name("1"))
	wantRead(t, s, name("0"))
	wantRefused(t, s, name("2"), nil)
	wantRefused(t, s, name("3"), homefs.ErrDenied)
	wantRefused(t, s, name("4"), homefs.ErrDenied)
	wantRefused(t, s, name("5"), homefs.ErrDenied)
	wantRefused(t, s, name("6"), os.ErrNotExist)
	wantRefused(t, s, name("7"), nil)
	wantRefused(t, s, name("8"), homefs.ErrDenied)
	wantRefused(t, s, name("9"), homefs.ErrNotRegular)
	wantRefused(t, s, "projects/-w/deep/x.jsonl", nil)
	wantRefused(t, s, "projects/-env/env.sh", homefs.ErrDenied)
	wantRefused(t, s, "other.json", homefs.ErrDenied)

	f := s.Folder("-w")
	if !strings.Contains(refFiles(f), filepath.Base(at("0"))) {
		t.Errorf("a link by its full path is not listed: %s", refFiles(f))
	}
	for _, ref := range f.Refs {
		if n := filepath.Base(ref.File); n == filepath.Base(at("2")) || n == filepath.Base(at("6")) || n == filepath.Base(at("7")) || n == filepath.Base(at("9")) {
			t.Errorf("%s is listed", n)
		}
	}
	if len(f.Problems) < 4 {
		t.Errorf("problems: %v", f.Problems)
	}
}

// What is called like a transcript and is none must not stop a reader.
func TestNotRegular(t *testing.T) {
	dir := storetest.Home(t, diskHome+"-- projects/-w/"+sessionB+".jsonl/.keep --\n")
	pipe := goneSession + ".jsonl"
	makePipe(t, filepath.Join(dir, "projects", "-w", pipe))
	s := openDir(t, dir)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, name := range []string{sessionB + ".jsonl", pipe} {
			wantRefused(t, s, "projects/-w/"+name, homefs.ErrNotRegular)
			if _, err := s.Tail("projects/-w/"+name, homefs.Mark{}); !errors.Is(err, homefs.ErrNotRegular) {
				t.Errorf("tail %s: %v", name, err)
			}
		}
		f := s.Folder("-w")
		if refFiles(f) != sessionA+".jsonl" || len(f.Problems) != 2 {
			t.Errorf("listed %s, problems %v", refFiles(f), f.Problems)
		}
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("a pipe blocks the reader")
	}
}

// What may not be read is told, and the rest is read.
func TestUnreadable(t *testing.T) {
	dir := storetest.Home(t, diskHome+"-- projects/-w/"+sessionB+".jsonl --\n{}\n-- projects/-x/"+sessionB+".jsonl --\n{}\n")
	for _, name := range []string{"projects/-w/" + sessionB + ".jsonl", "projects/-x"} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.Chmod(file, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(file, 0o700) })
		if f, err := os.Open(file); err == nil {
			f.Close()
			t.Skip("this user may read everything")
		}
	}
	s := openDir(t, dir)
	wantRead(t, s, "projects/-w/"+sessionA+".jsonl")
	wantRefused(t, s, "projects/-w/"+sessionB+".jsonl", os.ErrPermission)
	folders, err := s.Folders()
	if err != nil || len(folders) != 2 || len(folders[0].Refs) != 2 || len(folders[1].Problems) != 1 {
		t.Errorf("%+v %v", folders, err)
	}
}

// A session that is renamed aside, or removed, between listing and reading.
func TestVanished(t *testing.T) {
	s := openHome(t, diskHome)
	f := s.Folder("-w")
	file := s.Path(f.Refs[0].File)
	if err := os.Rename(file, file+".orphaned-1794706833092"); err != nil {
		t.Fatal(err)
	}
	tail, err := s.Tail(f.Refs[0].File, homefs.Mark{})
	if err != nil || tail.Change != homefs.Gone {
		t.Fatalf("%+v %v", tail, err)
	}
	if _, ok := tail.Next(); ok {
		t.Error("an entry of a file that is gone")
	}
	if _, ok := tail.Rest(); ok {
		t.Error("a rest of a file that is gone")
	}
	if m, err := tail.Mark(); m != (homefs.Mark{}) || err != nil || tail.Err() != nil || tail.Close() != nil {
		t.Errorf("%+v %v", m, err)
	}
	if f := s.Folder("-w"); len(f.Refs) > 0 || len(f.Problems) > 0 {
		t.Errorf("%+v", f)
	}
	if got := s.Parent(sesskeep.Ref{File: "projects/-w/agent-x.jsonl", Agent: "x"}); got != "" {
		t.Errorf("parent of nothing: %q", got)
	}
}

// A secret stays one whatever leads to it: a link into another home, a link
// there, another name of the same file.
func TestSecretsBehindOtherNames(t *testing.T) {
	other := storetest.Home(t, diskHome)
	link(t, ".credentials.json", filepath.Join(other, "innocent.json"))
	link(t, "../session-env/s/env.sh", filepath.Join(other, "projects", "env.txt"))
	dir := storetest.Home(t, diskHome)
	link(t, filepath.Join(other, "innocent.json"), filepath.Join(dir, "settings.local.json"))
	link(t, filepath.Join(other, "projects", "env.txt"), filepath.Join(dir, "projects", "env.txt"))
	link(t, filepath.Join(other, "projects"), filepath.Join(dir, "projects", "-other"))
	for _, name := range []string{"copy.json", "projects/-w/" + sessionB + ".jsonl"} {
		if err := os.Link(filepath.Join(dir, ".credentials.json"), filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Link(filepath.Join(dir, "session-env", "s", "env.sh"), filepath.Join(dir, "env.txt")); err != nil {
		t.Fatal(err)
	}
	s := openDir(t, dir)
	for _, name := range []string{"settings.local.json", "projects/env.txt", "projects/-other/env.txt", "copy.json",
		"projects/-w/" + sessionB + ".jsonl", "env.txt"} {
		wantRefused(t, s, name, homefs.ErrDenied)
	}
	// Two names alone are no secret, not even for a name that comes later.
	plain := filepath.Join(dir, "projects", "-w", sessionA+".jsonl")
	if err := os.Link(plain, filepath.Join(dir, "kept.jsonl")); err != nil {
		t.Fatal(err)
	}
	wantRead(t, s, "projects/-w/"+sessionA+".jsonl")
	if err := os.Rename(filepath.Join(dir, "kept.jsonl"), filepath.Join(dir, "private.key")); err != nil {
		t.Fatal(err)
	}
	wantRefused(t, s, "projects/-w/"+sessionA+".jsonl", homefs.ErrDenied)
}

// What is secret in one home is so in every other, whatever name a hard link gives it
// there, also after the home was replaced, in a second Store, and for names that come later.
func TestSecretsOfOtherHomes(t *testing.T) {
	other := storetest.Home(t, diskHome)
	dir := storetest.Home(t, diskHome)
	another := func(secret, name string) {
		t.Helper()
		if err := os.Link(filepath.Join(other, filepath.FromSlash(secret)), filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Skip(err)
		}
	}
	names := []string{"copy.json", "projects/-w/" + sessionB + ".jsonl", "env.txt"}
	another(".credentials.json", names[0])
	another(".credentials.json", names[1])
	another("session-env/s/env.sh", names[2])
	s := openDir(t, dir)
	s.Files().Beside(filepath.Join(dir, "nowhere"), other, dir)
	refused := func(s *sesskeep.Store) {
		t.Helper()
		for _, name := range names {
			wantRefused(t, s, name, homefs.ErrDenied)
		}
		wantRead(t, s, "projects/-w/"+sessionA+".jsonl")
	}
	refused(s)
	second, err := s.Files().Reopen()
	if err != nil {
		t.Fatal(err)
	}
	refused(s.With(second))
	refused(s.With(s.Files().Disk()))
	if err := os.Rename(dir, dir+".moved"); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(dir+".moved")); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
	another(".credentials.json", names[0])
	another(".credentials.json", names[1])
	another("session-env/s/env.sh", names[2])
	if changed, err := s.Files().Renew(); err != nil || !changed {
		t.Fatalf("the home was replaced: %v, %v", changed, err)
	}
	refused(s)
	if err := os.WriteFile(filepath.Join(other, "late.key"), []byte("hush"), 0o600); err != nil {
		t.Fatal(err)
	}
	another("late.key", "late.txt")
	wantRefused(t, s, "late.txt", homefs.ErrDenied)
}

// A pipe, or a link to one, in the place of anything never keeps a reader
// waiting.
func TestPipesInTheHome(t *testing.T) {
	dir := storetest.Home(t, diskHome)
	pipe := filepath.Join(t.TempDir(), "pipe")
	makePipe(t, pipe)
	makePipe(t, filepath.Join(dir, "history.jsonl"))
	link(t, pipe, filepath.Join(dir, "todos"))
	link(t, pipe, filepath.Join(dir, "projects", "-piped"))
	link(t, "/dev/zero", filepath.Join(dir, "settings.local.json"))
	done := make(chan struct{})
	go func() {
		defer close(done)
		s, err := sesskeep.Open(dir)
		if err != nil {
			t.Error(err)
			return
		}
		for _, name := range []string{"history.jsonl", "todos", "projects/-piped", "settings.local.json"} {
			wantRefused(t, s, name, homefs.ErrNotRegular)
		}
		if folders, err := s.Folders(); err != nil || len(folders) == 0 {
			t.Error(folders, err)
		}
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("a pipe blocks the reader")
	}
}

// A home that was put in the place of the opened one has files of the same names: none of
// them is taken for the one that was looked at, until the home is opened again.
func TestReplacedHome(t *testing.T) {
	root := storetest.Home(t, "-- plans/a.md --\nold\n")
	home, err := homefs.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Rename(root, root+".old"), os.CopyFS(root, os.DirFS(root+".old"))); err != nil {
		t.Fatal(err)
	}
	if f, err := home.Open("plans/a.md"); err == nil {
		t.Errorf("opened %v, before the home was opened again", f)
	}
	if changed, err := home.Renew(); err != nil || !changed {
		t.Fatal(changed, err)
	}
	if data, err := home.ReadFile("plans/a.md", 10); err != nil || string(data) != "old\n" {
		t.Errorf("%q, %v", data, err)
	}
}
