package archtest

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The limits of rooms and engines. Fronts may import as many packages besides rooms.
const (
	mostMethods = 40
	mostImports = 14
	mostLines   = 7000
)

// rooms are the packages that fronts call.
var rooms = wordSet("acts app ask board bridge catalog errcode folder freshness health history homes insight jobs keeping liveness manage paging recall relocate resume runs setup share talk todos transfer trash undo versions views")

// fronts show what rooms answer; makers write samples, tests and pictures.
var (
	fronts = wordSet("api cli mcp tui")
	makers = wordSet("archtest bench capture clientgen clientline demo drift manual storetest")
)

// reasons say why something is over a limit and stays so. There are at most five.
var reasons = map[string]string{
	"internal/app imports":            "it is the wiring of the rooms, and knows all of them",
	"internal/index imports":          "ten are its own parts below it, which it joins: tables, lists, search, usage",
	"internal/launch.Machine methods": "one method for each thing that can happen to a run; a table test walks them",
}

// plan is what a package looks like from outside. Lines are physical ones, with comments.
// Tests and generated code do not count.
type plan struct {
	dir     string
	lines   int
	imports map[string]bool // of ours
	methods map[string]int  // by the type that is their receiver
}

// Nothing is over a limit without a reason. SESSKEEP_UPDATE=1 writes the figures to
// docs/architecture-figures.md.
func TestFigures(t *testing.T) {
	all := texts(t)
	plans, err := measurePlans(all.code)
	if err != nil {
		t.Fatal(err)
	}
	methods, imports, lines := planFigures(plans)
	face, err := measureFace(all)
	if err != nil {
		t.Fatal(err)
	}
	needed := map[string]bool{}
	for what, list := range map[string][]figure{"methods": methods, "imports": imports, "lines": lines} {
		for _, f := range list {
			if !f.high() {
				continue
			}
			if needed[f.name+" "+what] = true; reasons[f.name+" "+what] == "" {
				t.Errorf("%s: %d %s, at most %d: cut it, or say in reasons why it stays", f.name, f.n, what, f.limit)
			}
		}
	}
	for name := range reasons {
		if !needed[name] {
			t.Errorf("%s is within its limit and needs no reason", name)
		}
	}
	if len(reasons) > 5 {
		t.Errorf("%d reasons, at most 5", len(reasons))
	}
	for _, f := range face {
		if !f.met {
			t.Errorf("%s: %s, wanted %s", f.what, f.is, f.limit)
		}
	}
	if os.Getenv("SESSKEEP_UPDATE") == "" {
		return
	}
	if err := os.WriteFile("../../docs/architecture-figures.md", figuresPage(methods, imports, lines, face), 0o644); err != nil {
		t.Fatal(err)
	}
}

// measurePlans reads Go files, by package.
func measurePlans(code map[string][]byte) ([]*plan, error) {
	byDir := map[string]*plan{}
	for name, text := range code {
		dir := path.Dir(name)
		if dir == "." {
			dir = "sesskeep"
		}
		p := byDir[dir]
		if p == nil {
			p = &plan{dir: dir, imports: map[string]bool{}, methods: map[string]int{}}
			byDir[dir] = p
		}
		if err := p.add(name, text); err != nil {
			return nil, err
		}
	}
	return slices.Collect(maps.Values(byDir)), nil
}

// add counts a file.
func (p *plan) add(name string, text []byte) error {
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	p.lines += bytes.Count(text, []byte("\n"))
	for _, im := range f.Imports {
		if of, _ := strconv.Unquote(im.Path.Value); of == module || strings.HasPrefix(of, module+"/") {
			p.imports[of] = true
		}
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
			p.methods[receiverName(fn.Recv.List[0].Type)]++
		}
	}
	return nil
}

// receiverName is the name of a method's type.
func receiverName(e ast.Expr) string {
	switch t := e.(type) {
	case *ast.StarExpr:
		return receiverName(t.X)
	case *ast.IndexExpr:
		return receiverName(t.X)
	case *ast.IndexListExpr:
		return receiverName(t.X)
	case *ast.Ident:
		return t.Name
	}
	return "?"
}

// figure is one number, and what it is of.
type figure struct {
	name  string
	n     int
	limit int // 0: none
}

func (f figure) high() bool { return f.limit > 0 && f.n > f.limit }

// planFigures are the figures of all packages that are neither makers nor commands, the
// highest first. Fronts have a limit of imports alone.
func planFigures(plans []*plan) (methods, imports, lines []figure) {
	for _, p := range plans {
		if makers[firstPart(p.dir)] || strings.HasPrefix(p.dir, "cmd") {
			continue
		}
		limit := func(n int) int {
			if fronts[firstPart(p.dir)] {
				return 0
			}
			return n
		}
		for of, n := range p.methods {
			methods = append(methods, figure{p.dir + "." + of, n, limit(mostMethods)})
		}
		imports = append(imports, figure{p.dir, p.importsBesideRooms(), mostImports})
		lines = append(lines, figure{p.dir, p.lines, limit(mostLines)})
	}
	for _, list := range [][]figure{methods, imports, lines} {
		slices.SortFunc(list, func(x, y figure) int { return cmp.Or(cmp.Compare(y.n, x.n), cmp.Compare(x.name, y.name)) })
	}
	return methods, imports, lines
}

// importsBesideRooms counts the imports, those of a front without rooms and its own parts.
func (p *plan) importsBesideRooms() (n int) {
	for of := range p.imports {
		dir := strings.TrimPrefix(of, module+"/")
		if fronts[firstPart(p.dir)] && (rooms[path.Base(dir)] || strings.HasPrefix(dir, p.dir+"/")) {
			continue
		}
		n++
	}
	return n
}

// firstPart is the first part of a package's name below internal.
func firstPart(dir string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(dir, "internal/"), "/")
	return first
}

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

// figuresPage is docs/architecture-figures.md.
func figuresPage(methods, imports, lines []figure, face []faceFigure) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# The plan of the code, measured\n\n"+
		"Made by `make figures`; `TestFigures` of `internal/archtest` has the rules and fails where a limit is missed without a reason. Rooms and\n"+
		"engines have at most %d methods on a type, %d imports of ours and %d lines; fronts (`api`, `cli`, `tui`) at most %d imports besides rooms.\n"+
		"Makers of samples and tests, and generated code, are left out.\n\n", mostMethods, mostImports, mostLines, mostImports)
	figuresTable(&b, "Methods of a type", "methods", methods, mostMethods)
	figuresTable(&b, "Imports of ours (of fronts: besides rooms)", "imports", imports, mostImports)
	figuresTable(&b, "Lines of a package", "lines", lines, mostLines)
	b.WriteString("## Words and the library's face\n\n| | figure | limit |\n|---|---|---|\n")
	for _, f := range face {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", f.what, f.is, f.limit)
	}
	return b.Bytes()
}

// figuresTable has the twelve highest figures, and all over the limit.
func figuresTable(b *bytes.Buffer, title, what string, list []figure, limit int) {
	const shown = 12
	fmt.Fprintf(b, "## %s\n\n| | %s | |\n|---|---|---|\n", title, what)
	for i, f := range list {
		if i >= shown && f.n <= limit {
			break
		}
		note := reasons[f.name+" "+what]
		if f.n > limit && note == "" {
			note = "part of a front: its imports have a limit"
		}
		fmt.Fprintf(b, "| `%s` | %d | %s |\n", f.name, f.n, note)
	}
	b.WriteByte('\n')
}
