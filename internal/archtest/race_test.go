package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Where the race detector runs some tests of a package, these are all tests that start a
// goroutine.
func TestRaceRunsWhatIsConcurrent(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^race-some:\n\t.* -run '([^']+)' (.+)$`).FindSubmatch(makefile)
	if line == nil {
		t.Fatal("the Makefile has no race-some with tests and packages")
	}
	runs := regexp.MustCompile(string(line[1]))
	found := 0
	for _, dir := range strings.Fields(string(line[2])) {
		for _, name := range concurrentTests(t, filepath.Join("../..", dir)) {
			found++
			if !runs.MatchString(name) {
				t.Errorf("%s in %s starts a goroutine, and make race does not run it", name, dir)
			}
		}
	}
	if found < 10 {
		t.Errorf("%d tests that start a goroutine, want at least 10", found)
	}
}

// concurrentTests are the tests of a directory that start a goroutine themselves.
func concurrentTests(t *testing.T, dir string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests in %s: %v", dir, err)
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(fn.Name.Name, "Test") && startsGoroutine(fn) {
				names = append(names, fn.Name.Name)
			}
		}
	}
	return names
}

// startsGoroutine looks for a go statement, and for sync.WaitGroup.Go and t.Parallel.
func startsGoroutine(fn *ast.FuncDecl) (found bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.SelectorExpr:
			found = found || n.Sel.Name == "Go" || n.Sel.Name == "Parallel"
		}
		return !found
	})
	return found
}
