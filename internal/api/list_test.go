package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"sesskeep/internal/access"
)

type session struct {
	ID             string `json:"id"`
	ProjectPath    string `json:"projectPath"`
	Source         string `json:"source"`
	LastActivityAt string `json:"lastActivityAt"`
	IsAgent        bool   `json:"isAgent"`
	Cost           *struct {
		USD float64 `json:"usd"`
	} `json:"cost"`
	State *struct {
		Word string `json:"word"`
	} `json:"state"`
}

type sessionPage struct {
	Sessions []session      `json:"sessions"`
	Total    int            `json:"total"`
	HasMore  bool           `json:"hasMore"`
	Next     string         `json:"next"`
	Hidden   map[string]int `json:"hidden"`
}

type projectPage struct {
	Projects []project `json:"projects"`
	Total    int       `json:"total"`
}

type project struct {
	ID           string `json:"id"`
	Path         string `json:"path"`
	DirName      string `json:"dirName"`
	SessionCount int    `json:"sessionCount"`
	Counts       struct {
		User, Agent, Helper int
	} `json:"counts"`
}

type counts struct {
	Total, User, Agent, Helper int
	Count                      *int
	Source                     string
}

// Whoever counts, the number is the same: of a project, of a list, of the count.
func TestOneNumber(t *testing.T) {
	w := sharedWorld(t)
	projects := get[projectPage](w, "/projects")
	if len(projects.Projects) == 0 || projects.Total != len(projects.Projects) {
		t.Fatalf("%d of %d projects", len(projects.Projects), projects.Total)
	}
	sum := 0
	for _, p := range projects.Projects {
		at := "/projects/" + p.ID
		all := get[sessionPage](w, at+"/sessions?source=all&limit=500")
		users := get[sessionPage](w, at+"/sessions?limit=500")
		count := get[counts](w, at+"/sessions/count")
		own := p.Counts.User + p.Counts.Agent + p.Counts.Helper
		if own != all.Total || all.Total != len(all.Sessions) || count.Total != all.Total || count.Total != count.User+count.Agent+count.Helper {
			t.Errorf("%s: counts %+v, list %d of %d, count %+v", p.ID, p.Counts, len(all.Sessions), all.Total, count)
		}
		if p.Counts.User != users.Total || users.Total+users.Hidden["agent"]+users.Hidden["helper"] != all.Total {
			t.Errorf("%s: %d of users, the list has %d and hides %v of %d", p.ID, p.Counts.User, users.Total, users.Hidden, all.Total)
		}
		for source, want := range map[string]int{"user": p.Counts.User, "agent": p.Counts.Agent, "helper": p.Counts.Helper, "user,helper": p.Counts.User + p.Counts.Helper} {
			list, count := get[sessionPage](w, at+"/sessions?limit=1&source="+source), get[counts](w, at+"/sessions/count?source="+source)
			if list.Total != want || count.Total != want || count.Count == nil || *count.Count != want || count.Source != source {
				t.Errorf("%s with source=%s: list %d, count %+v, want %d", p.ID, source, list.Total, count, want)
			}
		}
		if list := get[sessionPage](w, "/projects/"+dashed(p.Path)+"/sessions?source=all&limit=500"); p.SessionCount != list.Total {
			t.Errorf("%s: sessionCount %d, the list by its dashed form has %d", p.ID, p.SessionCount, list.Total)
		}
		sum += own
	}
	if all := get[counts](w, "/sessions/count"); all.Total != sum {
		t.Errorf("all projects together have %d sessions, their sum is %d", all.Total, sum)
	}
}

// A project is found by every name that clients send.
func TestProjectNames(t *testing.T) {
	w := sharedWorld(t)
	projects := get[projectPage](w, "/projects").Projects
	own := func(p *project) int { return p.Counts.User + p.Counts.Agent + p.Counts.Helper }
	inDirectory := map[string]int{} // which several paths can share
	for i := range projects {
		inDirectory[projects[i].DirName] += own(&projects[i])
	}
	for i := range projects {
		p := &projects[i]
		for name, want := range map[string]int{p.ID: own(p), p.DirName: inDirectory[p.DirName], url.PathEscape(p.Path): own(p), dashed(p.Path): p.SessionCount} {
			if name == p.DirName { // whatever else it is
				want = inDirectory[p.DirName]
			}
			if got := get[counts](w, "/projects/"+name+"/sessions/count"); got.Total != want {
				t.Errorf("%s as %s has %d sessions, want %d", p.ID, name, got.Total, want)
			}
		}
	}
	for _, name := range []string{"nope", "-nope", "%2Fnope", "%2E%2E%2F%2E%2E%2Fetc", "a%00b", "%5C%5Chost%5Cshare", strings.Repeat("x", 5000)} {
		r := w.ask(access.Read, http.MethodGet, "/projects/"+name+"/sessions", "")
		if r.status != http.StatusNotFound && r.status != http.StatusBadRequest && r.status != http.StatusMovedPermanently {
			t.Errorf("%s: %d %s", name, r.status, clipped(r.body))
		}
	}
}

// Every row has what it cost, and every session what it does.
func TestRows(t *testing.T) {
	w := sharedWorld(t)
	for _, s := range get[sessionPage](w, "/sessions?source=all&limit=500").Sessions {
		if s.Cost == nil || s.ProjectPath == "" && s.Source == "" || !strings.HasSuffix(s.LastActivityAt, "Z") {
			t.Errorf("%+v", s)
		}
		if (s.State == nil) != s.IsAgent {
			t.Errorf("%s: an agent has no state, and a session has one: %+v", s.ID, s.State)
		}
	}
}

// By offset, by a number as cursor and by the cursor itself every row comes once.
func TestPaging(t *testing.T) {
	w := sharedWorld(t)
	var want []string
	for _, s := range get[sessionPage](w, "/sessions?source=all&limit=500").Sessions {
		want = append(want, s.ID)
	}
	for name, next := range map[string]func(page sessionPage, n int) string{
		"offset":         func(_ sessionPage, n int) string { return fmt.Sprintf("offset=%d", n) },
		"decimal cursor": func(_ sessionPage, n int) string { return fmt.Sprintf("cursor=%d", n) },
		"cursor":         func(page sessionPage, _ int) string { return "cursor=" + url.QueryEscape(page.Next) },
	} {
		var got []string
		at := ""
		for range want {
			page := get[sessionPage](w, "/sessions?source=all&limit=7&"+at)
			for _, s := range page.Sessions {
				got = append(got, s.ID)
			}
			if page.Total != len(want) {
				t.Fatalf("%s: total is %d, want %d", name, page.Total, len(want))
			}
			if !page.HasMore {
				break
			}
			at = next(page, len(got))
		}
		if !slices.Equal(got, want) {
			t.Errorf("by %s:\n%v, want\n%v", name, got, want)
		}
	}
	if page := get[sessionPage](w, "/sessions?source=all&limit=99999999999999999999"); len(page.Sessions) != len(want) {
		t.Errorf("a limit that is too large gives %d rows", len(page.Sessions))
	}
	for _, small := range []string{"0", "-1", "-99999999999999999999"} {
		if page := get[sessionPage](w, "/sessions?limit="+small); len(page.Sessions) != 1 || !page.HasMore {
			t.Errorf("a limit of %s gives %d rows", small, len(page.Sessions))
		}
	}
	for _, wrong := range []string{"limit=x", "limit=1.5", "limit=-", "offset=-1", "offset=1.5", "state=asleep", "cursor=%00", "source=root", "since=soon", "minSize=big", "sort=luck", "started=me"} {
		if r := w.ask(access.Read, http.MethodGet, "/sessions?"+wrong, ""); r.status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", wrong, r.status, r.body)
		} else if checkProblem(t, wrong, r); !strings.Contains(string(r.body), `"field":"`+wrong[:strings.Index(wrong, "=")]) && !strings.HasPrefix(wrong, "cursor") && !strings.HasPrefix(wrong, "sort") {
			t.Errorf("%s: which field it is, is not told: %s", wrong, r.body)
		}
	}
}

// An id is taken in either case, and by its beginning where that is enough.
func TestSession(t *testing.T) {
	w := sharedWorld(t)
	for _, s := range get[sessionPage](w, "/sessions?source=all&limit=500").Sessions {
		for _, id := range []string{s.ID, strings.ToUpper(s.ID)} {
			if got := get[struct{ ID string }](w, "/sessions/"+id); got.ID != s.ID {
				t.Errorf("%s is %s", id, got.ID)
			}
		}
	}
	for id, want := range map[string]int{"39877": 200, "398": 400, "agent-": 409, "ffffffff": 404, "%2e%2e%2f%2e%2e%2f": 404} {
		if r := w.ask(access.Read, http.MethodGet, "/sessions/"+id, ""); r.status != want {
			t.Errorf("%s: %d %s, want %d", id, r.status, r.body, want)
		}
	}
}

// Every text that a search shows has the match where it says.
func TestSearch(t *testing.T) {
	w := sharedWorld(t)
	type found struct {
		Total   int
		Results []struct {
			SessionID string
			Snippets  []struct {
				Text, Kind              string
				MatchStart, MatchLength int
			}
		}
		Complete bool
	}
	for _, path := range []string{"/search?q=parser", "/sessions/search?q=parser", "/projects/-home-ada-src-parser/sessions/search?q=parser", "/search?q=parser&in=prompts&sort=recent"} {
		page := get[found](w, path)
		if page.Total == 0 || len(page.Results) == 0 || !page.Complete {
			t.Errorf("%s found %+v", path, page)
		}
		for _, r := range page.Results {
			for _, s := range r.Snippets {
				text := []rune(s.Text)
				if s.MatchStart+s.MatchLength > len(text) || !strings.EqualFold(string(text[s.MatchStart:s.MatchStart+s.MatchLength]), "parser") {
					t.Errorf("%s: the match of %q is not at %d", path, s.Text, s.MatchStart)
				}
			}
		}
	}
	few, more := get[found](w, "/search?q=parser"), get[found](w, "/search?q=parser&hits=50")
	if len(more.Results[0].Snippets) <= len(few.Results[0].Snippets) || more.Results[0].Snippets[0].Kind == "" {
		t.Errorf("50 hits are %d, three are %d", len(more.Results[0].Snippets), len(few.Results[0].Snippets))
	}
	for query, name := range map[string]string{"": "MISSING_QUERY", "q=a&hits=x": "VALIDATION_ERROR", "q=+": "MISSING_QUERY", "q=a&limit=x": "INVALID_LIMIT", "q=a&offset=x": "INVALID_OFFSET", "q=%2F(%2F": "VALIDATION_ERROR", "q=a&in=x": "VALIDATION_ERROR"} {
		r := w.ask(access.Read, http.MethodGet, "/search?"+query, "")
		if r.status != http.StatusBadRequest || !strings.Contains(string(r.body), `"error":"`+name+`"`) {
			t.Errorf("%q: %d %s", query, r.status, r.body)
		}
	}
}

// Several values with commas between give what each of them gives, together.
func TestSeveralValues(t *testing.T) {
	w := sharedWorld(t)
	total := func(query string) int { return get[sessionPage](w, "/sessions?source=all&limit=1&"+query).Total }
	for name, values := range map[string][]string{
		"project":   {"-home-ada-src-parser", "-home-ada-src-shop-api"},
		"gitBranch": {"main", "feat/idempotency"},
	} {
		one, other := total(name+"="+values[0]), total(name+"="+values[1])
		if got := total(name + "=" + strings.Join(values, ",")); got != one+other || one == 0 {
			t.Errorf("%s: %d, of %d and %d", name, got, one, other)
		}
	}
	if got, want := total("model=opus,sonnet,haiku"), total("model=claude"); got != want || want == 0 {
		t.Errorf("%d of all models, want %d", got, want)
	}
	if r := w.ask(access.Read, http.MethodGet, "/sessions?project=-home-ada-src-parser,nowhere", ""); r.status != http.StatusNotFound {
		t.Errorf("a project that is not there: %d", r.status)
	}
}
