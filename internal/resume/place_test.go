package resume_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"sesskeep/internal/app"
	"sesskeep/internal/errcode"
	"sesskeep/internal/runs"
	"sesskeep/internal/storetest"
)

// Where everything is below a directory that the server was started with, nothing is run
// in the user's home itself, at the root, in directories of ours, or in those of others.
func TestRunPlaceNever(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	storetest.Must(t, err)
	dir := func(name string) string {
		path := filepath.Join(top, name)
		storetest.Must(t, os.MkdirAll(path, 0o700))
		return path
	}
	ours, work, link, others := dir("data/runs"), dir("work"), filepath.Join(top, "link"), dir("others")
	storetest.Must(t, os.Symlink(ours, link))
	a, err := app.Open(app.Options{Roots: []string{storetest.Home(t, "-- projects/-w/x.jsonl --\n")}})
	storetest.Must(t, err)
	defer a.Close()
	places := runs.AllowedDirs{Roots: []string{"/"}, Never: []string{filepath.Dir(ours)}, Home: top}
	want := map[string]errcode.Code{work: "", "/": errcode.Denied, top: errcode.Denied, ours: errcode.Denied, filepath.Dir(ours): errcode.Denied, link: errcode.Denied}
	if os.Chown(others, 65534, 65534) == nil && runs.OwnDir(work) {
		want[others] = errcode.Denied
	} else {
		t.Log("only root can give a directory to another user: that of another user is not tried")
	}
	for path, code := range want {
		if place, err := a.Resume.Location(context.Background(), places, "", path); errcode.Of(err) != code {
			t.Errorf("run in %s: %+v, %v", path, place, err)
		}
	}
	places.Roots = nil
	if _, err := a.Resume.Location(context.Background(), places, "", work); errcode.Of(err) != errcode.Denied {
		t.Errorf("below no root: %v", err)
	}
}
