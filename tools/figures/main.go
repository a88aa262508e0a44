// Command figures measures the plan of the code and writes docs/architecture-figures.md:
// how many methods types have, what packages import of ours, how long they are, and what
// a newcomer reads: plain sentences, commented names, examples.
//
// Lines are physical ones, with comments. Test files and generated code count for nothing.
// A method counts for the type that is its receiver.
package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The limits of rooms and engines. Fronts may import as many packages besides rooms.
const (
	mostMethods = 40
	mostImports = 14
	mostLines   = 7000
)

// rooms are the packages that fronts ask.
var rooms = words("acts app ask board catalog errcode freshness health history homes jobs keeping manage paging relocate resume runs setup talk transfer trash undo")

// fronts show what rooms answer; makers write samples, tests and pictures.
var (
	fronts = words("api cli tui")
	makers = words("archtest bench capture clientgen clientline demo drift storetest")
)

// reasons say why something is over a limit and stays so.
var reasons = map[string]string{
	"internal/app imports":            "it is the wiring of the rooms, and knows all of them",
	"internal/launch.Machine methods": "one method for each thing that can happen to a run; a table test walks them",
}

type pkg struct {
	dir     string
	lines   int
	imports map[string]bool // of ours
	methods map[string]int  // by type
}

func main() {
	out := flag.String("o", "docs/architecture-figures.md", "the `file` that is written")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	pkgs, err := measure(".")
	if err != nil {
		return err
	}
	face, err := measureFace(".")
	if err != nil {
		return err
	}
	return os.WriteFile(out, write(pkgs, face), 0o644)
}

// measure reads every package of the module in a directory.
func measure(root string) ([]*pkg, error) {
	byDir := map[string]*pkg{}
	err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && name != root && (skipped(e.Name()) || nested(name)):
			return filepath.SkipDir
		case e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		dir := filepath.ToSlash(filepath.Dir(name))
		if dir == "." {
			dir = "sesskeep"
		}
		p := byDir[dir]
		if p == nil {
			p = &pkg{dir: dir, imports: map[string]bool{}, methods: map[string]int{}}
			byDir[dir] = p
		}
		return p.add(name)
	})
	var list []*pkg
	for _, p := range byDir {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b *pkg) int { return cmp.Compare(a.dir, b.dir) })
	return list, err
}

func skipped(name string) bool {
	return name == "testdata" || name == "node_modules" || name == "vendor" || strings.HasPrefix(name, ".")
}

// nested reports whether another module begins in a directory.
func nested(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// add counts a file.
func (p *pkg) add(name string) error {
	text, err := os.ReadFile(name)
	if err != nil || generated.Match(text) {
		return err
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	p.lines += bytes.Count(text, []byte("\n"))
	for _, im := range f.Imports {
		if of, _ := strconv.Unquote(im.Path.Value); of == "sesskeep" || strings.HasPrefix(of, "sesskeep/") {
			p.imports[of] = true
		}
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
			p.methods[receiver(fn.Recv.List[0].Type)]++
		}
	}
	return nil
}

// receiver is the name of a method's type.
func receiver(e ast.Expr) string {
	switch t := e.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
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

func write(pkgs []*pkg, face *face) []byte {
	var methods, imports, lines []figure
	for _, p := range pkgs {
		if made(p.dir) {
			continue
		}
		limit := func(n int) int { // fronts and commands are held by their imports alone
			if front(p.dir) || strings.HasPrefix(p.dir, "cmd") {
				return 0
			}
			return n
		}
		for t, n := range p.methods {
			methods = append(methods, figure{p.dir + "." + t, n, limit(mostMethods)})
		}
		imports = append(imports, figure{p.dir, p.besideRooms(), mostImports})
		lines = append(lines, figure{p.dir, p.lines, limit(mostLines)})
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# The plan of the code, measured\n\n"+
		"Made by `make figures` (`tools/figures` has the rules). Rooms and engines have at most %d methods on a type, %d imports of ours and\n"+
		"%d lines; fronts at most %d imports besides rooms. Makers of samples and tests, and generated code, are left out.\n\n", mostMethods, mostImports, mostLines, mostImports)
	over := map[string]int{}
	table(&b, "Methods of a type", "methods", methods, over)
	table(&b, "Imports of ours (of fronts: besides rooms)", "imports", imports, over)
	table(&b, "Lines of a package", "lines", lines, over)
	open := face.write(&b)
	for _, n := range over {
		open += n
	}
	fmt.Fprintf(&b, "%d figures miss a limit without a reason.\n", open)
	return b.Bytes()
}

// shown is how many rows a table has, besides those over a limit.
const shown = 12

func table(b *bytes.Buffer, title, what string, list []figure, over map[string]int) {
	slices.SortFunc(list, func(x, y figure) int { return cmp.Or(cmp.Compare(y.n, x.n), cmp.Compare(x.name, y.name)) })
	fmt.Fprintf(b, "## %s\n\n| | %s | |\n|---|---|---|\n", title, what)
	for i, f := range list {
		high := f.limit > 0 && f.n > f.limit
		if i >= shown && !high {
			continue
		}
		why := ""
		if high {
			if why = reasons[f.name+" "+what]; why == "" {
				why = "over the limit: not cut yet"
				over[what]++
			}
		}
		fmt.Fprintf(b, "| `%s` | %d | %s |\n", f.name, f.n, why)
	}
	fmt.Fprintln(b)
}

// besideRooms counts the imports, those of a front without rooms and its own parts.
func (p *pkg) besideRooms() (n int) {
	for of := range p.imports {
		dir := strings.TrimPrefix(of, "sesskeep/")
		if front(p.dir) && (rooms[path.Base(dir)] || strings.HasPrefix(dir, p.dir+"/")) {
			continue
		}
		n++
	}
	return n
}

func front(dir string) bool { return fronts[part(dir)] }
func made(dir string) bool  { return makers[part(dir)] }

// part is the first part of a package's name below internal.
func part(dir string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(dir, "internal/"), "/")
	return first
}

func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}
