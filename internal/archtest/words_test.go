package archtest

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// retiredName is a name of the table "Retired names" of docs/words.md.
type retiredName struct {
	words   []string // in lower case: goOn is go, on
	in      string   // "": everywhere, else only below internal/<in>
	instead string
}

var (
	retiredCell = regexp.MustCompile("`([A-Za-z]+)`(?: \\((in|as) ([a-z ]+)\\))?")
	generated   = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.\r?$`)
)

// retiredNames reads the table.
func retiredNames(t *testing.T) (list []retiredName) {
	t.Helper()
	text, err := os.ReadFile("../../docs/words.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n## Retired names\n")
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) != 4 {
			continue
		}
		for _, m := range retiredCell.FindAllStringSubmatch(cells[1], -1) {
			if m[2] != "as" {
				list = append(list, retiredName{camelWords(m[1]), m[3], strings.TrimSpace(cells[2])})
			}
		}
	}
	if len(list) < 20 {
		t.Fatalf("docs/words.md has %d retired names: the table was not read", len(list))
	}
	return list
}

// camelWords splits a name into its words: hitPlace is hit, place.
func camelWords(name string) (words []string) {
	start := 0
	runes := []rune(name)
	for i := 1; i <= len(runes); i++ {
		if i == len(runes) || unicode.IsUpper(runes[i]) && !unicode.IsUpper(runes[i-1]) || runes[i] == '_' {
			words = append(words, strings.ToLower(strings.Trim(string(runes[start:i]), "_")))
			start = i
		}
	}
	return words
}

// appliesTo reports whether a name that a file declares has this one in it.
func (r retiredName) appliesTo(file, declared string) bool {
	if r.in != "" && !strings.HasPrefix(file, "internal/"+r.in+"/") {
		return false
	}
	words := camelWords(declared)
	for i := 0; i+len(r.words) <= len(words); i++ {
		if slices.Equal(words[i:i+len(r.words)], r.words) {
			return true
		}
	}
	return false
}

// Names that docs/words.md retired do not come back in code that is not a test.
func TestRetiredNames(t *testing.T) {
	retired := retiredNames(t)
	for file, text := range texts(t).code {
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range declared(f) {
			for _, r := range retired {
				if r.appliesTo(file, id.Name) {
					t.Errorf("%s: %s is a retired name (docs/words.md): %s", set.Position(id.Pos()), id.Name, r.instead)
				}
			}
		}
	}
}

// declared lists the names that a file declares.
func declared(f *ast.File) (names []*ast.Ident) {
	defined := func(list ...ast.Expr) {
		for _, e := range list {
			if id, ok := e.(*ast.Ident); ok {
				names = append(names, id)
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			names = append(names, n.Name)
		case *ast.TypeSpec:
			names = append(names, n.Name)
		case *ast.ValueSpec:
			names = append(names, n.Names...)
		case *ast.Field:
			names = append(names, n.Names...)
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				defined(n.Lhs...)
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				defined(n.Key, n.Value)
			}
		}
		return true
	})
	return names
}

// dialect are phrases of sentences that an English engineer would not write. The words
// are fine: the gauge counts how often they occur, because such sentences need them.
var dialect = regexp.MustCompile(`(?i)\b(tells?|told|nobody|goes on|go on|of which|whoever|anew|as far as)\b`)

// Code, documents and the dashboard are written in plain English.
func TestPlainEnglish(t *testing.T) {
	all := texts(t)
	for _, of := range []struct {
		what  string
		texts map[string][]byte
		most  float64 // for each 1,000 lines
	}{{"Go that is not a test", all.code, mostMarkedCode}, {"documents", all.docs, mostMarkedProse}, {"the dashboard", all.web, mostMarkedProse}} {
		if len(of.texts) == 0 {
			t.Fatalf("%s: nothing was read", of.what)
		}
		if per, found := phrasesIn(of.texts); per > of.most {
			t.Errorf("%s: %.1f marked phrases for each 1,000 lines, at most %v (docs/words.md): rewrite the sentences, most of them in%s",
				of.what, per, of.most, worst(found))
		}
	}
}

// phrasesIn counts marked phrases for each 1,000 lines, and those of each file that has one.
func phrasesIn(texts map[string][]byte) (perThousand float64, found map[string]int) {
	lines, phrases := 0, 0
	found = map[string]int{}
	for file, text := range texts {
		lines += bytes.Count(text, []byte("\n"))
		if n := len(dialect.FindAll(text, -1)); n > 0 {
			phrases += n
			found[file] = n
		}
	}
	return 1000 * float64(phrases) / float64(max(1, lines)), found
}

// worst lists the files with most phrases.
func worst(found map[string]int) (list string) {
	files := slices.SortedFunc(maps.Keys(found), func(a, b string) int { return cmp.Or(found[b]-found[a], strings.Compare(a, b)) })
	for _, f := range files[:min(len(files), 10)] {
		list += fmt.Sprintf("\n\t%s: %d", f, found[f])
	}
	return list
}

// written is what people read of this project, by file.
type written struct{ code, docs, web map[string][]byte }

// texts reads Go that is neither a test nor generated, the documents, and the sources of
// the dashboard.
func texts(t *testing.T) written {
	t.Helper()
	w := written{map[string][]byte{}, map[string][]byte{}, map[string][]byte{}}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		name = filepath.ToSlash(name)
		if d.IsDir() {
			return skipTexts(path, name)
		}
		into := w.of(name)
		if into == nil {
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil && !(filepath.Ext(name) == ".go" && generated.Match(text)) {
			into[name] = text
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// of returns where the text of a file belongs, or nil.
func (w *written) of(name string) map[string][]byte {
	ext := filepath.Ext(name)
	switch {
	case ext == ".go" && !strings.HasSuffix(name, "_test.go"):
		return w.code
	case ext == ".md" && name != "docs/words.md" && (strings.HasPrefix(name, "docs/") || !strings.Contains(name, "/")):
		return w.docs
	case strings.HasPrefix(name, "web/src/") && strings.Contains(" .svelte .ts .json ", " "+ext+" ") &&
		!strings.HasSuffix(name, ".d.ts") && !strings.Contains(name, ".test."):
		return w.web
	}
	return nil
}

// skipTexts leaves out what is not ours to write: other modules, test data, builds.
func skipTexts(path, name string) error {
	base := filepath.Base(name)
	if name == "." {
		return nil
	}
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	if err == nil || strings.HasPrefix(base, ".") || slices.Contains([]string{"testdata", "vendor", "node_modules", "dist"}, base) {
		return filepath.SkipDir
	}
	return nil
}
