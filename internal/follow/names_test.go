package follow

import (
	"testing"

	"sesskeep"
	"sesskeep/internal/live"
)

// A transcript that says nothing yet, as that of a /branch (2.1.325), is of the
// project that others in its directory are of.
func TestProjectOfNewcomer(t *testing.T) {
	n := newNames(&Sources{})
	first := Event{Root: "/home", Key: sesskeep.Key{Session: "11111111-0000-4000-8000-000000000000"}, File: "projects/-w-app/11111111-0000-4000-8000-000000000000.jsonl"}
	n.learn(&live.Event{Root: first.Root, Key: first.Key, File: first.File, Entries: []sesskeep.Entry{{Cwd: "/w/app"}}})
	n.fill(&first)
	branch := Event{Root: "/home", Key: sesskeep.Key{Session: "22222222-0000-4000-8000-000000000000"}, File: "projects/-w-app/22222222-0000-4000-8000-000000000000.jsonl"}
	n.fill(&branch)
	if branch.Project != first.Project || branch.ProjectPath != "/w/app" {
		t.Errorf("got %s at %q, want %s", branch.Project, branch.ProjectPath, first.Project)
	}
	elsewhere := Event{Root: "/home", Session: "33333333-0000-4000-8000-000000000000", File: "projects/-w-lib/33333333-0000-4000-8000-000000000000.jsonl"}
	if n.fill(&elsewhere); elsewhere.ProjectPath != "" {
		t.Errorf("another directory is %q", elsewhere.ProjectPath)
	}
}
