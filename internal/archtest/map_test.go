package archtest

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// codeMap is the table of packages in ARCHITECTURE.md.
var codeMap = regexp.MustCompile(`(?s)(<!-- code map -->\n\n).*?(\n<!-- end of the code map -->)`)

// The code map of ARCHITECTURE.md has a row for each package: the first sentence of its
// doc. SESSKEEP_UPDATE=1 writes it.
func TestCodeMap(t *testing.T) {
	const file = "../../ARCHITECTURE.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !codeMap.Match(text) {
		t.Fatal("ARCHITECTURE.md has no code map between its two marks")
	}
	want := codeMap.ReplaceAllString(string(text), "${1}"+strings.ReplaceAll(packageRows(t), "$", "$$")+"${2}")
	if want == string(text) {
		return
	}
	if os.Getenv("SESSKEEP_UPDATE") == "" {
		t.Fatal("the code map of ARCHITECTURE.md is not what the package docs say: run make map")
	}
	if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// packageRows is the table, and fails the test where a package has no doc, or one whose first
// sentence is too long for a row.
func packageRows(t *testing.T) string {
	t.Helper()
	const longest = 260
	cmd := exec.Command("go", "list", "-f", "{{.ImportPath}}\t{{.Doc}}", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("| package | what it does |\n|---|---|\n")
	module := ""
	for line := range strings.Lines(string(out)) {
		name, doc, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if module == "" {
			module = name // the root is listed first
		}
		// "Package x reads …" becomes "Reads …".
		_, said, _ := strings.Cut(doc, " ")
		_, said, _ = strings.Cut(said, " ")
		if said == "" || len(said) > longest {
			t.Errorf("%s: the first sentence of its doc has %d characters, want 1 to %d", name, len(said), longest)
			continue
		}
		shown := strings.TrimPrefix(strings.TrimPrefix(name, module), "/")
		if shown == "" {
			shown = module
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", shown, strings.ToUpper(said[:1])+said[1:])
	}
	return b.String()
}
