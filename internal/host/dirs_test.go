package host

import (
	"errors"
	"path/filepath"
	"testing"
)

func TestDirs(t *testing.T) {
	vars := map[string]string{}
	d := Dirs{Getenv: func(name string) string { return vars[name] }}
	var none *NoDirError
	if _, err := d.Data(); !errors.As(err, &none) || none.Variable != "XDG_DATA_HOME" {
		t.Errorf("without a home: %v", err)
	}
	if d.Cache() != "" || d.Lifecycle() != "" {
		t.Errorf("without a home: %q, %q", d.Cache(), d.Lifecycle())
	}
	d.Home = filepath.FromSlash("/home/u")
	if want := filepath.Join(d.Home, ".cache", "sesskeep"); d.Cache() != want {
		t.Errorf("got %q, want %q", d.Cache(), want)
	}
	vars["XDG_STATE_HOME"] = filepath.FromSlash("/state")
	if got, err := d.Reports(); err != nil || got != filepath.FromSlash("/state/sesskeep/reports.jsonl") {
		t.Errorf("reports in %q: %v", got, err)
	}
}
