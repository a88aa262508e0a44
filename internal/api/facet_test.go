package api_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"sesskeep/internal/access"
)

type facetPage struct {
	Facets map[string][]struct {
		Value string
		Count int
	}
	Complete *bool
}

// What a facet counts is what a list has that asks for the value, whatever else is
// asked for.
func TestFacets(t *testing.T) {
	w := newWorld(t)
	all := get[sessionPage](w, "/sessions?limit=5").Sessions
	for path, change := range map[string]string{
		"/sessions/" + all[0].ID: `{"tags":["Later","ok"],"note":"look again"}`,
		"/sessions/" + all[1].ID: `{"tags":["later"],"starred":true}`,
	} {
		if r := w.ask(access.Manage, http.MethodPut, path, change); r.status != http.StatusOK {
			t.Fatalf("%s: %d %s", path, r.status, r.body)
		}
	}
	if r := w.ask(access.Manage, http.MethodPost, "/sessions/"+all[2].ID+"/archive", ""); r.status != http.StatusOK {
		t.Fatalf("archive: %d %s", r.status, r.body)
	}
	project := get[projectPage](w, "/projects").Projects[0].ID
	seen := map[string]int{}
	for _, base := range []string{
		"", "source=all", "source=agent,helper", "started=person", "tag=later", "includeArchived=true", "archivedOnly=true", "state=ended",
		"model=opus", "q=the", "q=the+source:all", "q=source:all", "has=agents&source=user", "since=2026-11-01", "project=" + project,
	} {
		asked, err := url.ParseQuery(base)
		w.must(err)
		page := get[facetPage](w, at(asked, "/facets"))
		for name, values := range page.Facets {
			seen[name] += len(values)
			for _, v := range values {
				want := get[sessionPage](w, at(with(asked, name, v.Value), "?limit=1")).Total
				if v.Count != want || want == 0 {
					t.Errorf("%q: %s %q counts %d, the list has %d", base, name, v.Value, v.Count, want)
				}
			}
		}
	}
	for _, name := range []string{"source", "state", "started", "project", "gitBranch", "model", "tag", "has", "starred", "archived"} {
		if seen[name] == 0 {
			t.Errorf("nothing was counted by %s", name)
		}
	}
}

// at is the address of a question, where a project is part of the path.
func at(asked url.Values, rest string) string {
	path, join := "/sessions", "?"
	if p := asked.Get("project"); p != "" {
		path = "/projects/" + p + "/sessions"
	}
	if strings.Contains(rest, "?") {
		join = "&"
	}
	others := url.Values{}
	for key, values := range asked {
		if key != "project" {
			others[key] = values
		}
	}
	return path + rest + join + others.Encode()
}

// with asks for a value of a facet, in place of what was asked of it.
func with(asked url.Values, facet, value string) url.Values {
	next := url.Values{}
	for key, values := range asked {
		next[key] = values
	}
	switch facet {
	case "archived":
		next.Del("includeArchived")
		next.Del("archivedOnly")
		if value == "yes" {
			next.Set("archivedOnly", "true")
		}
	case "starred":
		next.Set("starred", "true")
	case "has":
		if had := asked.Get("has"); had != "" {
			value += "," + had
		}
		next.Set("has", value)
	default:
		if text, words := next.Get("q"), "source:all"; facet == "source" {
			next.Set("q", strings.TrimSpace(strings.ReplaceAll(text, words, "")))
		}
		next.Set(facet, value)
	}
	return next
}

// A list with q has the sessions that a search finds, and says whether it looked at
// everything. Counts, facets and pages go by the same rows.
func TestListBySearch(t *testing.T) {
	w := sharedWorld(t)
	type found struct {
		Results []struct{ SessionID string }
		Total   int
	}
	for _, q := range []string{"the", "test", "tool:Bash", "has:thinking", `"no such text anywhere"`, "source:agent the"} {
		text := url.QueryEscape(q)
		results := get[found](w, "/search?limit=500&q="+text)
		list := get[struct {
			sessionPage
			Complete *bool
		}](w, "/sessions?source=all&limit=500&q="+text)
		count := get[struct {
			counts
			Complete *bool
		}](w, "/sessions/count?q="+text)
		if list.Complete == nil || !*list.Complete || count.Complete == nil || list.Total != len(list.Sessions) || list.Total != count.Total {
			t.Errorf("%s: %d of %d sessions, complete %v, the count is %+v", q, len(list.Sessions), list.Total, list.Complete, count)
		}
		has := map[string]bool{}
		for _, s := range list.Sessions {
			has[s.ID] = true
		}
		for _, r := range results.Results {
			if !has[r.SessionID] && !strings.Contains(q, "source:") {
				t.Errorf("%s: the search finds %s, the list does not", q, r.SessionID)
			}
		}
		if (results.Total == 0) != (list.Total == 0) {
			t.Errorf("%s: the search finds %d sessions, the list %d", q, results.Total, list.Total)
		}
		if got := walkPages(w, "/sessions?source=all&limit=3&q="+text); got != list.Total {
			t.Errorf("%s: pages have %d rows, the list %d", q, got, list.Total)
		}
	}
	if list := get[map[string]any](w, "/sessions?q=is:forked"); list["complete"] != nil {
		t.Errorf("nothing was searched for, and complete is %v", list["complete"])
	}
	for _, bad := range []string{"q=/(/", "has=everything", "q=state:%22"} {
		if r := w.ask(access.Read, http.MethodGet, "/sessions?"+bad, ""); r.status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", bad, r.status, clipped(r.body))
		}
	}
}

// walkPages counts the rows of all pages, each once.
func walkPages(w *world, path string) int {
	w.t.Helper()
	seen := map[string]bool{}
	next := ""
	for range 100 {
		page := get[sessionPage](w, path+"&cursor="+url.QueryEscape(next))
		for _, s := range page.Sessions {
			if seen[s.ID] {
				w.t.Errorf("%s: %s comes twice", path, s.ID)
			}
			seen[s.ID] = true
		}
		if next = page.Next; !page.HasMore {
			return len(seen)
		}
	}
	w.t.Errorf("%s: the pages never end", path)
	return len(seen)
}
