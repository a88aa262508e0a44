package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A module that does not say how it may be used cannot be handed out.
func TestLicenseNeeded(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	if err := licensesIn(&out, "a module", dir); err == nil {
		t.Error("a module without a license is no error")
	}
	for _, name := range []string{"LICENSE.md", "licensing_test.go", "NOTICE"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("text of "+name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := licensesIn(&out, "a module", dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"LICENSE.md": true, "NOTICE": true, "licensing_test.go": false} {
		if got := strings.Contains(out.String(), "text of "+name); got != want {
			t.Errorf("the notices have %s: %v, want %v", name, got, want)
		}
	}
}

func TestTargets(t *testing.T) {
	for _, wrong := range []string{"linux", "plan9/amd64"} {
		if _, err := systems([]string{wrong}); err == nil {
			t.Errorf("%s is taken for a target", wrong)
		}
	}
}
