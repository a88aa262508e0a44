package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// mayOpen lists the files that open others without internal/regular, and why
// none of them can be kept waiting by a pipe or read a device without end.
var mayOpen = map[string]string{
	"internal/cli/document/export.go": "makes a file that must not be there",
	"internal/access/file.go":         "makes a file of its own",
	"internal/folder/folder.go":       "opens a directory, below which it writes files of its own",
	"internal/regular/regular.go":     "is the door itself",
	"homefs/disk.go":                  "looks before it opens, and opens without waiting",
	"internal/disk/disk_unix.go":      "opens directories to sync them",
	"internal/lock/lock_unix.go":      "opens directories to lock them",
	"internal/demo/home.go":           "writes files into a directory that it has just made",
	"internal/demo/marker.go":         "writes a file into a directory that it has just made",
	"internal/index/db/open.go":       "makes a file that must not be there",
	"internal/shelf/disk_windows.go":  "asks for the identity of a file; there are no pipes among files there",
}

// opens are the functions of package os that open a file by name.
var opens = map[string]bool{
	"Open": true, "OpenFile": true, "OpenRoot": true, "Create": true, "CreateTemp": true,
	"ReadFile": true, "WriteFile": true, "Truncate": true,
}

// Every file that somebody else can put something into the place of is opened
// through one door.
func TestOpens(t *testing.T) {
	used := map[string]bool{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, filepath.FromSlash("../../")))
		if d.IsDir() {
			if strings.HasPrefix(d.Name(), ".") && d.Name() != ".." || name == "tools" || d.Name() == "testdata" || helps(name) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		for _, at := range openers(t, path) {
			used[name] = true
			if mayOpen[name] == "" {
				t.Errorf("%s: opens a file without internal/regular", at)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range mayOpen {
		if !used[name] {
			t.Errorf("%s opens nothing any more: take it off the list", name)
		}
	}
}

// helps reports whether a directory has programs and data for tests only.
func helps(dir string) bool {
	return dir == "internal/storetest" || dir == "internal/disk/disktest" || dir == "internal/bench" || dir == "internal/capture"
}

// openers are the places in a file that open another one by name.
func openers(t *testing.T, path string) []token.Position {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var list []token.Position
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok || !opens[s.Sel.Name] {
			return true
		}
		if x, ok := s.X.(*ast.Ident); ok && x.Name == "os" {
			list = append(list, set.Position(s.Pos()))
		}
		return true
	})
	return list
}
