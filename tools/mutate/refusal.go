package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// refusal is a place where a program says no by its own decision: not where it hands
// on what reading or writing failed with.
type refusal struct {
	id    int
	file  string // from the root, with slashes
	in    string // the function
	line  int
	text  string // its condition, on one line
	edits []edit
	again int // how many before it in this function have the same text
}

// name stays the same while lines above it come and go.
func (r *refusal) name() string {
	name := r.file + " " + r.in + ": " + r.text
	if r.again > 0 {
		name += fmt.Sprintf(" (%d)", r.again+1)
	}
	return name
}

// load finds the refusals of packages.
func load(root string, names []string) ([]*refusal, error) {
	list, err := packages.Load(&packages.Config{
		Mode: packages.LoadSyntax, Dir: root, Env: append(os.Environ(), "CGO_ENABLED=0"),
	}, names...)
	if err != nil {
		return nil, err
	}
	if packages.PrintErrors(list) > 0 {
		return nil, errors.New("the packages cannot be loaded")
	}
	rank := func(p *packages.Package) int {
		return slices.Index(names, "./"+strings.TrimPrefix(p.PkgPath, "sesskeep/"))
	}
	slices.SortFunc(list, func(a, b *packages.Package) int { return rank(a) - rank(b) })
	var found []*refusal
	known := &makers{made: map[string]bool{}, checks: map[string]bool{}}
	for range 3 { // makers of errors call each other, and so do checks
		found = nil
		for _, p := range list {
			f := &finder{fset: p.Fset, info: p.TypesInfo, known: known, gathered: map[types.Object]bool{}}
			for i, file := range p.Syntax {
				path, err := filepath.Rel(root, p.CompiledGoFiles[i])
				if err != nil {
					return nil, err
				}
				f.file(filepath.ToSlash(path), file)
			}
			found = append(found, f.found...)
		}
	}
	number(found)
	return found, nil
}

func number(list []*refusal) {
	same := map[string]int{}
	for i, r := range list {
		r.id = i + 1
		key := r.name()
		r.again = same[key]
		same[key]++
	}
}

// makers are the functions that always return an error that they made, and the checks:
// those that return nothing but an error, and made it themselves. Both by their full
// name; a method by its own name alone too, for calls by an interface.
type makers struct{ made, checks map[string]bool }

// finder finds the refusals of a package.
type finder struct {
	fset  *token.FileSet
	info  *types.Info
	known *makers
	found []*refusal
	// gathered are the errors that are joined from several.
	gathered map[types.Object]bool

	// Where it is.
	path string
	name string
	sig  *types.Signature
}

func (f *finder) file(path string, file *ast.File) {
	f.path = path
	f.gather(file)
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		obj := f.info.Defs[fn.Name].(*types.Func)
		f.name, f.sig = funcName(fn), obj.Signature()
		before := len(f.found)
		f.walk(fn.Body)
		f.atEnd(fn)
		if len(f.found) > before && onlyError(f.sig) {
			f.known.checks[obj.FullName()] = true
			if f.sig.Recv() != nil {
				f.known.checks[obj.Name()] = true
			}
		}
		if onlyError(f.sig) && f.alwaysMade(fn.Body) {
			f.known.made[obj.FullName()] = true
		}
	}
}

func funcName(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	return strings.TrimPrefix(types.ExprString(fn.Recv.List[0].Type), "*") + "." + fn.Name.Name
}

// walk finds refusals in a body, and in those of functions inside of it.
func (f *finder) walk(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			outer := f.sig
			f.sig = f.info.TypeOf(n).(*types.Signature)
			f.walk(n.Body)
			f.sig = outer
			return false
		case *ast.BlockStmt:
			f.list(n.List)
		case *ast.CaseClause:
			f.list(n.Body)
		case *ast.CommClause:
			f.list(n.Body)
		case *ast.SwitchStmt:
			f.cases(n)
		case *ast.IfStmt:
			if elseIf, ok := n.Else.(*ast.IfStmt); ok {
				f.guard(elseIf, nil)
			}
		}
		return true
	})
}

func (f *finder) list(list []ast.Stmt) {
	for i, s := range list {
		if guard, ok := s.(*ast.IfStmt); ok {
			var before ast.Stmt
			if i > 0 {
				before = list[i-1]
			}
			f.guard(guard, before)
		}
	}
}

func (f *finder) guard(s *ast.IfStmt, before ast.Stmt) {
	if s.Init != nil {
		before = s.Init
	}
	if f.refuses(s.Body.List, f.handedOn(s.Cond, before)) {
		f.add(s.Cond.Pos(), f.text(s.Cond, s.Init), f.condition(s.Cond)...)
	}
}

func (f *finder) cases(s *ast.SwitchStmt) {
	if s.Tag != nil {
		return
	}
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if len(c.List) == 0 || !f.refuses(c.Body, f.handedOn(c.List[0], s.Init)) {
			continue
		}
		var edits []edit
		for _, e := range c.List {
			edits = append(edits, f.condition(e)...)
		}
		f.add(c.Pos(), "case "+f.text(c.List[0], nil), edits...)
	}
}

// atEnd finds the refusal that ends a function: it is what is left when nothing before
// has let pass.
func (f *finder) atEnd(fn *ast.FuncDecl) {
	n := f.sig.Results().Len()
	if n == 0 || !isError(f.sig.Results().At(n-1).Type()) || len(fn.Body.List) == 0 {
		return
	}
	last, ok := fn.Body.List[len(fn.Body.List)-1].(*ast.ReturnStmt)
	if !ok || len(last.Results) != n || f.alwaysMade(fn.Body) || !f.made(last.Results[n-1]) {
		return
	}
	e := last.Results[n-1]
	f.add(last.Pos(), "return "+f.text(e, nil), edit{f.offset(e.Pos()), "refusedBy(%d, "}, edit{f.offset(e.End()), ")"})
}

func (f *finder) add(pos token.Pos, text string, edits ...edit) {
	f.found = append(f.found, &refusal{file: f.path, in: f.name, line: f.fset.Position(pos).Line, text: text, edits: edits})
}

func (f *finder) condition(e ast.Expr) []edit {
	return []edit{{f.offset(e.Pos()), "("}, {f.offset(e.End()), ") && refusalKept(%d)"}}
}

func (f *finder) offset(p token.Pos) int { return f.fset.Position(p).Offset }

// text is a condition on one line, with what was called for it.
func (f *finder) text(cond ast.Expr, init ast.Stmt) string {
	var b bytes.Buffer
	if init != nil {
		_ = printer.Fprint(&b, f.fset, init)
		b.WriteString("; ")
	}
	_ = printer.Fprint(&b, f.fset, cond)
	return strings.Join(strings.Fields(b.String()), " ")
}

// refuses reports whether statements end by saying no: with an error that was made, or
// with a problem that was written to a client. That an error is handed on is no refusal,
// but where a check made it.
func (f *finder) refuses(list []ast.Stmt, from origin) bool {
	if len(list) == 0 || from == fromOthers {
		return false
	}
	if set, ok := list[len(list)-1].(*ast.AssignStmt); ok {
		return len(set.Lhs) == 1 && len(set.Rhs) == 1 && isError(f.info.TypeOf(set.Lhs[0])) && f.made(set.Rhs[0])
	}
	last, ok := list[len(list)-1].(*ast.ReturnStmt)
	if !ok {
		return false
	}
	if slices.ContainsFunc(list[:len(list)-1], f.writesProblem) {
		return true
	}
	n := f.sig.Results().Len()
	if len(last.Results) == 1 && f.madeWithin(last.Results[0]) {
		return true
	}
	if n == 0 || len(last.Results) != n || !isError(f.sig.Results().At(n-1).Type()) {
		return false
	}
	e := last.Results[n-1]
	_, variable := f.object(e).(*types.Var)
	return f.made(e) || variable && from == fromCheck
}

func (f *finder) writesProblem(s ast.Stmt) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := e.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	obj := f.object(call.Fun)
	return obj != nil && (obj.Name() == "writeProblem" || obj.Name() == "Error" && obj.Pkg() != nil && obj.Pkg().Path() == "net/http")
}

// made reports whether an error is made where it stands.
func (f *finder) made(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr: // &Error{…}
		return e.Op == token.AND
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		if f.madeWithin(e) {
			return true
		}
		fn, ok := f.object(e.Fun).(*types.Func)
		if !ok {
			return false
		}
		name := fn.FullName()
		return name == "errors.New" || name == "fmt.Errorf" || f.known.made[name] || isError(f.info.TypeOf(e)) && !types.IsInterface(f.info.TypeOf(e))
	}
	obj, ok := f.object(e).(*types.Var)
	if !ok {
		return false
	}
	global := obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope()
	return global || !types.IsInterface(obj.Type()) && isError(obj.Type())
}

// madeWithin reports whether an error is made for a call that returns it, with others
// or in words of its own: fail(errors.New(…)).
func (f *finder) madeWithin(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	return ok && slices.ContainsFunc(call.Args, func(arg ast.Expr) bool {
		return isError(f.info.TypeOf(arg)) && f.made(arg) && !f.calls(call, "errors.Is")
	})
}

// alwaysMade reports whether every return of a function gives an error that was made.
func (f *finder) alwaysMade(body *ast.BlockStmt) bool {
	always := true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			always = always && len(n.Results) > 0 && f.made(n.Results[len(n.Results)-1])
		}
		return true
	})
	return always
}

// origin is where an error comes from that a condition compares with nil.
type origin int

const (
	noError    origin = iota // it compares none: a decision
	fromCheck                // or one that was gathered from several
	fromOthers               // reading, writing and the like
)

func (f *finder) handedOn(cond ast.Expr, before ast.Stmt) origin {
	tested := f.testedError(cond)
	if tested == nil {
		return noError
	}
	if f.gathered[f.object(tested)] {
		return fromCheck
	}
	assigned, ok := before.(*ast.AssignStmt)
	if !ok || len(assigned.Lhs) != 1 || len(assigned.Rhs) != 1 || f.object(assigned.Lhs[0]) != f.object(tested) {
		return fromOthers
	}
	if call, ok := assigned.Rhs[0].(*ast.CallExpr); ok && f.isCheck(call) {
		return fromCheck
	}
	return fromOthers
}

// testedError is the error that has to be other than nil for a condition.
func (f *finder) testedError(cond ast.Expr) ast.Expr {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return nil
	}
	switch b.Op {
	case token.LAND:
		if e := f.testedError(b.X); e != nil {
			return e
		}
		return f.testedError(b.Y)
	case token.LOR: // any other reason is a decision
		if f.testedError(b.X) == nil {
			return nil
		}
		return f.testedError(b.Y)
	case token.NEQ:
		if id, ok := b.Y.(*ast.Ident); ok && id.Name == "nil" && isError(f.info.TypeOf(b.X)) {
			return b.X
		}
	}
	return nil
}

// gather notes the errors that a loop joins from several.
func (f *finder) gather(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			f.gatherIn(n.Body)
		case *ast.RangeStmt:
			f.gatherIn(n.Body)
		}
		return true
	})
}

func (f *finder) gatherIn(loop *ast.BlockStmt) {
	ast.Inspect(loop, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			return true
		}
		if call, ok := a.Rhs[0].(*ast.CallExpr); ok && f.calls(call, "errors.Join") {
			f.gathered[f.object(a.Lhs[0])] = true
		}
		return true
	})
}

func (f *finder) isCheck(call *ast.CallExpr) bool {
	switch obj := f.object(call.Fun).(type) {
	case *types.Func:
		if recv := obj.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
			return f.known.checks[obj.Name()] && onlyError(obj.Signature())
		}
		return f.known.checks[obj.FullName()]
	case *types.Var: // one of a list of checks, or made for many files; no callback
		sig, ok := obj.Type().Underlying().(*types.Signature)
		return ok && onlyError(sig) && obj.Kind() == types.LocalVar
	}
	return false
}

func (f *finder) calls(call *ast.CallExpr, name string) bool {
	fn, ok := f.object(call.Fun).(*types.Func)
	return ok && fn.FullName() == name
}

func (f *finder) object(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return f.info.ObjectOf(e)
	case *ast.SelectorExpr:
		return f.info.ObjectOf(e.Sel)
	}
	return nil
}

var errorType = types.Universe.Lookup("error").Type()

func isError(t types.Type) bool {
	return t != nil && types.Implements(t, errorType.Underlying().(*types.Interface))
}

func onlyError(sig *types.Signature) bool {
	return sig.Results().Len() == 1 && types.Identical(sig.Results().At(0).Type(), errorType)
}
