package api_test

import (
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"sesskeep/internal/access"
)

// What clients of cli-bridge asked for, by the number they gave it.
func TestRequirements(t *testing.T) {
	for _, r := range []struct {
		name string
		test func(*testing.T, *world)
		in   func(*testing.T) *world
	}{
		{"R1 one count of sessions", testOneCount, sharedWorld}, {"R2 total and hasMore", testTotals, sharedWorld}, {"R3 what source means", testSources, sharedWorld},
		{"R4 search", testFinding, sharedWorld}, {"R5 counts alone", testCounts, sharedWorld}, {"R6 those of users alone", testUsers, sharedWorld},
		{"R7 archive", testArchive, newWorld}, {"R8 lineage", testLineage, sharedWorld}, {"R9 many at once", testMany, newWorld},
	} {
		t.Run(r.name, func(t *testing.T) { r.test(t, r.in(t)) })
	}
}

func testOneCount(t *testing.T, w *world) {
	for _, p := range get[projectPage](w, "/projects").Projects {
		if list := get[sessionPage](w, "/projects/"+dashed(p.Path)+"/sessions?source=all&limit=500"); list.Total != p.SessionCount || len(list.Sessions) != p.SessionCount {
			t.Errorf("%s: sessionCount is %d, the list has %d of %d", p.ID, p.SessionCount, len(list.Sessions), list.Total)
		}
	}
}

func testTotals(t *testing.T, w *world) {
	total := get[sessionPage](w, "/sessions?source=all&limit=500").Total
	for from := 0; from <= total+1; from++ {
		page := get[sessionPage](w, fmt.Sprintf("/sessions?source=all&limit=1&offset=%d", from))
		if page.Total != total || page.HasMore != (from+1 < total) || len(page.Sessions) != min(1, max(0, total-from)) {
			t.Errorf("at %d: %d rows, hasMore %v, total %d of %d", from, len(page.Sessions), page.HasMore, page.Total, total)
		}
	}
}

func testSources(t *testing.T, w *world) {
	agents := 0
	for _, s := range get[sessionPage](w, "/sessions?source=all&limit=500").Sessions {
		if strings.HasPrefix(s.ID, "agent-") {
			if agents++; s.Source == "user" {
				t.Errorf("%s is of a user", s.ID)
			}
		}
	}
	if agents == 0 {
		t.Error("there are no agents")
	}
	doc, err := os.ReadFile("../../docs/api.md")
	w.must(err)
	_, rule, _ := strings.Cut(string(doc), "### What `source` means")
	for _, word := range []string{"`user`", "`agent`", "`helper`", "`agent-*`", "Warmup", "`source=all`"} {
		if !strings.Contains(rule, word) {
			t.Errorf("docs/api.md says nothing of %s", word)
		}
	}
}

func testFinding(t *testing.T, w *world) {
	type found struct {
		Results []struct{ SessionID string }
	}
	type page struct {
		Sessions []struct{ ID, ProjectPath, Title, LastUserMessage, LastAssistantMessage string }
	}
	sought := 0
	for _, s := range get[page](w, "/sessions?limit=500").Sessions {
		for _, text := range []string{s.Title, s.LastUserMessage, s.LastAssistantMessage} {
			words := strings.FieldsFunc(text, func(r rune) bool { return r < 'a' || r > 'z' })
			if len(words) < 3 || s.ProjectPath == "" {
				continue
			}
			sought++
			results := get[found](w, "/projects/"+dashed(s.ProjectPath)+"/sessions/search?limit=500&q="+url.QueryEscape(words[1])).Results
			there := false
			for _, r := range results {
				there = there || r.SessionID == s.ID
			}
			if !there {
				t.Errorf("%s is not found by %q of %q", s.ID, words[1], text)
			}
		}
	}
	if sought == 0 {
		t.Error("nothing was sought")
	}
}

func testCounts(t *testing.T, w *world) {
	for _, p := range get[projectPage](w, "/projects").Projects {
		c := get[counts](w, "/projects/"+p.ID+"/sessions/count")
		if c.User != p.Counts.User || c.Agent != p.Counts.Agent || c.Helper != p.Counts.Helper {
			t.Errorf("%s: %+v, the project says %+v", p.ID, c, p)
		}
		if c := get[counts](w, "/projects/"+dashed(p.Path)+"/sessions/count"); c.Total != p.SessionCount {
			t.Errorf("%s: %+v by its dashed form, the project says %+v", p.ID, c, p)
		}
	}
}

func testUsers(t *testing.T, w *world) {
	for _, query := range []string{"", "?source=user"} {
		page := get[sessionPage](w, "/sessions"+query)
		for _, s := range page.Sessions {
			if s.Source != "user" || s.IsAgent {
				t.Errorf("%s is of source %s", s.ID, s.Source)
			}
		}
	}
	person, program := get[sessionPage](w, "/sessions?started=person").Total, get[sessionPage](w, "/sessions?started=program").Total
	if all := get[sessionPage](w, "/sessions").Total; person+program > all || person == 0 {
		t.Errorf("%d by people and %d by programs of %d", person, program, all)
	}
}

func testArchive(t *testing.T, w *world) {
	id := get[sessionPage](w, "/sessions?state=ended&limit=1").Sessions[0].ID
	before := get[counts](w, "/sessions/count")
	do[row](w, access.Manage, "POST", "/sessions/"+id+"/archive", "", 200)
	if after := get[counts](w, "/sessions/count"); after.User != before.User-1 {
		t.Errorf("%+v sessions after %+v", after, before)
	}
	only := get[sessionPage](w, "/sessions?archivedOnly=true")
	too := get[sessionPage](w, "/sessions?includeArchived=true")
	if only.Total != 1 || only.Sessions[0].ID != id || too.Total != before.User {
		t.Errorf("%d are archived, %d with them", only.Total, too.Total)
	}
	do[row](w, access.Manage, "POST", "/sessions/"+id+"/unarchive", "", 200)
	if after := get[counts](w, "/sessions/count"); after != before {
		t.Errorf("%+v sessions after %+v", after, before)
	}
}

func testLineage(t *testing.T, w *world) {
	type page struct {
		Sessions []struct {
			ID, ParentSessionID string
			AgentSessions       []string
		}
		Total int
	}
	children := 0
	for _, s := range get[page](w, "/sessions?limit=500").Sessions {
		list := get[page](w, "/sessions/"+s.ID+"/children?limit=500")
		for _, child := range list.Sessions {
			children++
			if child.ParentSessionID != s.ID {
				t.Errorf("%s is a child of %s and says %s", child.ID, s.ID, child.ParentSessionID)
			}
		}
		// What an agent did in the file of its session is no session of its own.
		s.AgentSessions = slices.DeleteFunc(s.AgentSessions, func(id string) bool { return strings.HasPrefix(id, "inline-") })
		if again := get[page](w, "/sessions?source=all&parentSessionId="+s.ID); again.Total != list.Total || len(s.AgentSessions) != list.Total {
			t.Errorf("%s has %d children, %d by the filter, %d by its row", s.ID, list.Total, again.Total, len(s.AgentSessions))
		}
	}
	if children == 0 {
		t.Error("nobody has children")
	}
}

func testMany(t *testing.T, w *world) {
	sessions := get[sessionPage](w, "/sessions?state=ended&limit=2").Sessions
	ids := fmt.Sprintf(`{"sessionIds":[%q,%q],"operation":`, strings.ToUpper(sessions[0].ID), sessions[1].ID)
	type bulk struct{ Success, Failed []any }
	for _, op := range []string{`{"action":"update","customTitle":"One of two"}`, `{"action":"update","tags":["two"]}`} {
		if got := do[bulk](w, access.Manage, "POST", "/sessions/bulk", ids+op+"}", 200); len(got.Success) != 2 || len(got.Failed) > 0 {
			t.Errorf("%s: %+v", op, got)
		}
	}
	if tagged := get[sessionPage](w, "/sessions?tag=two"); tagged.Total != 2 {
		t.Errorf("%d have the tag", tagged.Total)
	}
	for _, s := range sessions {
		if got := get[row](w, "/sessions/"+s.ID); got.CustomTitle != "One of two" {
			t.Errorf("%s is called %q", s.ID, got.CustomTitle)
		}
	}
}
