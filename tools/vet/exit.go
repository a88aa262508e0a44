package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// module is how the import paths of the program begin.
const module = "sesskeep"

// exits are the ways to standard output and standard error, with the files that
// may use them. All others write to a term.Exit.
var exits = map[string][]string{
	"os.Stdout": {"internal/cli/shell/env.go"},
	"os.Stderr": {"internal/cli/shell/env.go"},
	// Files by their number, and the numbers themselves.
	"os.NewFile":    {"internal/lock/lock_windows.go", "internal/live/notify_linux.go", "internal/host/exit_linux.go"},
	"syscall.Write": nil, "golang.org/x/sys/unix.Write": nil, "golang.org/x/sys/windows.Write": nil,
	"syscall.Stdout": nil, "syscall.Stderr": nil,

	"fmt.Print": nil, "fmt.Printf": nil, "fmt.Println": nil, "print": nil, "println": nil,
	"log.Default": nil, "log.SetOutput": nil, "log.Writer": nil, "log.Output": nil,
	"log.Print": nil, "log.Printf": nil, "log.Println": nil,
	"log.Fatal": nil, "log.Fatalf": nil, "log.Fatalln": nil, "log.Panic": nil, "log.Panicf": nil, "log.Panicln": nil,
	"log/slog.Default": nil, "log/slog.SetDefault": nil, "log/slog.Log": nil, "log/slog.LogAttrs": nil,
	"log/slog.Debug": nil, "log/slog.Info": nil, "log/slog.Warn": nil, "log/slog.Error": nil,
	"log/slog.DebugContext": nil, "log/slog.InfoContext": nil, "log/slog.WarnContext": nil, "log/slog.ErrorContext": nil,

	// What an Exit leads to, for programs that have the terminal in our place.
	module + "/internal/term.Exit.Raw":              {"internal/term/pager.go", "internal/cli/shell/lend.go"},
	module + "/internal/cli/shell.Shell.Lend":       {"internal/cli/picker/pick.go", "internal/cli/run/run.go", "internal/cli/run/resume.go", "internal/cli/configure/configure.go", "internal/cli/usage/statusline_wrap.go"},
	module + "/internal/cli/shell.Shell.LendErrors": {"internal/cli/run/resume.go", "internal/cli/watch/watch.go", "internal/cli/configure/configure.go", "internal/cli/usage/statusline_wrap.go"},
	module + "/internal/tui.Options.Stdout":         {"internal/tui/tui.go", "internal/cli/picker/pick.go"},
	"golang.org/x/term.NewTerminal":                 nil,
	"charm.land/bubbletea/v2.NewProgram":            {"internal/tui/tui.go"},
	"charm.land/bubbletea/v2.WithOutput":            {"internal/tui/tui.go"},
	"charm.land/bubbletea/v2.NewView":               {"internal/tui/tui.go"},
	"charm.land/bubbletea/v2.Raw":                   {"internal/tui/bell.go"},
	"charm.land/bubbletea/v2.Println":               nil,
	"charm.land/bubbletea/v2.Printf":                nil,
	"charm.land/bubbletea/v2.Program.Println":       nil,
	"charm.land/bubbletea/v2.Program.Printf":        nil,
	"charm.land/bubbletea/v2.View.WindowTitle":      nil,
	"charm.land/bubbletea/v2.View.Content":          nil,
}

// devices are names under which a terminal could be opened.
var devices = []string{"/dev/tty", "/dev/stdout", "/dev/stderr", "/dev/fd/", "/dev/pts/", "/proc/self/fd/", "CONOUT$"}

// apart are programs and packages beside the program, which only we run.
var apart = []string{"internal/storetest", "internal/bench", "internal/capture", "internal/drift", "internal/manual", "internal/clientgen", "internal/tui/pagetest"}

// exit finds ways to a terminal that text from content could take without having
// been made safe.
var exit = &analysis.Analyzer{
	Name: "exit", Doc: "only a term.Exit leads to standard output and standard error", Run: findExits,
}

func findExits(pass *analysis.Pass) (any, error) {
	path, ours := strings.CutPrefix(pass.Pkg.Path(), module)
	path = strings.Trim(path, "/")
	beside := func(dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }
	if !ours || slices.ContainsFunc(apart, beside) {
		return nil, nil
	}
	for _, file := range pass.Files {
		name := filepath.Base(pass.Fset.Position(file.Pos()).Filename)
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				checkUse(pass, path+"/"+name, n)
			case *ast.BasicLit:
				checkText(pass, n)
			}
			return true
		})
	}
	return nil, nil
}

func checkUse(pass *analysis.Pass, file string, id *ast.Ident) {
	used := pass.TypesInfo.Uses[id]
	if used == nil {
		return
	}
	name := nameOf(used)
	if may, ok := exits[name]; ok && !slices.Contains(may, file) {
		pass.Reportf(id.Pos(), "%s leads past term.Exit to a terminal", name)
	}
}

// nameOf is the name of an object, with that of the type it belongs to.
func nameOf(used types.Object) string {
	if used.Pkg() == nil { // built in
		if _, ok := used.(*types.Builtin); ok {
			return used.Name()
		}
		return ""
	}
	prefix := used.Pkg().Path() + "."
	switch used := used.(type) {
	case *types.Func:
		if recv := used.Signature().Recv(); recv != nil {
			return prefix + typeName(recv.Type()) + "." + used.Name()
		}
	case *types.Var:
		if used.IsField() {
			return prefix + ownerOf(used) + "." + used.Name()
		}
	}
	return prefix + used.Name()
}

func typeName(t types.Type) string {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj().Name()
	}
	return ""
}

// ownerOf is the type of its package that has the field.
func ownerOf(field *types.Var) string {
	scope := field.Pkg().Scope()
	for _, name := range scope.Names() {
		if t, ok := scope.Lookup(name).Type().Underlying().(*types.Struct); ok {
			for f := range t.Fields() {
				if f == field {
					return name
				}
			}
		}
	}
	return ""
}

func checkText(pass *analysis.Pass, lit *ast.BasicLit) {
	if lit.Kind != token.STRING {
		return
	}
	text := constant.StringVal(constant.MakeFromLiteral(lit.Value, lit.Kind, 0))
	for _, device := range devices {
		if strings.HasPrefix(text, device) {
			pass.Reportf(lit.Pos(), "%s leads past term.Exit to a terminal", device)
		}
	}
}
