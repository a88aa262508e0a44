// Command sample chooses comments and names of the code at random, to be read one by one:
// does a reader need the body to understand it?
//
// The hash of a commit decides which, so that no author chooses them and every reader can choose
// them again: each comment and each name has the SHA-256 of that hash and its own position,
// and those with the smallest sums are printed. Tests and generated files are left out.
package main

import (
	"cmp"
	"crypto/sha256"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	commit := flag.String("commit", "", "the `hash` that decides")
	comments := flag.Int("comments", 100, "how many comments")
	names := flag.Int("names", 40, "how many names of functions")
	in := flag.String("in", "", "only files whose path fits this `pattern`")
	flag.Parse()
	if err := run(*commit, *in, *comments, *names); err != nil {
		fmt.Fprintln(os.Stderr, "sample:", err)
		os.Exit(1)
	}
}

// found is a comment or a name, where it stands, and the code before it on its line.
type found struct{ where, text, code string }

func run(commit, in string, comments, names int) error {
	if commit == "" {
		return fmt.Errorf("-commit is missing")
	}
	pattern, err := regexp.Compile(in)
	if err != nil {
		return err
	}
	var said, called []found
	err = filepath.WalkDir(".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "testdata" || e.Name() == "node_modules" || e.Name() == "tools" || len(e.Name()) > 1 && e.Name()[0] == '.'):
			return filepath.SkipDir
		case e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"), !pattern.MatchString(filepath.ToSlash(name)):
			return nil
		}
		s, c, err := read(name)
		said, called = append(said, s...), append(called, c...)
		return err
	})
	if err != nil {
		return err
	}
	fmt.Printf("## %d of %d comments\n", comments, len(said))
	show(chosen(said, commit, comments))
	fmt.Printf("\n## %d of %d names\n", names, len(called))
	show(chosen(called, commit, names))
	return nil
}

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// read collects the comments of a file, and the names of its functions with their
// signatures.
func read(name string) (said, called []found, err error) {
	text, err := os.ReadFile(name)
	if err != nil || generated.Match(text) {
		return nil, nil, err
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	for _, group := range file.Comments {
		if words := strings.Join(strings.Fields(group.Text()), " "); words != "" {
			at := files.Position(group.Pos())
			code := text[at.Offset-at.Column+1 : at.Offset]
			said = append(said, found{fmt.Sprintf("%s:%d", filepath.ToSlash(name), at.Line), words, strings.Join(strings.Fields(string(code)), " ")})
		}
	}
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			line := text[files.Position(fn.Pos()).Offset:files.Position(fn.Type.End()).Offset]
			called = append(called, found{fmt.Sprintf("%s:%d", filepath.ToSlash(name), files.Position(fn.Pos()).Line), strings.Join(strings.Fields(string(line)), " "), ""})
		}
	}
	return said, called, nil
}

// chosen are those of a list that a commit decides for, in the order in which it does.
func chosen(list []found, commit string, n int) []found {
	sum := func(f found) string {
		s := sha256.Sum256([]byte(commit + " " + f.where + " " + f.text))
		return string(s[:])
	}
	slices.SortFunc(list, func(a, b found) int { return cmp.Compare(sum(a), sum(b)) })
	return list[:min(n, len(list))]
}

func show(list []found) {
	for i, f := range list {
		if f.code != "" {
			f.text = "`" + f.code + "` " + f.text
		}
		fmt.Printf("%d. %s %s\n", i+1, f.where, f.text)
	}
}
