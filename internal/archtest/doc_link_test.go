package archtest

import (
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"
	"testing"
)

// A link in a comment leads to a name that is there, also after that was moved to another
// package.
func TestDocLinks(t *testing.T) {
	files := map[string]*ast.File{}
	declared := map[string]map[string]bool{}   // by directory: Name and Name.Member
	imported := map[string]map[string]string{} // by directory: the paths of what its files import
	for name, text := range texts(t).code {
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = file
		dir := path.Dir(name)
		if declared[dir] == nil {
			declared[dir], imported[dir] = map[string]bool{}, map[string]string{}
		}
		noteImports(imported[dir], file)
		for _, d := range file.Decls {
			declare(declared[dir], d)
		}
	}
	seen := 0
	for name, file := range files {
		own := path.Dir(name)
		for _, link := range links(file, imported[own], declared[own]) {
			dir, ours := target(own, link)
			if !ours {
				continue
			}
			seen++
			if what := strings.TrimPrefix(link.Recv+"."+link.Name, "."); what != "" && !declared[dir][what] {
				t.Errorf("%s: a comment links to %s, which %s does not have", name, what, dir)
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d links were read", seen)
	}
}

// module is how the import paths of the project begin.
const module = "sesskeep"

// target is the directory of the package that a link names, if it is one of ours.
func target(own string, link *comment.DocLink) (dir string, ours bool) {
	if link.ImportPath == "" {
		return own, true
	}
	below, ours := strings.CutPrefix(link.ImportPath+"/", module+"/")
	return path.Clean(below), ours
}

// declare notes the names of a declaration, and those of the methods and fields of types.
func declare(names map[string]bool, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names[d.Name.Name] = true
		} else {
			names[receiver(d.Recv.List[0].Type)+"."+d.Name.Name] = true
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				names[s.Name.Name] = true
				declareMembers(names, s)
			case *ast.ValueSpec:
				for _, id := range s.Names {
					names[id.Name] = true
				}
			}
		}
	}
}

func declareMembers(names map[string]bool, s *ast.TypeSpec) {
	var members *ast.FieldList
	switch x := s.Type.(type) {
	case *ast.StructType:
		members = x.Fields
	case *ast.InterfaceType:
		members = x.Methods
	default:
		return
	}
	for _, f := range members.List {
		for _, id := range f.Names {
			names[s.Name.Name+"."+id.Name] = true
		}
	}
}

// receiver is the name of the type that a method belongs to.
func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.IndexListExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}

// noteImports notes what a file imports, by the names under which its package knows it.
func noteImports(known map[string]string, file *ast.File) {
	for _, i := range file.Imports {
		p, _ := strconv.Unquote(i.Path.Value)
		name := path.Base(p)
		if i.Name != nil {
			name = i.Name.Name
		}
		known[name] = p
	}
}

// links are the links in the comments of a file, with the path of the package that each names.
func links(file *ast.File, imported map[string]string, own map[string]bool) (list []*comment.DocLink) {
	p := comment.Parser{
		LookupPackage: func(name string) (string, bool) {
			if name == file.Name.Name {
				return "", true
			}
			if p, ok := imported[name]; ok {
				return p, true
			}
			return comment.DefaultLookupPackage(name)
		},
		LookupSym: func(recv, name string) bool { return recv == "" || own[recv] },
	}
	for _, group := range file.Comments {
		for _, block := range p.Parse(group.Text()).Content {
			list = append(list, linksOf(block)...)
		}
	}
	return list
}

func linksOf(block comment.Block) (list []*comment.DocLink) {
	switch b := block.(type) {
	case *comment.Paragraph:
		for _, text := range b.Text {
			if link, ok := text.(*comment.DocLink); ok {
				list = append(list, link)
			}
		}
	case *comment.List:
		for _, item := range b.Items {
			for _, below := range item.Content {
				list = append(list, linksOf(below)...)
			}
		}
	}
	return list
}
