package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// named is a test as docs/security.md names it: the directory of its package, or
// nothing for the root, and its function.
var named = regexp.MustCompile("`([a-z0-9/]*)\\.((?:Test|Fuzz)\\w+)`")

// inBrowser is one that runs in a browser: a file.
var inBrowser = regexp.MustCompile("`(web/tests/[a-z-]+\\.spec\\.ts)`")

// Every guarantee of docs/security.md names a test, and every test it names exists.
func TestGuaranteesHaveTests(t *testing.T) {
	text, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	promised, _, _ := strings.Cut(string(text), "\n## Laws")
	rows := 0
	for line := range strings.SplitSeq(promised, "\n") {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| guarantee |") {
			continue
		}
		if rows++; !named.MatchString(line) && !inBrowser.MatchString(line) {
			t.Errorf("no test is named for: %s", line)
		}
	}
	if rows < 30 {
		t.Errorf("only %d guarantees were found", rows)
	}
	for _, m := range named.FindAllStringSubmatch(string(text), -1) {
		if !hasTest(t, m[1], m[2]) {
			t.Errorf("%s has no %s", m[1], m[2])
		}
	}
	for _, m := range inBrowser.FindAllStringSubmatch(string(text), -1) {
		if _, err := os.Stat(filepath.Join("../..", m[1])); err != nil {
			t.Error(err)
		}
	}
}

// What make fuzz runs is what the page lists.
func TestFuzzTargetsAreListed(t *testing.T) {
	text, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "\n## Fuzz targets")
	list, _, _ := strings.Cut(rest, "\n## ")
	targets := named.FindAllStringSubmatch(list, -1)
	if len(targets) < 15 {
		t.Errorf("only %d targets are listed", len(targets))
	}
	for _, m := range targets {
		if !strings.Contains(string(makefile), m[2]) {
			t.Errorf("make fuzz does not run %s", m[2])
		}
	}
}

// hasTest reports whether a test of a package exists, on whatever system.
func hasTest(t *testing.T, dir, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../..", dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}
