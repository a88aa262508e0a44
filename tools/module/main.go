// Command module gives the project another module path, under which others can fetch it:
//
//	module -top .. -to host/owner/sesskeep
//
// It changes the module lines of go.mod, the import paths of all Go files, the texts in them that
// begin like an import path, and what README and docs say of packages.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
	xmodule "golang.org/x/mod/module"
)

func main() {
	top := flag.String("top", "..", "the sources")
	to := flag.String("to", "", "the new module path")
	flag.Parse()
	if err := rename(*top, *to); err != nil {
		fmt.Fprintln(os.Stderr, "module:", err)
		os.Exit(1)
	}
}

// rename renames the module of the sources.
func rename(top, to string) error {
	if err := xmodule.CheckPath(to); err != nil {
		return fmt.Errorf("-to: %w; for example host.example/owner/sesskeep", err)
	}
	text, err := os.ReadFile(filepath.Join(top, "go.mod"))
	if err != nil {
		return err
	}
	from := modfile.ModulePath(text)
	if from == "" {
		return errors.New("go.mod has no module line")
	}
	names, err := tracked(top)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := renameIn(filepath.Join(top, name), from, to); err != nil {
			return err
		}
	}
	return nil
}

// tracked are the files of the project.
func tracked(top string) ([]string, error) {
	cmd := exec.Command("git", "ls-files", "-z")
	cmd.Dir = top
	out, err := cmd.Output()
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 }), err
}

// renameIn renames the module in a file.
func renameIn(name, from, to string) error {
	var edit func(text []byte, from, to string) ([]byte, error)
	switch {
	case filepath.Base(name) == "go.mod":
		edit = moduleLine
	case filepath.Ext(name) == ".go":
		edit = goFile
	case filepath.Ext(name) == ".md" && !strings.Contains(filepath.ToSlash(name), "/changelog/"):
		edit = prose
	default:
		return nil
	}
	before, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil // removed, and not yet committed
	}
	if err != nil {
		return err
	}
	after, err := edit(before, from, to)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if bytes.Equal(before, after) {
		return nil
	}
	return os.WriteFile(name, after, 0o644)
}

// moduleLine renames the module that a go.mod declares, if it is ours or below it.
func moduleLine(text []byte, from, to string) ([]byte, error) {
	f, err := modfile.ParseLax("go.mod", text, nil)
	if err != nil || f.Module == nil {
		return text, err
	}
	below, ours := strings.CutPrefix(f.Module.Mod.Path+"/", from+"/")
	if !ours {
		return text, nil
	}
	if err := f.AddModuleStmt(strings.TrimSuffix(to+"/"+below, "/")); err != nil {
		return nil, err
	}
	return modfile.Format(f.Syntax), nil
}

// goFile renames what a Go file imports, and its texts that begin with an import path of ours.
func goFile(text []byte, from, to string) ([]byte, error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, "", text, parser.SkipObjectResolution)
	if err != nil {
		return text, nil // a file that is broken on purpose, for a test
	}
	alone := map[*ast.BasicLit]bool{} // those that name the module itself
	for _, im := range f.Imports {
		alone[im.Path] = true
	}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.CONST {
			noteModule(alone, d)
		}
	}
	var out bytes.Buffer
	done := 0
	ast.Inspect(f, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		value, err := strconv.Unquote(lit.Value)
		below, ours := strings.CutPrefix(value, from+"/")
		if err != nil || !(ours && isPackage(below) || alone[lit] && value == from) {
			return true
		}
		at := files.Position(lit.Pos()).Offset + 1 // behind the quote
		out.Write(text[done:at])
		out.WriteString(to)
		done = at + len(from)
		return true
	})
	out.Write(text[done:])
	return out.Bytes(), nil
}

// noteModule notes the constants with the name module: they say how import paths begin.
func noteModule(alone map[*ast.BasicLit]bool, d *ast.GenDecl) {
	for _, s := range d.Specs {
		v, ok := s.(*ast.ValueSpec)
		if !ok || len(v.Names) != 1 || v.Names[0].Name != "module" || len(v.Values) != 1 {
			continue
		}
		if lit, ok := v.Values[0].(*ast.BasicLit); ok {
			alone[lit] = true
		}
	}
}

// directories are those of the top that have packages.
const directories = "claudehome|client|cmd|homefs|internal|tools"

var (
	packageDir = regexp.MustCompile(`^(` + directories + `)(/|$)`)
	inProse    = regexp.MustCompile("(`|\"|go doc )sesskeep(/(?:" + directories + ")\\b|`)")
)

// isPackage reports whether a path below the module is, or begins like, that of a package.
func isPackage(below string) bool { return below == "" || packageDir.MatchString(below) }

// prose renames the packages that a document names.
func prose(text []byte, from, to string) ([]byte, error) {
	return inProse.ReplaceAllFunc(text, func(match []byte) []byte {
		parts := inProse.FindSubmatch(match)
		named := bytes.HasPrefix(parts[2], []byte("/")) || bytes.HasPrefix(parts[1], []byte("go doc"))
		if !named { // the program
			return match
		}
		return bytes.Replace(match, []byte(from), []byte(to), 1)
	}), nil
}
