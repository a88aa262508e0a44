package versions_test

import (
	"os"
	"path/filepath"
	"testing"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/errcode"
	"sesskeep/internal/shelf"
	"sesskeep/internal/versions"
)

// A transcript chooses the path of a file and the directory it worked in. Only files below a project are
// written without --to, and nothing else is read either.
func TestPlaces(t *testing.T) {
	s := &script{t: t, home: t.TempDir(), files: map[string]*truth{}}
	s.r = newRand(1)
	base := t.TempDir()
	s.work = filepath.Join(base, "app")
	for _, dir := range []string{s.work + "/.git/hooks", s.work + "/sub", base + "/other"} {
		s.must(os.MkdirAll(dir, 0o755))
	}
	s.must(os.Symlink("../../other", s.work+"/sub/out"))
	s.must(os.Symlink(".", s.work+"/sub/in"))
	c := &scripted{id: s.id(), tracked: map[string]int{}}
	s.session = append(s.session, c)
	paths := map[string]bool{
		s.work + "/main.go": true, s.work + "/sub/new/deep.go": true, s.work + "/sub/in/x.go": true,
		base + "/other/x.go": false, s.work + "/sub/out/x.go": false, s.work + "/.git/hooks/pre-commit": false, s.work + "/../other/y.go": false, s.home + "/settings.json": false,
	}
	for path := range paths {
		c.ask(s)
		c.call(s, "Write", object{"file_path": path, "content": "evil\n"}, object{"type": "create", "filePath": path, "content": "evil\n", "originalFile": nil, "structuredPatch": []any{}}, false)
	}
	s.store()
	data := t.TempDir()
	a, err := app.Open(app.Options{Roots: []string{s.home}, Data: data, Shelf: shelf.New(data, s.clock), Now: s.clock})
	s.must(err)
	defer a.Close()
	for path, fine := range paths {
		out, err := a.Versions.Restore(t.Context(), acts.Doing{}, versions.RestoreRequest{Path: path, At: c.id})
		if fine != (err == nil) || !fine && errcode.Of(err) != errcode.Denied {
			t.Errorf("%s: %+v, %v", path, out, err)
		}
		if got, err := os.ReadFile(path); fine && (err != nil || string(got) != "evil\n") {
			t.Errorf("%s: %q, %v", path, got, err)
		} else if !fine && string(got) == "evil\n" {
			t.Errorf("%s was written", path)
		}
		if !fine {
			s.must(os.MkdirAll(filepath.Dir(filepath.Clean(path)), 0o755))
			s.must(os.WriteFile(path, []byte("secret\n"), 0o600))
			page, err := a.Versions.Blame(t.Context(), versions.BlameRequest{Path: path})
			if err != nil || page.Present || page.Lines[0].Text != "evil" {
				t.Errorf("%s was read: %+v, %v", path, page.Lines, err)
			}
		}
	}
}
