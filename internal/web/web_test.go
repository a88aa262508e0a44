package web_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"

	"sesskeep/internal/web"
)

// Every file of the build is found under its own name, has a media type that a
// browser accepts, and comes out of gzip as it is.
func TestEveryFile(t *testing.T) {
	seen := 0
	err := fs.WalkDir(os.DirFS("dist"), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		seen++
		want, err := os.ReadFile("dist/" + name)
		f, ok := web.Open(name)
		if err != nil || !ok || !bytes.Equal(f.Content, want) {
			t.Errorf("%s: found %v, %v", name, ok, err)
			return nil
		}
		if f.Kind == "application/octet-stream" {
			t.Errorf("%s has no media type", name)
		}
		if f.Lasting != strings.HasPrefix(name, "assets/") {
			t.Errorf("%s is lasting: %v", name, f.Lasting)
		}
		if packed := f.Gzip(); packed != nil {
			r, err := gzip.NewReader(bytes.NewReader(packed))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s comes out of gzip as %d bytes of %d, %v", name, len(got), len(want), err)
			}
		}
		return nil
	})
	if err != nil || seen == 0 {
		t.Fatalf("%d files, %v", seen, err)
	}
}

// A route of the dashboard begins with its page; an asset of another build is
// gone; nothing leads out of the build.
func TestRoutes(t *testing.T) {
	page, ok := web.Open("index.html")
	if !ok {
		t.Fatal("there is no page")
	}
	for _, route := range []string{"", "login", "s/39877941", "p/-srv-my.app/sessions", "../web.go", "../../go.mod", "/etc/passwd", "dist/index.html"} {
		if f, ok := web.Open(route); !ok || f != page {
			t.Errorf("%q does not lead to the page", route)
		}
	}
	if _, ok := web.Open("assets/index-00000000.js"); ok {
		t.Error("an asset that is not there was found")
	}
}

// A page that could run what it did not load, or call elsewhere, would be a door
// for what is in transcripts.
func TestPolicy(t *testing.T) {
	for _, word := range []string{"unsafe", "http:", "https:", "data:", "*", "ws:"} {
		if strings.Contains(web.Policy, word) {
			t.Errorf("the policy allows %s", word)
		}
	}
	for _, rule := range []string{"default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'", "base-uri 'none'", "form-action 'none'"} {
		if !strings.Contains(web.Policy, rule) {
			t.Errorf("the policy lacks %s", rule)
		}
	}
}
