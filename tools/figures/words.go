package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// The limits of what is written for people: marked phrases for each 1,000 lines, percent of
// exported names with a comment, exported names of the root, and examples of it.
const (
	mostMarkedCode  = 1.0
	mostMarkedProse = 3.0 // documents and the dashboard
	leastDocumented = 95.0
	mostRootNames   = 190
	leastExamples   = 8
)

// marked are phrases that sentences need which hide who does what (docs/words.md). They
// are counted, not forbidden; internal/archtest holds the same limits.
var marked = regexp.MustCompile(`(?i)\b(tells?|told|nobody|goes on|go on|of which|whoever|anew|as far as)\b`)

// prose counts lines and the marked phrases in them.
type prose struct{ lines, marks int }

func (p *prose) add(text []byte) {
	p.lines += bytes.Count(text, []byte("\n"))
	p.marks += len(marked.FindAll(text, -1))
}

func (p *prose) perThousand() float64 { return 1000 * float64(p.marks) / float64(max(1, p.lines)) }

// face is what a newcomer reads: texts, and the names and examples of packages.
type face struct {
	code, docs, web      prose
	exported, documented int
	rootNames, examples  int
}

// measureFace reads the module in a directory.
func measureFace(root string) (*face, error) {
	f := &face{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && path != root && (skipped(e.Name()) || e.Name() == "dist" || nested(path)):
			return filepath.SkipDir
		case e.IsDir():
			return nil
		}
		name, _ := filepath.Rel(root, path)
		return f.file(path, filepath.ToSlash(name))
	})
	return f, err
}

// file counts a file where it belongs.
func (f *face) file(path, name string) error {
	ext := filepath.Ext(name)
	text, err := os.ReadFile(path)
	switch {
	case err != nil:
		return err
	case ext == ".go" && !generated.Match(text):
		return f.source(name, text)
	case ext == ".md" && name != "docs/words.md" && (strings.HasPrefix(name, "docs/") || !strings.Contains(name, "/")):
		f.docs.add(text)
	case strings.HasPrefix(name, "web/src/") && (ext == ".svelte" || ext == ".ts" || ext == ".json") &&
		!strings.HasSuffix(name, ".d.ts") && !strings.Contains(name, ".test."):
		f.web.add(text)
	}
	return nil
}

// source counts a Go file: a test has examples, all others have names.
func (f *face) source(name string, text []byte) error {
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	inRoot, isTest := !strings.Contains(name, "/"), strings.HasSuffix(name, "_test.go")
	if !isTest {
		f.code.add(text)
	}
	for _, d := range file.Decls {
		if isTest {
			if fn, ok := d.(*ast.FuncDecl); ok && inRoot && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Example") {
				f.examples++
			}
			continue
		}
		names, documented := exportedBy(d)
		f.exported += names
		f.documented += documented
		if inRoot {
			f.rootNames += names
		}
	}
	return nil
}

// exportedBy counts the exported names of a declaration, and those with a comment: their
// own, one behind them, or that of their group.
func exportedBy(d ast.Decl) (names, documented int) {
	count := func(id *ast.Ident, comments ...*ast.CommentGroup) {
		if !id.IsExported() {
			return
		}
		names++
		for _, c := range comments {
			if c != nil {
				documented++
				return
			}
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type)) {
			count(d.Name, d.Doc)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				count(s.Name, s.Doc, s.Comment, d.Doc)
			case *ast.ValueSpec:
				for _, id := range s.Names {
					count(id, s.Doc, s.Comment, d.Doc)
				}
			}
		}
	}
	return names, documented
}

// write writes the table, and returns how many figures miss their limit.
func (f *face) write(b *bytes.Buffer) (missed int) {
	fmt.Fprintf(b, "## Words and the library's face\n\n| | figure | limit | |\n|---|---|---|---|\n")
	row := func(what, figure, limit string, met bool) {
		note := ""
		if !met {
			note = "not met yet"
			missed++
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", what, figure, limit, note)
	}
	text := func(what string, p *prose, most float64) {
		row("marked phrases per 1,000 lines of "+what, fmt.Sprintf("%.1f", p.perThousand()), fmt.Sprintf("≤ %g", most), p.perThousand() <= most)
	}
	text("Go that is not a test", &f.code, mostMarkedCode)
	text("documents", &f.docs, mostMarkedProse)
	text("the dashboard", &f.web, mostMarkedProse)
	documented := 100 * float64(f.documented) / float64(max(1, f.exported))
	row("exported names with a comment", fmt.Sprintf("%.1f %% of %d", documented, f.exported), fmt.Sprintf("≥ %g %%", leastDocumented), documented >= leastDocumented)
	row("exported names of the root", fmt.Sprint(f.rootNames), fmt.Sprintf("≤ %d", mostRootNames), f.rootNames <= mostRootNames)
	row("examples of the root", fmt.Sprint(f.examples), fmt.Sprintf("≥ %d", leastExamples), f.examples >= leastExamples)
	fmt.Fprintln(b)
	return missed
}
