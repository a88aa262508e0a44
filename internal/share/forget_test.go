package share_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sesskeep/internal/share"
)

// Pages of a session go with their links, also those of its agents, damaged ones and unfinished
// ones; others stay.
func TestForget(t *testing.T) {
	s, _ := newStore(t)
	var secrets []string
	for _, p := range []share.Page{{Session: "gone", Main: "gone"}, {Session: "agent", Main: "gone"}, {Session: "stays", Main: "stays"}} {
		p.Policy, p.Until, p.Write = "default-src 'none'", noon.Add(time.Hour), page("of "+p.Main, time.Hour).Write
		secret, _, err := s.Create(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		secrets = append(secrets, secret)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(s.Dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("00000000000000aa.html", "of gone, without a record")
	write("00000000000000bb.html.part", "half of gone")
	write("00000000000000cc.html.part", "half of another")
	of := share.Of{Session: func(id string) bool { return id == "gone" }, Page: func(r io.Reader) (bool, error) {
		text, err := io.ReadAll(r)
		return bytes.Contains(text, []byte("gone")), err
	}}
	if n, err := s.Count(of); n != 3 || err != nil {
		t.Errorf("counted %d, %v", n, err)
	}
	if err := s.Forget(of); err != nil {
		t.Fatal(err)
	}
	for i, secret := range secrets {
		if _, err := read(t, s, secret); (err == nil) != (i == 2) {
			t.Errorf("page %d: %v", i, err)
		}
	}
	entries, err := os.ReadDir(s.Dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("left: %v, %v", entries, err)
	}
}
