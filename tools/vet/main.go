// Vet type-checks and vets the packages of this directory, with their tests, for
// systems that are named as GOOS/GOARCH. "go vet" does it too, but first compiles
// all that they import for each of these systems, which takes far longer; and it
// knows nothing of the one way on which text may leave this program (exit.go).
package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/suite/vet"
	"golang.org/x/tools/go/packages"
)

func main() {
	wrong := false
	for _, system := range os.Args[1:] {
		list, err := check(system)
		if err != nil {
			fmt.Fprintf(os.Stderr, "vet for %s: %v\n", system, err)
			os.Exit(2)
		}
		for _, text := range list {
			fmt.Fprintf(os.Stderr, "%s (%s)\n", text, system)
			wrong = true
		}
	}
	if wrong || len(os.Args) == 1 {
		os.Exit(1)
	}
}

// check prints what is wrong on a system.
func check(system string) (wrong []string, err error) {
	list, err := load(system)
	if err != nil {
		return nil, err
	}
	graph, err := checker.Analyze(append(slices.Clone(vet.Suite), exit), list, nil)
	if err != nil {
		return nil, err
	}
	printed := map[string]bool{} // a package is there once more with its tests
	for action := range graph.All() {
		if action.Err != nil {
			return nil, fmt.Errorf("%v: %w", action, action.Err)
		}
		for _, d := range action.Diagnostics {
			text := fmt.Sprintf("%v: %s", action.Package.Fset.Position(d.Pos), d.Message)
			if action.IsRoot && !printed[text] {
				printed[text] = true
				wrong = append(wrong, text)
			}
		}
	}
	return wrong, nil
}

// load type-checks our packages whole, and what they import without the bodies of
// functions. What is not known whole cannot be vetted, so it is no import to the
// vetting, which knows the functions of the standard library by their names.
func load(system string) ([]*packages.Package, error) {
	goos, goarch, _ := strings.Cut(system, "/")
	list, err := packages.Load(&packages.Config{
		Mode: packages.LoadAllSyntax | packages.NeedModule, Tests: true,
		Env: append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch),
	}, "./...")
	if err != nil {
		return nil, err
	}
	if packages.PrintErrors(list) > 0 || len(list) == 0 {
		return nil, errors.New("the packages cannot be loaded")
	}
	whole := map[*packages.Package]bool{}
	for _, p := range list {
		whole[p] = true
	}
	for p := range whole {
		for path, imported := range p.Imports {
			if !whole[imported] {
				delete(p.Imports, path)
			}
		}
	}
	return list, nil
}
