package cli

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"sesskeep/internal/cli/document"
)

// A link of a running server shows the page to anyone with it, until it is revoked; a server
// that was not told to share makes none.
func TestShareLink(t *testing.T) {
	u := user{t, t.TempDir()}
	stop := u.serve()
	if out, code := u.run("share", "3987", "--link"); code == 0 || !strings.Contains(out, "--share-links") {
		t.Errorf("a server that shares nothing: %d %s", code, out)
	}
	stop()
	stop = u.serve("--share-links")
	defer stop()
	out, code := u.run("share", "3987", "--link", "--expires", "36h", "--json", "-q")
	var made document.Shared
	if err := json.Unmarshal([]byte(out), &made); code != 0 || err != nil || made.ExpiresAt.IsZero() {
		t.Fatalf("share: %d %v %s", code, err, out)
	}
	if status, text := fetch(t, made.URL); status != http.StatusOK || !strings.Contains(text, "Fix the flaky parser test on CI") {
		t.Errorf("the page: %d", status)
	}
	if out, _ := u.run("share", "ls"); !strings.Contains(out, made.ID) || strings.Contains(out, made.URL) {
		t.Errorf("the list: %s", out)
	}
	if out, code := u.run("share", "revoke", made.ID[:6]); code != 0 || !strings.Contains(out, "link "+made.ID+" is revoked") {
		t.Errorf("revoke: %d %s", code, out)
	}
	if status, text := fetch(t, made.URL); status != http.StatusNotFound || !strings.Contains(text, "not valid") {
		t.Errorf("a revoked page: %d %s", status, text)
	}
	if out, _ := u.run("log", "--json"); !strings.Contains(out, made.ID) || strings.Contains(out, "link-") {
		t.Errorf("the log: %s", out)
	}
	out, code = u.run("share", "3987#nothing", "--link")
	if code != 3 {
		t.Errorf("a message that is not there: %d %s", code, out)
	}
}

func fetch(t *testing.T, url string) (int, string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(text)
}
