package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ways are the lists of ARCHITECTURE.md that are followed through the code: where each
// begins and ends, and how many hops it may have.
var ways = []struct {
	title       string
	first, last string
	most        int // hops
}{
	{"Line → terminal, a conversation that is open", "inotify.wait", "drawPart", 18},
	{"Line → terminal, `watch`", "inotify.wait", "watchView.text", 18},
	{"Line → web", "inotify.wait", "sse.write", 16},
}

// stop is one file of a way, with the functions that a reader goes through there.
type stop struct {
	file  string
	back  string // the function of an earlier stop that calls the first one; "": the one before does
	steps []step
}

// step is a function, and what it hands over to the next one by; "": it calls it.
type step struct{ name, by string }

// TestWays follows each way, from function to function.
func TestWays(t *testing.T) {
	text := architecture(t)
	for _, w := range ways {
		stated, stops, err := wayCalled(text, w.title)
		if err != nil {
			t.Errorf("%s: %v", w.title, err)
			continue
		}
		for _, problem := range followWay(stops) {
			t.Errorf("%s: %s", w.title, problem)
		}
		steps := allSteps(stops)
		if first, last := steps[0].name, steps[len(steps)-1].name; first != w.first || last != w.last {
			t.Errorf("%s leads from %s to %s, want from %s to %s", w.title, first, last, w.first, w.last)
		}
		if hops := len(stops) - 1; hops > w.most || hops != stated {
			t.Errorf("%s has %d hops; it says %d, and may have %d", w.title, hops, stated, w.most)
		}
	}
}

// TestWaysNotice holds that a list which is wrong is noticed: one that leaves out a
// step or a stop, names a function that is not there, or another file.
func TestWaysNotice(t *testing.T) {
	text := architecture(t)
	for _, w := range ways {
		for i := range stopsOf(t, text, w.title) {
			damage(t, text, w.title, fmt.Sprintf("without stop %d", i+1), func(stops []stop) []stop {
				if i == 0 || i == len(stops)-1 {
					stops[i].steps[0].name = "missing"
					return stops
				}
				return slices.Delete(stops, i, i+1)
			})
			damage(t, text, w.title, fmt.Sprintf("stop %d in another file", i+1), func(stops []stop) []stop {
				stops[i].file = "live/judge.go"
				return stops
			})
			for n := range stopsOf(t, text, w.title)[i].steps {
				damage(t, text, w.title, fmt.Sprintf("stop %d step %d is another one", i+1, n+1), func(stops []stop) []stop {
					stops[i].steps[n].name += "Never"
					return stops
				})
			}
		}
	}
}

// damage spoils a way and expects a problem.
func damage(t *testing.T, text, title, how string, spoil func([]stop) []stop) {
	t.Helper()
	if len(followWay(spoil(stopsOf(t, text, title)))) == 0 {
		t.Errorf("%s: it is not noticed %s", title, how)
	}
}

func architecture(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func stopsOf(t *testing.T, text, title string) []stop {
	t.Helper()
	_, stops, err := wayCalled(text, title)
	if err != nil {
		t.Fatal(err)
	}
	return stops
}

var (
	hopsStated = regexp.MustCompile(`^\((\d+) hops\)\n\n`)
	stopLine   = regexp.MustCompile("^\\d+\\. (?:back in `([\\w.]+)`: )?`(\\S+\\.go): ([^`]+)`")
	stepText   = regexp.MustCompile(`^([\w.]+)(?: \((\w+)\))?$`)
)

// wayCalled reads the list under a title, and how many hops it says that there are.
func wayCalled(text, title string) (stated int, stops []stop, err error) {
	_, rest, found := strings.Cut(text, "**"+title+"** ")
	m := hopsStated.FindStringSubmatch(rest)
	if !found || m == nil {
		return 0, nil, fmt.Errorf("there is no such list in ARCHITECTURE.md")
	}
	stated, _ = strconv.Atoi(m[1])
	list, _, _ := strings.Cut(rest[len(m[0]):], "\n\n")
	for n, line := range strings.Split(list, "\n") {
		m := stopLine.FindStringSubmatch(line)
		if m == nil || !strings.HasPrefix(line, strconv.Itoa(n+1)+".") {
			return stated, nil, fmt.Errorf("line %d is no stop: %s", n+1, line)
		}
		s := stop{file: m[2], back: m[1]}
		for _, part := range strings.Split(m[3], " → ") {
			m := stepText.FindStringSubmatch(part)
			if m == nil {
				return stated, nil, fmt.Errorf("stop %d: %q is no step", n+1, part)
			}
			s.steps = append(s.steps, step{m[1], m[2]})
		}
		stops = append(stops, s)
	}
	return stated, stops, nil
}

func allSteps(stops []stop) (list []step) {
	for _, s := range stops {
		list = append(list, s.steps...)
	}
	return list
}

// followWay lists what is wrong with a way: functions that are not where it says, and
// those that do not lead to the next.
func followWay(stops []stop) (problems []string) {
	functions := map[string]*ast.FuncDecl{} // of the way so far
	var before step
	left := "" // what the way came back with, until a function names it
	for i, s := range stops {
		if i > 0 && s.file == stops[i-1].file {
			problems = append(problems, fmt.Sprintf("stop %d is in %s like the one before: they are one stop", i+1, s.file))
		}
		declared, err := functionsIn(filepath.Join("..", filepath.FromSlash(s.file)))
		if err != nil {
			return append(problems, err.Error())
		}
		if s.back != "" {
			if before.by == "" {
				problems = append(problems, before.name+" hands over nothing before the way comes back to "+s.back)
			}
			left, before = before.by, step{name: s.back}
		}
		for _, next := range s.steps {
			fn := declared[next.name]
			if fn == nil {
				problems = append(problems, fmt.Sprintf("%s has no %s", s.file, next.name))
			} else if before.name != "" && !leads(functions[before.name], before, fn, next.name) {
				problems = append(problems, fmt.Sprintf("%s does not lead to %s of %s", before.name, next.name, s.file))
			}
			if fn != nil && names(fn, left) {
				left = ""
			}
			functions[next.name], before = fn, next
		}
	}
	if left != "" {
		problems = append(problems, "no function names "+left+" after the way came back")
	}
	return problems
}

// leads reports whether one function calls the next, or hands it on to be called, or
// hands over by something that both name.
func leads(from *ast.FuncDecl, by step, to *ast.FuncDecl, name string) bool {
	switch {
	case from == nil:
		return false
	case by.by == "":
		return calls(from, name, to)
	case strings.HasSuffix(by.name, "."+by.by) && calls(to, by.name, from): // in the other direction
		return true
	}
	gives := names(from, by.by) || from.Type.Results != nil && within(from.Type.Results, by.by)
	return gives && names(to, by.by)
}

// calls reports whether a function calls another one with as many arguments as that
// takes, or gives it to a function as an argument.
func calls(from *ast.FuncDecl, name string, to *ast.FuncDecl) bool {
	_, method, isMethod := strings.Cut(name, ".")
	if !isMethod {
		method = name
	}
	is := func(x ast.Expr) bool {
		switch x := x.(type) {
		case *ast.SelectorExpr:
			return x.Sel.Name == method
		case *ast.Ident:
			return !isMethod && x.Name == method
		}
		return false
	}
	found := false
	ast.Inspect(from.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			found = found || is(call.Fun) && len(call.Args) == to.Type.Params.NumFields() || slices.ContainsFunc(call.Args, is)
		}
		return !found
	})
	return found
}

// names reports whether a function names something, in its parameters or its body.
func names(fn *ast.FuncDecl, what string) bool {
	return within(fn.Type.Params, what) || within(fn.Body, what)
}

func within(part ast.Node, what string) bool {
	found := false
	ast.Inspect(part, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == what
		return !found
	})
	return found
}

// functionsIn are the functions of a file by their names, methods as Type.method.
func functionsIn(path string) (map[string]*ast.FuncDecl, error) {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	list := map[string]*ast.FuncDecl{}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		name := fn.Name.Name
		if fn.Recv != nil {
			of := fn.Recv.List[0].Type
			if star, ok := of.(*ast.StarExpr); ok {
				of = star.X
			}
			if id, ok := of.(*ast.Ident); ok {
				name = id.Name + "." + name
			}
		}
		list[name] = fn
	}
	return list, nil
}
