package api_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep/internal/access"
)

// hurt writes a session whose transcript has a line that was cut off, and gives its
// id and its file.
func hurt(w *world) (id, file string) {
	w.t.Helper()
	id = "da3a9ed0-0000-4000-8000-000000000000"
	dir := filepath.Join(w.home, "projects", "-srv-hurt")
	w.must(os.MkdirAll(dir, 0o700))
	line := func(uuid, parent, text string) string {
		return `{"type":"user","uuid":"` + uuid + `","parentUuid":` + parent + `,"sessionId":"` + id + `","cwd":"/srv/hurt","timestamp":"2026-11-15T09:00:00Z","message":{"role":"user","content":"` + text + `"}}` + "\n"
	}
	first, second := "da3a9ed0-0000-4000-8000-00000000000a", "da3a9ed0-0000-4000-8000-00000000000b"
	file = filepath.Join(dir, id+".jsonl")
	w.must(os.WriteFile(file, []byte(line(first, "null", "one")+`{"type":"user","uuid":"x","mess`+line(second, `"`+first+`"`, "two")), 0o600))
	w.must(w.app.Index.Refresh(w.t.Context()))
	return id, file
}

// What is damaged is found, mended and put back; a dry run changes nothing.
func TestMend(t *testing.T) {
	w := newWorld(t)
	id, file := hurt(w)
	type checked struct {
		Sessions []struct {
			Findings   []jsonText
			Repairable bool
		}
		CheckedCount, DamagedCount int
	}
	if all := get[checked](w, "/check"); all.DamagedCount == 0 || all.CheckedCount < 2 {
		t.Errorf("a check of everything finds %+v", all)
	}
	for _, path := range []string{"/check?session=" + id, "/check?project=-srv-hurt"} {
		if one := get[checked](w, path); one.CheckedCount != 1 || len(one.Sessions) != 1 || len(one.Sessions[0].Findings) == 0 || !one.Sessions[0].Repairable {
			t.Errorf("%s finds %+v", path, one)
		}
	}
	before, err := os.ReadFile(file)
	w.must(err)
	type repaired struct {
		Files  []jsonText
		ActID  int
		DryRun bool
	}
	same := func() bool {
		now, err := os.ReadFile(file)
		w.must(err)
		return string(now) == string(before)
	}
	if dry := do[repaired](w, access.Manage, "POST", "/sessions/"+id+"/repair?dryRun=true", "", 200); len(dry.Files) != 1 || dry.ActID != 0 || !dry.DryRun || !same() {
		t.Errorf("a dry run: %+v, the file is as it was: %v", dry, same())
	}
	done := do[repaired](w, access.Manage, "POST", "/sessions/"+id+"/repair", "", 200)
	if done.ActID == 0 || same() {
		t.Errorf("%+v, the file is as it was: %v", done, same())
	}
	if one := get[checked](w, "/check?session="+id); len(one.Sessions[0].Findings) != 0 {
		t.Errorf("it still has %s", one.Sessions[0].Findings)
	}
	do[map[string]any](w, access.Manage, "POST", "/undo?id="+itoa(done.ActID), "", 200)
	if !same() {
		t.Error("it is not as it was")
	}
}

// A conversation becomes a session of its own, once it is no dry run.
func TestBranch(t *testing.T) {
	w := newWorld(t)
	for _, s := range get[sessionPage](w, "/sessions?limit=500").Sessions {
		list := get[struct {
			Conversations []struct {
				Leaf        string
				PromptCount int
			}
		}](w, "/sessions/"+s.ID+"/conversations").Conversations
		if len(list) < 2 {
			continue
		}
		type branched struct {
			SessionID, ForkedFrom, Leaf string
			PromptCount, ActID          int
		}
		body := `{"leaf":"` + list[1].Leaf + `","title":"another way"}`
		dry := do[branched](w, access.Manage, "POST", "/sessions/"+s.ID+"/branch?dryRun=true", body, 200)
		if r := w.ask(access.Read, "GET", "/sessions/"+dry.SessionID, ""); r.status != http.StatusNotFound || dry.ActID != 0 {
			t.Errorf("a dry run made %s: %d", dry.SessionID, r.status)
		}
		made := do[branched](w, access.Manage, "POST", "/sessions/"+s.ID+"/branch", body, 200)
		now := get[struct {
			Title       string
			PromptCount int
		}](w, "/sessions/"+made.SessionID)
		if made.ForkedFrom != s.ID || made.PromptCount != list[1].PromptCount || now.PromptCount != list[1].PromptCount || now.Title != "another way" {
			t.Errorf("%+v is %+v, want %d prompts", made, now, list[1].PromptCount)
		}
		do[map[string]any](w, access.Manage, "POST", "/sessions/"+s.ID+"/branch", `{"leaf":"nope"}`, 404)
		do[map[string]any](w, access.Manage, "POST", "/sessions/"+s.ID+"/branch", `{"leaf":""}`, 400)
		return
	}
	t.Error("no session has two conversations")
}

// The number of days is in the settings, and everything else in them as it was.
func TestRetention(t *testing.T) {
	w := newWorld(t)
	file := filepath.Join(w.home, "settings.json")
	before, _ := os.ReadFile(file)
	type result struct{ Changed, Failed, Total int }
	if dry := do[result](w, access.Operate, "PUT", "/keep/retention", `{"days":365,"dryRun":true}`, 200); dry.Changed != 1 {
		t.Errorf("a dry run: %+v", dry)
	}
	if now, _ := os.ReadFile(file); string(now) != string(before) {
		t.Error("a dry run changed the settings")
	}
	do[result](w, access.Operate, "PUT", "/keep/retention", `{"days":365}`, 200)
	now, _ := os.ReadFile(file)
	type page struct {
		Homes    []struct{ Days int }
		Problems []struct{ Root, File, Reason string }
	}
	told := get[page](w, "/keep/retention")
	if !strings.Contains(string(now), `"cleanupPeriodDays": 365`) || len(told.Homes) != 1 || told.Homes[0].Days != 365 || told.Problems == nil || len(told.Problems) > 0 {
		t.Errorf("the settings are %s, told is %+v", now, told)
	}
	if again := do[result](w, access.Operate, "PUT", "/keep/retention", `{"days":365}`, 200); again.Changed != 0 {
		t.Errorf("once more: %+v", again)
	}
	do[map[string]any](w, access.Operate, "PUT", "/keep/retention", `{"days":0}`, 400)
	do[map[string]any](w, access.Operate, "PUT", "/keep/retention", `{"days":9,"root":"/nowhere"}`, 404)
	do[map[string]any](w, access.Manage, "PUT", "/keep/retention", `{"days":9}`, 403)

	// Settings that are no JSON do not count, and that is told.
	if err := os.WriteFile(file, []byte(`{"cleanupPeriodDays": 365,,}`), 0o600); err != nil {
		t.Fatal(err)
	}
	told = get[page](w, "/keep/retention")
	if len(told.Homes) != 1 || told.Homes[0].Days != 30 || len(told.Problems) != 1 {
		t.Fatalf("with settings that are no JSON: %+v", told)
	}
	if p := told.Problems[0]; p.Root != w.home || filepath.Base(p.File) != "settings.json" || p.Reason == "" {
		t.Errorf("it names %+v", p)
	}
}

// The sessions of a folder that was moved are those of its new path.
func TestMoveProject(t *testing.T) {
	w := newWorld(t)
	id, _ := hurt(w)
	to := filepath.Join(t.TempDir(), "mended")
	type moved struct {
		Homes []struct {
			Changed bool
			ActID   int
		}
	}
	body := `{"to":` + quoted(to) + `,"dryRun":true}`
	r := w.ask(access.Operate, "POST", "/projects/-srv-hurt/move", body)
	if r.status == http.StatusConflict { // a client of the sample home runs
		w.must(os.RemoveAll(filepath.Join(w.home, "sessions")))
	}
	if dry := do[moved](w, access.Operate, "POST", "/projects/-srv-hurt/move", body, 200); len(dry.Homes) != 1 || dry.Homes[0].ActID != 0 {
		t.Errorf("a dry run: %+v", dry)
	}
	dir := func() string { return get[struct{ DirName string }](w, "/sessions/"+id).DirName }
	if got := dir(); got != "-srv-hurt" {
		t.Errorf("after a dry run it is in %s", got)
	}
	do[moved](w, access.Operate, "POST", "/projects/-srv-hurt/move", `{"to":`+quoted(to)+`}`, 200)
	if got := dir(); !strings.HasSuffix(got, "-mended") {
		t.Errorf("it is in %s", got)
	}
	do[map[string]any](w, access.Operate, "POST", "/projects/-srv-hurt/move", `{"to":"relative"}`, 400)
	do[map[string]any](w, access.Operate, "POST", "/projects/nope/move", `{"to":`+quoted(to)+`}`, 404)
}

// A project whose path nobody knows is not moved: it could be any folder.
func TestMoveUnknownPath(t *testing.T) {
	w := newWorld(t)
	dir := filepath.Join(w.home, "projects", "-srv-nowhere")
	w.must(os.MkdirAll(dir, 0o700))
	line := `{"type":"user","uuid":"a","parentUuid":null,"timestamp":"2026-11-01T10:00:00.000Z","message":{"role":"user","content":"where am I?"}}` + "\n"
	w.must(os.WriteFile(filepath.Join(dir, "77777777-0000-4000-8000-000000000000.jsonl"), []byte(line), 0o600))
	w.must(os.RemoveAll(filepath.Join(w.home, "sessions"))) // no client of the home runs
	before := tree(w)
	r := w.ask(access.Operate, "POST", "/projects/-srv-nowhere/move", `{"to":"/srv/there"}`)
	if p := problemIn(t, r); r.status != 400 || p.Field != "project" || !strings.Contains(p.Detail, "its path is not known") {
		t.Errorf("%d %+v", r.status, p)
	}
	if names := differing(before, tree(w)); len(names) > 0 {
		t.Errorf("what was refused changed %q", names)
	}
}
