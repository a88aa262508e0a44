package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	xmodule "golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// path is where the renamed module would be published.
const path, version = "code.example.org/tools/sesskeep", "v0.1.0"

// user is a program of somebody who imports the library.
const user = `package main

import (
	"fmt"

	"code.example.org/tools/sesskeep"
	"code.example.org/tools/sesskeep/claudehome"
	"code.example.org/tools/sesskeep/client"
)

func main() {
	_, err := sesskeep.Open("/no/such/home")
	fmt.Println(err != nil)
	var _ claudehome.Command
	var _ client.Client
}
`

// A renamed copy is fetched by "go get" from a proxy, and a program that imports its packages
// builds and runs.
func TestFetched(t *testing.T) {
	dir := t.TempDir()
	copied := filepath.Join(dir, "copy")
	copyTracked(t, copied)
	if err := rename(copied, path); err != nil {
		t.Fatal(err)
	}
	proxy := filepath.Join(dir, "proxy", path, "@v")
	publish(t, copied, proxy)

	program := filepath.Join(dir, "program")
	write(t, filepath.Join(program, "main.go"), user)
	cache, others, _ := strings.Cut(strings.TrimSpace(run(t, ".", nil, "go", "env", "GOMODCACHE", "GOPROXY")), "\n")
	env := []string{
		"GOPROXY=file://" + filepath.Join(dir, "proxy") + ",file://" + filepath.Join(cache, "cache", "download") + "," + others,
		"GONOSUMDB=" + path, "GONOSUMCHECK=1", "GOFLAGS=-mod=mod -modcacherw", "GOSUMDB=off", "GOWORK=off",
	}
	run(t, program, env, "go", "mod", "init", "example.org/program")
	run(t, program, env, "go", "get", path+"@"+version)
	if got := run(t, program, env, "go", "run", "."); got != "true\n" {
		t.Errorf("the program prints %q", got)
	}
	modules := run(t, program, env, "go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", ".")
	for _, m := range strings.Fields(modules) {
		if m != path && m != "example.org/program" {
			t.Errorf("importing the library links %s", m)
		}
	}
	left := run(t, copied, nil, "go", "list", "-f", `{{range .Imports}}{{.}}{{"\n"}}{{end}}`, "./...")
	for _, of := range strings.Fields(left) {
		if of == "sesskeep" || strings.HasPrefix(of, "sesskeep/") {
			t.Errorf("%s is still imported", of)
		}
	}
}

func TestProse(t *testing.T) {
	const before = "`sesskeep` and `sesskeep/client`; `go doc sesskeep` or go to sesskeep/internal"
	got, err := prose([]byte(before), "sesskeep", "a.b/c")
	if err != nil {
		t.Fatal(err)
	}
	if want := "`sesskeep` and `a.b/c/client`; `go doc a.b/c` or go to sesskeep/internal"; string(got) != want {
		t.Errorf("%q becomes %q, want %q", before, got, want)
	}
}

// copyTracked copies the sources, and makes them a repository of their own.
func copyTracked(t *testing.T, to string) {
	t.Helper()
	names, err := tracked("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		from := filepath.Join("../..", name)
		if info, err := os.Lstat(from); err != nil || !info.Mode().IsRegular() {
			continue
		}
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(to, name), string(text))
	}
	run(t, to, nil, "git", "init", "-q")
	run(t, to, nil, "git", "add", "-A")
}

// publish writes what a module proxy serves of the sources.
func publish(t *testing.T, sources, to string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(sources, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(to, version+".mod"), string(text))
	write(t, filepath.Join(to, version+".info"), `{"Version":"`+version+`"}`)
	write(t, filepath.Join(to, "list"), version+"\n")
	f, err := os.Create(filepath.Join(to, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := zip.CreateFromDir(f, xmodule.Version{Path: path, Version: version}, sources); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}
