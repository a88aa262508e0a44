package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
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

// faceFigure is a figure of what a newcomer reads.
type faceFigure struct {
	what, is, limit string
	met             bool
}

// measureFace measures what a newcomer reads: texts, and the names and examples of packages.
func measureFace(all written) (list []faceFigure, err error) {
	for _, of := range []struct {
		what  string
		texts map[string][]byte
		most  float64
	}{{"Go that is not a test", all.code, mostMarkedCode}, {"documents", all.docs, mostMarkedProse}, {"the dashboard", all.web, mostMarkedProse}} {
		per, _ := phrasesIn(of.texts)
		list = append(list, faceFigure{"marked phrases per 1,000 lines of " + of.what, fmt.Sprintf("%.1f", per), fmt.Sprintf("≤ %g", of.most), per <= of.most})
	}
	exported, documented, ofRoot := 0, 0, 0
	for name, text := range all.code {
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			n, with := exportedBy(d)
			exported, documented = exported+n, documented+with
			if !strings.Contains(name, "/") {
				ofRoot += n
			}
		}
	}
	examples, err := rootExamples()
	percent := 100 * float64(documented) / float64(max(1, exported))
	return append(list,
		faceFigure{"exported names with a comment", fmt.Sprintf("%.1f %% of %d", percent, exported), fmt.Sprintf("≥ %g %%", leastDocumented), percent >= leastDocumented},
		faceFigure{"exported names of the root", fmt.Sprint(ofRoot), fmt.Sprintf("≤ %d", mostRootNames), ofRoot <= mostRootNames},
		faceFigure{"examples of the root", fmt.Sprint(examples), fmt.Sprintf("≥ %d", leastExamples), examples >= leastExamples}), err
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
		if d.Recv == nil || ast.IsExported(receiverName(d.Recv.List[0].Type)) {
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

// rootExamples counts the examples of the root.
func rootExamples() (n int, err error) {
	files, err := filepath.Glob("../../*_test.go")
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return n, err
		}
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Example") {
				n++
			}
		}
	}
	return n, err
}
