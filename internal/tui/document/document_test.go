package document

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/storetest"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/tui/pagetest"
)

const aToken = "ghp_8dQz1kFvTb0LxYw3Rj7NcPs5HmGe2UaKoI9V"

const withSecrets = `
-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --
{"parentUuid":null,"cwd":"/w","type":"user","message":{"role":"user","content":"deploy with ` + aToken + `"},"uuid":"u1","timestamp":"2026-11-14T09:00:00.000Z"}
{"parentUuid":"u1","cwd":"/w","type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"mysql -pTr0ub4dor-3 app"}}]},"uuid":"a1","timestamp":"2026-11-14T09:00:01.000Z"}
`

func newStage(t *testing.T) *pagetest.Stage {
	t.Helper()
	s := pagetest.NewStage(t, storetest.Home(t, withSecrets), term.Screen{TTY: true})
	s.W.Dir = t.TempDir()
	return s
}

// A document says what it would hide before it is written, for each choice anew, and then is
// in the file that was named.
func TestExport(t *testing.T) {
	s := newStage(t)
	s.Show(NewExport(s.W, s.Rows()[0], ""))
	s.Want("Export deploy with", "Format", "html", "2 secrets are hidden: 1 command-password, 1 github-token", "[github-token:1]", "[command-password:1]", "deploy-with-github-token-1-11111111.html")
	s.Press("right") // Markdown
	s.Want("markdown", "deploy-with-github-token-1-11111111.md")
	s.Press("down", "down", "right") // no tools
	s.Want("1 secret is hidden: 1 github-token")
	if strings.Contains(s.Draw(), "command-password") {
		t.Error("what is left out is hidden")
	}
	s.Press("enter")
	text, err := os.ReadFile(filepath.Join(s.W.Dir, "deploy-with-github-token-1-11111111.md"))
	if err != nil || strings.Contains(string(text), aToken) || strings.Contains(string(text), "mysql") || !strings.Contains(string(text), "[github-token:1]") {
		t.Errorf("%v\n%s", err, text)
	}
	if _, ok := s.Wish.(pages.BackMsg); !ok || !strings.HasPrefix(s.Notes[0], "wrote "+s.W.Dir) {
		t.Errorf("%q, and then %T", s.Notes, s.Wish)
	}

	// The same file again, and one with every secret.
	s.Press("enter")
	if !strings.Contains(s.Notes[1], "exists: choose another name") {
		t.Errorf("%q", s.Notes)
	}
	s.Press("down", "down", "right")
	s.Want("left in", "Nothing is hidden: the document will hold every secret")
	s.Press("down", "ctrl+u")
	s.Press("enter")
	if s.Notes[2] != "name the file" {
		t.Errorf("%q", s.Notes)
	}
	s.TypeText("mine.md")
	s.Press("enter")
	if text, err = os.ReadFile(filepath.Join(s.W.Dir, "mine.md")); err != nil || !strings.Contains(string(text), aToken) {
		t.Errorf("%v\n%s", err, text)
	}
}

// A page to pass on has no secrets whatever is chosen, and can be a link.
func TestShare(t *testing.T) {
	s := newStage(t)
	var asked []pages.LinkRequest
	s.W.ShareLink = func(_ context.Context, r pages.LinkRequest) (pages.Link, error) {
		asked = append(asked, r)
		return pages.Link{URL: "http://127.0.0.1:1/shared/link-x", Until: pagetest.Now}, nil
	}
	s.Show(NewShare(s.W, s.Rows()[0], ""))
	s.Want("Share deploy with", "As", "file", "2 secrets are hidden")
	if picture := s.Draw(); strings.Contains(picture, "Format") || strings.Contains(picture, "left in") {
		t.Errorf("it is always HTML without secrets:\n%s", picture)
	}
	s.Press("down", "down", "right", "down", "right", "right") // with agents, a link for 7 days
	s.Want("link for 7 days")
	s.Press("enter")
	s.Want("http://127.0.0.1:1/shared/link-x", "can read the page until")
	if len(asked) != 1 || asked[0].Life != 7*24*time.Hour || !asked[0].Agents || !asked[0].Thinking || !asked[0].Tools || asked[0].Target.Ref.Session != "11111111-0000-4000-8000-000000000000" {
		t.Errorf("%+v", asked)
	}
	if copied, ok := s.Wish.(pages.CopyMsg); !ok || copied.Text != "http://127.0.0.1:1/shared/link-x" {
		t.Errorf("%+v", s.Wish)
	}
	s.Press("right", "right", "enter") // a file again
	found, _ := filepath.Glob(filepath.Join(s.W.Dir, "*.html"))
	if len(found) != 1 {
		t.Fatal(found)
	}
	if text, err := os.ReadFile(found[0]); err != nil || strings.Contains(string(text), aToken) || strings.Contains(string(text), "Tr0ub4dor") {
		t.Errorf("%v\n%s", err, text)
	}
}
