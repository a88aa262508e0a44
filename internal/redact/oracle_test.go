package redact_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sesskeep/internal/redact"
	"sesskeep/internal/storetest"
	"sesskeep/internal/storetest/planted"
)

// opinion is what we and gitleaks say of the samples of a kind.
type opinion struct{ all, ours, theirs, theirsAlone int }

// What gitleaks finds in the corpus, we find too. "make oracle" runs this, and shows by kind
// what either finds.
func TestOracle(t *testing.T) {
	gitleaks := os.Getenv("SESSKEEP_GITLEAKS")
	if gitleaks == "" {
		t.Skip("SESSKEEP_GITLEAKS names the program: make oracle")
	}
	m, r := planted.New(storetest.Seed(t)), rules(t, redact.Options{})
	samples := append(m.Formed(10), m.Framed(20)...)
	secrets := len(samples)
	samples = append(samples, m.Lookalikes(4000)...)
	dir := t.TempDir()
	for i, s := range samples {
		storetest.Must(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%05d.txt", i)), []byte(s.Text+"\n"), 0o600))
	}
	theirs := found(t, gitleaks, dir)
	kinds := map[string]*opinion{}
	var alone, lookalikes opinion
	for i, s := range samples {
		k := kinds[s.Kind]
		if k == nil {
			k = &opinion{}
			kinds[s.Kind] = k
		}
		if i >= secrets {
			k = &lookalikes
		}
		ours := r.Document().Text(s.Text) != s.Text
		for _, o := range []*opinion{k, &alone} {
			o.count(ours, theirs[i])
		}
		if i < secrets && theirs[i] && !ours {
			t.Logf("gitleaks alone: %s: %.200q", s.Kind, s.Text)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		if k := kinds[name]; k.all > 0 && k.ours != k.theirs {
			t.Logf("%-34s of %3d: we find %3d, gitleaks %3d", name, k.all, k.ours, k.theirs)
		}
	}
	t.Logf("look-alikes: of %d we change %d, gitleaks reports %d", lookalikes.all, lookalikes.ours, lookalikes.theirs)
	both := 0
	for _, k := range kinds {
		both += k.theirs - k.theirsAlone
	}
	missed := alone.theirsAlone - lookalikes.theirsAlone
	t.Logf("of %d secrets that gitleaks finds we find %d", both+missed, both)
	if both < 300 || missed*100 > both+missed {
		t.Errorf("gitleaks finds %d secrets that we do not find", missed)
	}
}

func (o *opinion) count(ours, theirs bool) {
	o.all++
	if ours {
		o.ours++
	}
	if theirs {
		o.theirs++
	}
	if theirs && !ours {
		o.theirsAlone++
	}
}

// found returns the numbers of the files in which gitleaks reports a secret.
func found(t *testing.T, gitleaks, dir string) map[int]bool {
	t.Helper()
	report := filepath.Join(t.TempDir(), "report.json")
	out, err := exec.Command(gitleaks, "dir", dir, "--no-banner", "--exit-code", "0", "--report-format", "json", "--report-path", report).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	data, err := os.ReadFile(report)
	storetest.Must(t, err)
	var list []struct{ File string }
	storetest.Must(t, json.Unmarshal(data, &list))
	files := map[int]bool{}
	for _, f := range list {
		var n int
		if _, err := fmt.Sscanf(strings.TrimSuffix(filepath.Base(f.File), ".txt"), "%d", &n); err != nil {
			t.Fatal(err)
		}
		files[n] = true
	}
	return files
}
