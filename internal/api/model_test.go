package api_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"sesskeep/internal/access"
	"sesskeep/internal/ask"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// model connects the official client to the server.
func (w *world) model(t *testing.T, secret, query string) *sdk.ClientSession {
	t.Helper()
	transport := &sdk.StreamableClientTransport{
		Endpoint: w.server.URL + "/mcp" + query, DisableStandaloneSSE: true,
		HTTPClient: &http.Client{Transport: bearer{secret}},
	}
	client, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

type bearer struct{ secret string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.secret)
	return http.DefaultTransport.RoundTrip(r)
}

// says calls a tool, and returns what it says.
func says(t *testing.T, c *sdk.ClientSession, tool string, arguments map[string]any) string {
	t.Helper()
	result, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil || len(result.Content) != 1 {
		t.Fatalf("%s: %v %v", tool, result, err)
	}
	return result.Content[0].(*sdk.TextContent).Text
}

// The official client lists the tools over HTTP and calls one, and the question is in the journal.
func TestModelAsksOverHTTP(t *testing.T) {
	w := newWorld(t)
	c := w.model(t, w.token[access.Read], "")
	list, err := c.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) < 8 {
		t.Fatalf("%d tools, %v", len(list.Tools), err)
	}
	if text := says(t, c, "list_sessions", map[string]any{}); !strings.Contains(text, "in all projects") {
		t.Errorf("got %s", text)
	}
	log := get[struct {
		Acts []struct{ Verb, What string } `json:"acts"`
	}](w, "/activity")
	if len(log.Acts) == 0 || log.Acts[0].Verb != "mcp" || log.Acts[0].What != "list_sessions" {
		t.Errorf("the journal has %v", log.Acts)
	}
}

// A token that is limited to a project asks about it and nothing else, whatever it says.
func TestLimitedTokenAsksOnlyAboutItsProject(t *testing.T) {
	w := newWorld(t)
	snap, err := w.app.Catalog.Snapshot(t.Context())
	w.must(err)
	mine := snap.Projects[0]
	allowed := snap.Scope(&mine, "").Projects // with its worktrees
	at := slices.IndexFunc(snap.Projects, func(p ask.Project) bool {
		return !slices.ContainsFunc(allowed, func(q ask.Project) bool { return p.ID == q.ID })
	})
	if at < 0 {
		t.Fatal("the sample home has only one project")
	}
	other := snap.Projects[at]
	secret, _, err := w.tokens.Grant(t.Context(), access.Grant{Role: access.Operate, Projects: []string{mine.Path}})
	if err != nil {
		t.Fatal(err)
	}
	text := says(t, w.model(t, secret, ""), "list_sessions", map[string]any{"max_tokens": 25000})
	if !strings.Contains(text, "["+mine.Name) || strings.Contains(text, "["+other.Name) {
		t.Errorf("limited to %s: %s", mine.Name, text)
	}
	if text := says(t, w.model(t, secret, "?project="+other.Path), "list_sessions", map[string]any{}); strings.Contains(text, "["+other.Name) {
		t.Errorf("it widened its limit: %s", text)
	}
	for _, path := range []string{"/projects", "/sessions", "/search?q=a", "/tokens", "/events", "/mcp/../sessions", "/openapi.json", "/metrics"} {
		r, _ := http.NewRequest(http.MethodGet, w.server.URL+"/api/v1"+path, nil)
		answer, err := (&http.Client{Transport: bearer{secret}}).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusForbidden {
			t.Errorf("GET %s with a limited token: %d", path, answer.StatusCode)
		}
	}
}
