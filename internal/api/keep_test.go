package api_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"sesskeep/internal/access"
)

// What was deleted is listed, kept, and put back byte for byte.
func TestKeep(t *testing.T) {
	w := newWorld(t)
	before := get[counts](w, "/sessions/count")
	do[map[string]any](w, access.Manage, http.MethodPost, "/keep/now", "", 200)
	status := get[struct{ SessionCount, CoveredCount, MissingSize int }](w, "/keep")
	if status.SessionCount == 0 || status.CoveredCount != status.SessionCount || status.MissingSize != 0 {
		t.Fatalf("after keeping everything: %+v", status)
	}
	verified := get[struct {
		SessionCount, VersionCount int
		Flaws                      []any
	}](w, "/keep/verify")
	if verified.SessionCount < status.SessionCount || verified.VersionCount == 0 || len(verified.Flaws) != 0 {
		t.Errorf("the copies are %+v", verified)
	}
	const id = "39877941-aab8-4b02-abd4-e7471d0664fc"
	file := filepath.Join(w.home, filepath.FromSlash(get[struct{ File string }](w, "/sessions/"+id+"/raw?limit=1").File))
	want, err := os.ReadFile(file)
	w.must(err)
	w.must(os.Remove(file))
	w.must(w.app.Index.Refresh(t.Context()))
	if after := get[counts](w, "/sessions/count"); after != before {
		t.Errorf("%+v sessions are left of %+v", after, before)
	}
	if s := get[struct{ Origin string }](w, "/sessions/"+id); s.Origin != "copy" {
		t.Errorf("its origin is %q", s.Origin)
	}
	type page struct {
		Sessions []struct{ ID string }
		Total    int
	}
	if gone := get[page](w, "/keep/gone"); gone.Total != 1 || gone.Sessions[0].ID != id {
		t.Errorf("gone are %+v", gone)
	}
	if r := do[struct{ RestoredCount int }](w, access.Manage, http.MethodPost, "/keep/"+id+"/restore?dryRun=true", "", 200); r.RestoredCount != 1 {
		t.Errorf("it would put back %d files", r.RestoredCount)
	}
	if _, err := os.Stat(file); err == nil {
		t.Fatal("a dry run put it back")
	}
	do[map[string]any](w, access.Manage, http.MethodPost, "/keep/"+id+"/restore", "", 200)
	if got, err := os.ReadFile(file); err != nil || string(got) != string(want) {
		t.Errorf("%d bytes came back of %d, %v", len(got), len(want), err)
	}
	if gone := get[page](w, "/keep/gone"); gone.Total != 0 {
		t.Errorf("gone are %+v", gone)
	}
	get[page](w, "/keep/expiring?days=7")
	do[map[string]any](w, access.Manage, http.MethodPost, "/keep/ffffffff/restore", "", 404)
}
