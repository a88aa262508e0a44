package archtest

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayImport lists, for every package, the packages of ours it may import.
// A package missing here fails the test: adding one is a decision.
var mayImport = map[string]string{
	".":                             "homefs internal/jsonl",
	"claudehome":                    ". homefs internal/jsonl",
	"homefs":                        "internal/regular",
	"cmd/sesskeep":                  "internal/cli internal/cli/shell",
	"internal/gram":                 "internal/query",
	"internal/index":                ". homefs internal/ask internal/gram internal/index/block internal/index/calls internal/index/db internal/index/lineage internal/index/list internal/index/output internal/index/row internal/index/search internal/index/usage internal/packed internal/query",
	"internal/jsonl":                "",
	"internal/query":                "",
	"internal/regular":              "",
	"internal/term":                 "",
	"internal/view":                 ". internal/jsonl internal/saved internal/stamp",
	"internal/price":                ". internal/regular",
	"internal/live":                 ". claudehome homefs internal/ask internal/lock internal/regular internal/stamp",
	"internal/shelf":                ". homefs internal/disk internal/label internal/lock internal/mention internal/regular internal/sealed",
	"internal/settings":             "internal/jsonedit",
	"internal/lock":                 "internal/regular",
	"internal/reading":              ". homefs internal/jsonl internal/saved internal/view",
	"internal/errcode":              ". homefs internal/ask internal/backup internal/bundle internal/cursor internal/holder internal/identity internal/launch internal/sealed internal/shelf internal/vault",
	"internal/runs":                 ". internal/errcode internal/holder internal/identity internal/label internal/launch internal/live internal/redact internal/regular internal/shelf",
	"internal/homes":                ". claudehome homefs internal/ask internal/identity internal/regular internal/vault",
	"internal/jobs":                 ". internal/errcode internal/shelf internal/stamp",
	"internal/freshness":            ". claudehome homefs internal/ask internal/homes internal/index internal/label internal/live internal/stamp",
	"internal/paging":               "internal/cursor internal/errcode",
	"internal/catalog":              ". claudehome internal/ask internal/cursor internal/errcode internal/freshness internal/homes internal/index internal/money internal/paging internal/query internal/reading internal/stamp internal/view",
	"internal/talk":                 ". internal/ask internal/catalog internal/errcode internal/export internal/freshness internal/homes internal/index internal/money internal/query internal/reading internal/redact internal/stamp internal/view",
	"internal/acts":                 ". homefs internal/ask internal/errcode internal/live internal/regular internal/settings internal/shelf internal/stamp",
	"internal/keeping":              ". claudehome homefs internal/acts internal/ask internal/catalog internal/errcode internal/freshness internal/homes internal/live internal/regular internal/shelf internal/stamp internal/vault",
	"internal/manage":               ". claudehome internal/acts internal/ask internal/bundle internal/catalog internal/errcode internal/homes internal/keeping internal/label internal/liveness internal/query internal/shelf internal/trash",
	"internal/board":                ". internal/ask internal/catalog internal/follow internal/freshness internal/holder internal/homes internal/jobs internal/launch internal/live internal/money internal/runs internal/stamp internal/statusline",
	"internal/resume":               ". claudehome internal/ask internal/catalog internal/errcode internal/homes internal/runs internal/talk",
	"internal/todos":                ". claudehome internal/ask internal/catalog internal/homes internal/stamp",
	"internal/setup":                ". claudehome homefs internal/ask internal/cursor internal/errcode internal/history internal/homes internal/paging internal/reading internal/stamp",
	"internal/health":               ". claudehome internal/acts internal/ask internal/catalog internal/check internal/errcode internal/homes internal/keeping internal/live internal/runs internal/secrets internal/shelf internal/stamp",
	"internal/secrets":              ". homefs internal/redact internal/stamp",
	"internal/transfer":             ". internal/acts internal/bundle internal/catalog internal/check internal/errcode internal/homes internal/launch internal/mention internal/reading internal/regular internal/shelf",
	"internal/history":              ". claudehome homefs internal/ask internal/catalog internal/cursor internal/homes internal/paging internal/reading internal/regular internal/stamp",
	"internal/app":                  ". claudehome internal/acts internal/board internal/catalog internal/freshness internal/health internal/history internal/homes internal/insight internal/jobs internal/keeping internal/label internal/live internal/liveness internal/manage internal/mask internal/mention internal/purge internal/recall internal/redact internal/relocate internal/resume internal/runs internal/secrets internal/setup internal/share internal/shelf internal/statusline internal/talk internal/todos internal/transfer internal/trash internal/travel internal/undo internal/vault internal/views internal/versions",
	"internal/sqlview":              "",
	"internal/insight":              ". internal/ask internal/catalog internal/freshness internal/homes internal/index internal/live internal/money internal/price internal/query internal/reading internal/stamp internal/view",
	"internal/views":                ". internal/ask internal/catalog internal/errcode internal/freshness internal/homes internal/index internal/money internal/reading internal/runs internal/sqlview internal/stamp",
	"internal/cli/insight":          "internal/catalog internal/cli/fail internal/cli/output internal/cli/shell internal/cli/usage internal/draw internal/errcode internal/insight internal/term internal/views",
	"internal/demo":                 ". internal/clientline internal/lock internal/regular",
	"internal/draw":                 ". internal/term internal/view",
	"internal/cli":                  "internal/app internal/cli/backup internal/cli/change internal/cli/configure internal/cli/doctor internal/cli/document internal/cli/fail internal/cli/hook internal/cli/insight internal/cli/keep internal/cli/list internal/cli/model internal/cli/output internal/cli/picker internal/cli/project internal/cli/purge internal/cli/run internal/cli/serve internal/cli/shell internal/cli/show internal/cli/usage internal/cli/watch internal/host internal/regular internal/resume internal/talk internal/tui internal/tui/pages",
	"internal/cli/configure":        "internal/cli/fail internal/cli/output internal/cli/shell internal/config internal/term",
	"internal/cli/watch":            "internal/app internal/ask internal/cli/fail internal/cli/output internal/cli/picker internal/cli/shell internal/cli/usage internal/draw internal/follow internal/host internal/live internal/money internal/redact internal/stamp internal/term internal/view",
	"internal/cli/usage":            ". internal/app internal/ask internal/catalog internal/cli/fail internal/cli/output internal/cli/shell internal/draw internal/money internal/statusline internal/talk internal/term",
	"internal/cli/document":         "internal/acts internal/api internal/app internal/catalog internal/cli/fail internal/cli/list internal/cli/output internal/cli/serve internal/cli/shell internal/cli/usage internal/export internal/folder internal/redact internal/share internal/stamp internal/talk internal/term",
	"internal/folder":               "internal/ask internal/catalog internal/errcode internal/export internal/export/page internal/freshness internal/money internal/price internal/redact internal/talk internal/view",
	"internal/versions":             ". internal/acts internal/ask internal/catalog internal/errcode internal/freshness internal/homes internal/index internal/query internal/reading internal/shelf internal/stamp internal/timeline internal/view",
	"internal/timeline":             "",
	"internal/cli/show":             ". internal/acts internal/app internal/ask internal/catalog internal/cli/fail internal/cli/output internal/cli/shell internal/cli/usage internal/draw internal/errcode internal/export internal/follow internal/reading internal/redact internal/talk internal/term internal/timeline internal/versions internal/view",
	"internal/cli/shell":            ". internal/acts internal/app internal/ask internal/catalog internal/cli/fail internal/cli/output internal/config internal/demo internal/errcode internal/history internal/host internal/identity internal/live internal/paging internal/query internal/redact internal/shelf internal/term",
	"internal/cli/serve":            "internal/access internal/api internal/app internal/cli/fail internal/cli/output internal/cli/run internal/cli/shell internal/cli/usage internal/health internal/host internal/mcp internal/money internal/regular internal/runs internal/share internal/stamp internal/term",
	"internal/cli/run":              ". internal/app internal/ask internal/catalog internal/cli/fail internal/cli/output internal/cli/picker internal/cli/shell internal/clientline internal/errcode internal/holder internal/launch internal/regular internal/resume internal/runs internal/shelf internal/standin internal/term",
	"internal/cli/project":          ". internal/acts internal/app internal/ask internal/catalog internal/cli/fail internal/cli/keep internal/cli/output internal/cli/purge internal/cli/shell internal/cli/show internal/history internal/relocate internal/setup internal/term internal/todos",
	"internal/cli/picker":           "internal/app internal/catalog internal/cli/shell internal/follow internal/keys internal/tui",
	"internal/cli/output":           "internal/acts internal/catalog internal/cli/fail internal/draw internal/stamp internal/term internal/view",
	"internal/cli/list":             ". internal/app internal/ask internal/catalog internal/cli/fail internal/cli/keep internal/cli/output internal/cli/picker internal/cli/shell internal/cli/show internal/cli/usage internal/draw internal/host internal/query internal/stamp internal/term",
	"internal/cli/keep":             "internal/acts internal/app internal/ask internal/cli/fail internal/cli/hook internal/cli/output internal/cli/shell internal/errcode internal/host internal/keeping internal/stamp internal/term internal/transfer internal/vault",
	"internal/cli/hook":             ". internal/acts internal/app internal/cli/fail internal/cli/output internal/cli/run internal/cli/serve internal/cli/shell internal/errcode internal/host internal/runs internal/settings internal/shelf internal/term internal/view",
	"internal/cli/fail":             ". internal/access internal/catalog internal/demo internal/errcode internal/host internal/identity internal/reading",
	"internal/cli/doctor":           ". claudehome internal/acts internal/app internal/catalog internal/check internal/cli/fail internal/cli/keep internal/cli/output internal/cli/serve internal/cli/shell internal/config internal/follow internal/health internal/host internal/mask internal/setup internal/term",
	"internal/cli/purge":            "internal/acts internal/app internal/cli/fail internal/cli/output internal/cli/shell internal/purge internal/term",
	"internal/cli/change":           ". internal/acts internal/app internal/ask internal/catalog internal/cli/fail internal/cli/list internal/cli/output internal/cli/shell internal/draw internal/errcode internal/follow internal/live internal/manage internal/runs internal/shelf internal/term internal/transfer internal/trash internal/undo internal/view",
	"internal/keys":                 "",
	"internal/tui":                  ". internal/acts internal/app internal/ask internal/board internal/catalog internal/draw internal/errcode internal/freshness internal/keeping internal/keys internal/money internal/paging internal/query internal/reading internal/resume internal/runs internal/shelf internal/stamp internal/term internal/trash internal/tui/conversation internal/tui/document internal/tui/pages internal/tui/runs internal/tui/search internal/tui/wall internal/tui/wire internal/undo internal/vault internal/view",
	"internal/follow":               ". homefs internal/ask internal/index internal/live internal/money internal/price internal/stamp internal/view",
	"internal/host":                 "internal/regular",
	"internal/money":                ". homefs internal/ask internal/index internal/price internal/regular internal/stamp",
	"internal/archtest":             "",
	"internal/config":               "internal/ask internal/identity internal/keys internal/query internal/regular",
	"internal/bench":                "client internal/storetest",
	"internal/drift":                "",
	"internal/manual":               "internal/cli",
	"internal/capture":              "internal/term",
	"internal/storetest":            "",
	"internal/storetest/makecorpus": "internal/storetest",
	"internal/identity":             ". internal/lock internal/regular internal/sealed",
	"internal/sealed":               "internal/disk internal/regular",
	"internal/stamp":                "",
	"internal/stores":               "",
	"internal/backup":               "homefs internal/disk internal/lock internal/regular internal/sealed",
	"internal/travel":               ". homefs internal/acts internal/backup internal/bundle internal/catalog internal/disk internal/errcode internal/homes internal/label internal/relocate internal/shelf internal/trash internal/vault",
	"internal/cli/backup":           "internal/acts internal/app internal/backup internal/cli/fail internal/cli/output internal/cli/shell internal/errcode internal/regular internal/stamp internal/term internal/travel",
	"internal/cursor":               "",
	"internal/disk":                 "internal/regular",
	"internal/disk/disktest":        "internal/disk",
	"internal/label":                ". internal/disk internal/regular internal/sealed",
	"internal/check":                ". homefs internal/jsonl",
	"internal/statusline":           "internal/ask internal/lock internal/regular internal/stamp",
	"internal/tui/wire":             "internal/app internal/board internal/follow internal/holder internal/runs",
	"internal/access":               "internal/lock internal/regular",
	"internal/bridge":               ". internal/access internal/errcode internal/holder internal/launch internal/runs internal/shelf internal/stamp internal/talk",
	"internal/api":                  ". claudehome internal/access internal/acts internal/app internal/ask internal/board internal/bridge internal/catalog internal/errcode internal/health internal/history internal/holder internal/insight internal/jobs internal/keeping internal/launch internal/lock internal/manage internal/money internal/paging internal/query internal/reading internal/regular internal/relocate internal/resume internal/runs internal/setup internal/share internal/shelf internal/stamp internal/talk internal/transfer internal/trash internal/undo internal/view internal/views internal/web internal/versions",
	"internal/vault":                ". homefs internal/disk internal/lock internal/packed internal/regular internal/sealed",
	"internal/tui/conversation":     ". homefs internal/ask internal/board internal/catalog internal/draw internal/keys internal/reading internal/term internal/tui/document internal/tui/feed internal/tui/files internal/tui/pages internal/view",
	"internal/tui/files":            "internal/acts internal/draw internal/errcode internal/keys internal/talk internal/term internal/timeline internal/tui/pages internal/versions internal/view",
	"internal/tui/document":         "internal/acts internal/catalog internal/export internal/folder internal/keys internal/redact internal/regular internal/talk internal/term internal/tui/pages",
	"internal/tui/feed":             ". internal/draw internal/query internal/term internal/tui/pages internal/view",
	"internal/tui/pages":            ". internal/acts internal/app internal/ask internal/board internal/catalog internal/draw internal/holder internal/keys internal/manage internal/money internal/runs internal/shelf internal/term internal/view",
	"internal/tui/pagetest":         "internal/app internal/ask internal/catalog internal/demo internal/keys internal/term internal/tui/pages",
	"internal/tui/search":           ". internal/ask internal/catalog internal/draw internal/keys internal/paging internal/query internal/reading internal/term internal/tui/conversation internal/tui/feed internal/tui/pages internal/view",
	"internal/tui/wall":             ". internal/board internal/catalog internal/draw internal/follow internal/keys internal/term internal/tui/conversation internal/tui/pages internal/view",
	"internal/export":               ". internal/export/page internal/reading internal/redact internal/view",
	"internal/export/page":          "internal/view",
	"internal/redact":               "",
	"internal/share":                "internal/disk internal/redact internal/regular internal/sealed internal/stamp",
	"internal/storetest/planted":    "",
	"internal/storetest/counted":    "",
	"internal/bundle":               ". homefs internal/jsonl internal/regular",
	"internal/clientline":           "",
	"internal/holder":               "internal/launch internal/lock internal/redact internal/regular internal/sealed internal/stamp",
	"internal/launch":               ". internal/stamp",
	"internal/standin":              "internal/clientline internal/regular",
	"internal/storetest/fakeclaude": "internal/standin",
	"internal/web":                  "",
	"client":                        "",
	"internal/clientgen":            "",
	"internal/storetest/mockapi":    "",
	"internal/storetest/readfault":  "",
	"internal/storetest/mockserver": "internal/storetest/mockapi",
	"internal/tui/runs":             "internal/draw internal/holder internal/keys internal/launch internal/runs internal/term internal/tui/conversation internal/tui/pages",
	"internal/packed":               "",
	"internal/recall":               ". internal/ask internal/board internal/catalog internal/cursor internal/errcode internal/follow internal/money internal/query internal/reading internal/stamp internal/talk internal/term internal/view",
	"internal/mcp":                  "internal/errcode internal/recall",
	"internal/cli/model":            "internal/acts internal/app internal/ask internal/cli/fail internal/cli/hook internal/cli/output internal/cli/serve internal/cli/shell internal/cli/usage internal/disk internal/mcp internal/money internal/recall internal/term",
	"internal/ask":                  ". internal/query internal/stamp",
	"internal/index/db":             "internal/ask internal/lock internal/regular",
	"internal/index/row":            ". homefs internal/ask internal/cursor internal/index/db internal/jsonl internal/query internal/stamp",
	"internal/index/block":          "internal/gram internal/index/db",
	"internal/index/calls":          ". internal/index/db internal/jsonl internal/packed",
	"internal/index/lineage":        ". internal/index/db",
	"internal/index/output":         ". homefs internal/saved",
	"internal/index/usage":          ". homefs internal/ask internal/cursor internal/index/calls internal/index/db internal/index/lineage internal/index/row internal/packed",
	"internal/index/list":           ". internal/ask internal/cursor internal/index/calls internal/index/db internal/index/lineage internal/index/row internal/query internal/stamp",
	"internal/index/search":         ". homefs internal/ask internal/cursor internal/gram internal/index/block internal/index/calls internal/index/db internal/index/lineage internal/index/output internal/index/row internal/jsonl internal/query internal/stamp",
	"internal/jsonedit":             "",
	"internal/liveness":             ". claudehome internal/errcode internal/freshness internal/homes internal/runs",
	"internal/relocate":             ". homefs internal/acts internal/ask internal/catalog internal/errcode internal/homes internal/jsonedit internal/liveness internal/regular internal/shelf",
	"internal/trash":                ". homefs internal/acts internal/ask internal/catalog internal/disk internal/homes internal/label internal/reading internal/regular internal/sealed internal/shelf internal/stamp",
	"internal/undo":                 "internal/acts internal/errcode internal/relocate internal/shelf internal/trash",
	"internal/saved":                ". homefs",
	"internal/mention":              ". internal/regular",
	"internal/traces":               ". homefs internal/jsonedit internal/mention internal/regular",
	"internal/mask":                 ". internal/acts internal/ask internal/catalog internal/errcode internal/homes internal/jsonedit internal/liveness internal/mention internal/redact internal/shelf internal/traces internal/vault",
	"internal/purge":                ". claudehome internal/acts internal/ask internal/catalog internal/errcode internal/homes internal/liveness internal/mention internal/sealed internal/shelf internal/traces internal/trash",
}

// mayUse lists, for every package, the modules of others it may import. Where
// a package is missing only the standard library is allowed.
var mayUse = map[string]string{
	"internal/config":              "github.com/pelletier/go-toml/v2",
	"internal/manual":              "github.com/spf13/cobra github.com/spf13/cobra/doc",
	"internal/cli/configure":       "github.com/spf13/cobra",
	"internal/cli/watch":           "github.com/spf13/cobra",
	"internal/cli/usage":           "github.com/spf13/cobra",
	"internal/cli/document":        "github.com/spf13/cobra",
	"internal/timeline":            "",
	"internal/cli/show":            "github.com/spf13/cobra",
	"internal/cli/shell":           "github.com/spf13/cobra github.com/spf13/pflag golang.org/x/term",
	"internal/cli/serve":           "github.com/spf13/cobra",
	"internal/cli/run":             "github.com/spf13/cobra github.com/spf13/pflag",
	"internal/cli/project":         "github.com/spf13/cobra",
	"internal/cli/output":          "github.com/itchyny/gojq github.com/spf13/pflag",
	"internal/cli/list":            "github.com/spf13/cobra",
	"internal/cli/keep":            "github.com/spf13/cobra",
	"internal/cli/backup":          "github.com/spf13/cobra",
	"internal/backup":              "filippo.io/age github.com/klauspost/compress",
	"internal/cli/hook":            "github.com/spf13/cobra",
	"internal/cli/doctor":          "github.com/spf13/cobra",
	"internal/cli/purge":           "github.com/spf13/cobra",
	"internal/cli/change":          "github.com/spf13/cobra github.com/spf13/pflag",
	"internal/cli/model":           "github.com/spf13/cobra",
	"internal/cli/insight":         "github.com/spf13/cobra",
	"internal/sqlview":             "modernc.org/sqlite",
	"internal/mcp":                 "github.com/modelcontextprotocol/go-sdk",
	"internal/label":               "modernc.org/sqlite",
	"internal/ask":                 "github.com/clipperhouse/uax29/v2",
	"internal/index":               "golang.org/x/sys",
	"internal/index/db":            "modernc.org/sqlite",
	"internal/index/row":           "modernc.org/sqlite",
	"internal/term":                "github.com/clipperhouse/displaywidth golang.org/x/term rsc.io/qr",
	"internal/view":                "github.com/aymanbagabas/go-udiff",
	"internal/cli":                 "github.com/spf13/cobra",
	"internal/live":                "github.com/fsnotify/fsnotify",
	"internal/shelf":               "golang.org/x/sys",
	"internal/vault":               "github.com/klauspost/compress",
	"internal/disk":                "golang.org/x/sys",
	"internal/holder":              "golang.org/x/sys",
	"internal/host":                "golang.org/x/sys",
	"internal/tui":                 "charm.land/bubbletea/v2",
	"internal/bridge":              "github.com/coder/websocket",
	"internal/api":                 "github.com/danielgtaylor/huma/v2 github.com/klauspost/compress golang.org/x/sys",
	"internal/storetest":           "github.com/rogpeppe/go-internal/txtar golang.org/x/sys",
	"internal/storetest/readfault": "golang.org/x/sys",
	"internal/tui/conversation":    "charm.land/bubbletea/v2",
	"internal/tui/document":        "charm.land/bubbletea/v2",
	"internal/tui/files":           "charm.land/bubbletea/v2",
	"internal/tui/pages":           "charm.land/bubbletea/v2",
	"internal/tui/pagetest":        "charm.land/bubbletea/v2",
	"internal/tui/search":          "charm.land/bubbletea/v2",
	"internal/tui/wall":            "charm.land/bubbletea/v2",
	"internal/tui/runs":            "charm.land/bubbletea/v2",
}

// pkg is what go list tells of a package.
type pkg struct {
	ImportPath string
	Imports    []string
}

func TestImports(t *testing.T) {
	packages := list(t)
	module := packages[0].ImportPath
	for _, p := range packages {
		if len(p.ImportPath) < len(module) {
			module = p.ImportPath
		}
	}
	seen := map[string]bool{}
	for _, p := range packages {
		name := relative(module, p.ImportPath)
		seen[name] = true
		allowed, ok := mayImport[name]
		if !ok {
			t.Errorf("%s is not in the table of imports: add it there and in ARCHITECTURE.md", name)
			continue
		}
		check(t, module, name, p.Imports, strings.Fields(allowed), strings.Fields(mayUse[name]))
	}
	for name := range mayImport {
		if !seen[name] {
			t.Errorf("%s is in the table of imports but not in the tree", name)
		}
	}
}

func check(t *testing.T, module, name string, imports, ours, others []string) {
	t.Helper()
	for _, path := range imports {
		switch {
		case path == module || strings.HasPrefix(path, module+"/"):
			if !slices.Contains(ours, relative(module, path)) {
				t.Errorf("%s must not import %s", name, relative(module, path))
			}
		case strings.Contains(strings.Split(path, "/")[0], "."):
			if !slices.ContainsFunc(others, func(o string) bool { return path == o || strings.HasPrefix(path, o+"/") }) {
				t.Errorf("%s must not import %s", name, path)
			}
		}
	}
}

func relative(module, path string) string {
	if path == module {
		return "."
	}
	return strings.TrimPrefix(path, module+"/")
}

func list(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	cmd.Dir = "../.."
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var packages []pkg
	for dec := json.NewDecoder(out); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return packages
}
