package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/acts"
	store "sesskeep/internal/backup"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/backup"
	"sesskeep/internal/cli/change"
	"sesskeep/internal/cli/configure"
	"sesskeep/internal/cli/doctor"
	"sesskeep/internal/cli/document"
	"sesskeep/internal/cli/hook"
	"sesskeep/internal/cli/keep"
	"sesskeep/internal/cli/list"
	"sesskeep/internal/cli/model"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/project"
	"sesskeep/internal/cli/purge"
	"sesskeep/internal/cli/run"
	"sesskeep/internal/cli/serve"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/cli/show"
	"sesskeep/internal/cli/watch"
	"sesskeep/internal/demo"
	"sesskeep/internal/follow"
	"sesskeep/internal/health"
	"sesskeep/internal/history"
	"sesskeep/internal/holder"
	"sesskeep/internal/insight"
	"sesskeep/internal/keeping"
	"sesskeep/internal/manage"
	"sesskeep/internal/mask"
	"sesskeep/internal/reading"
	"sesskeep/internal/resume"
	"sesskeep/internal/runs"
	"sesskeep/internal/setup"
	"sesskeep/internal/share"
	"sesskeep/internal/talk"
	"sesskeep/internal/todos"
	"sesskeep/internal/transfer"
	"sesskeep/internal/trash"
	"sesskeep/internal/travel"
	"sesskeep/internal/versions"
	"sesskeep/internal/views"
)

// jsonCommands are the commands that write JSON, each as it is run on the sample
// home, and the type of what it writes. Where nothing is to be run, the type alone
// is looked at.
var jsonCommands = []struct {
	name  string
	args  string // behind the name; "-": not run
	value any
}{
	{"ls", "--all --source all", catalog.Page{}},
	{"session ls", "--all", catalog.Page{}},
	{"search", "the", catalog.SearchPage{}},
	{"search", "the --count", list.Count{}},
	{"project ls", "", catalog.ProjectPage{}},
	{"project show", "{PROJECT}", project.ShownProject{}},
	{"project conversations", "{PROJECT}", catalog.ConversationPage{}},
	{"show", "@last", reading.Page{}},
	{"show", "@last --audit", reading.Audit{}},
	{"session show", "@last", reading.Page{}},
	{"session conversations", "@last", catalog.ConversationPage{}},
	{"session tree", "@last", talk.TreePage{}},
	{"session agents", "@last", show.AgentPage{}},
	{"session files", "@last --patch", show.FilePage{}},
	{"session usage", "@last", talk.TurnUsagePage{}},
	{"usage", "--windows", catalog.UsageReport{}},
	{"usage", "", catalog.UsageReport{}},
	{"usage", "session", catalog.UsageReport{}},
	{"usage ledger", "", catalog.Ledger{}},
	{"stats", "", catalog.Stats{}},
	{"digest", "", talk.Work{}},
	{"sql", "-", views.Selection{}},
	{"insights", "", insight.Insights{}},
	{"session health", "@last", insight.Insights{}},
	{"session context", "@last", insight.ContextUse{}},
	{"sql", "", views.Contract{}},
	{"file log", "reader.go", talk.FileLog{}},
	{"file show", "reader.go", versions.FileVersion{}},
	{"file diff", "reader.go 39877941", versions.FileComparison{}},
	{"file restore", "-", versions.FileRestoration{}},
	{"blame", "reader.go", versions.BlamePage{}},
	{"project memory", "{PROJECT}", setup.Memory{}},
	{"watch", "-", follow.Event{}},
	{"ps", "--all", watch.PsPage{}},
	{"log", "--sessions", follow.LifePage{}},
	{"history", "--full", history.PromptPage{}},
	{"history projects", "", history.ProjectUsePage{}},
	{"history timeline", "", history.Timeline{}},
	{"command ls", "", setup.CommandPage{}},
	{"command show", "{COMMAND}", setup.CommandText{}},
	{"storage", "", health.StoragePage{}},
	{"doctor", "", health.Health{}},
	{"config path", "", configure.File{}},
	{"config show", "", configure.Page{}},
	{"doctor", "--settings", setup.SettingsPage{}},
	{"check", "--all", health.CheckPage{}},
	{"scan", "--all", health.ScanPage{}},
	{"repair", "@last --dry-run", doctor.Repaired{}},
	{"session fork", "-", change.Branched{}},
	{"keep export", "-", transfer.Exported{}},
	{"keep import", "-", keep.Imported{}},
	{"session diff", "@last @last", talk.Comparison{}},
	{"resume", "@last --yes --print-command", resume.Plan{}},
	{"run start", "hello --print-command", run.Printed{}},
	{"run start", "-", run.Result{}},
	{"run fork", "-", run.Result{}},
	{"run ls", "", runs.RunPage{}},
	{"run show", "-", run.Shown{}},
	{"run send", "-", holder.Record{}},
	{"run set", "-", holder.Record{}},
	{"run interrupt", "-", holder.Record{}},
	{"run stop", "-", holder.Record{}},
	{"run rm", "-", holder.Record{}},
	{"inbox", "", runs.InboxPage{}},
	{"inbox ls", "", runs.InboxPage{}},
	{"inbox allow", "-", holder.Record{}},
	{"inbox deny", "-", holder.Record{}},
	{"inbox watch", "-", runs.InboxItem{}},
	{"hook install", "--dry-run", hook.Changes{}},
	{"mcp install", "--dry-run", hook.Changes{}},
	{"mcp plugin", "-", model.Plugin{}},
	{"hook uninstall", "--dry-run", hook.Changes{}},
	{"usage statusline install", "--dry-run", hook.Changes{}},
	{"usage statusline uninstall", "--dry-run", hook.Changes{}},
	{"hook status", "", hook.Homes{}},
	{"keep on", "-", keep.Switched{}},
	{"keep off", "-", keep.Switched{}},
	{"keep now", "-", keeping.KeepReport{}},
	{"keep status", "-", keeping.KeepStatus{}},
	{"keep verify", "-", keeping.KeepVerified{}},
	{"keep expiring", "--days 0", keep.ExpiringPage{}},
	{"keep gone", "-", keep.GonePage{}},
	{"keep place add", "-", keep.MirrorsSynced{}},
	{"keep place sync", "-", keep.MirrorsSynced{}},
	{"keep place ls", "-", keep.MirrorsPage{}},
	{"keep place remove", "-", keeping.MirrorStatus{}},
	{"keep restore", "-", keep.Restored{}},
	{"keep retention", "", keeping.RetentionPage{}},
	{"keep retention set", "-", hook.Changes{}},
	{"session rename", "@last T --local --dry-run", acts.Outcome{}},
	{"session tag add", "later @last --dry-run", acts.Outcome{}},
	{"session tag rm", "later @last --dry-run", acts.Outcome{}},
	{"session star", "@last --dry-run", acts.Outcome{}},
	{"session unstar", "@last --dry-run", acts.Outcome{}},
	{"session source", "agent @last --dry-run", acts.Outcome{}},
	{"session note", "@last --text x --dry-run", acts.Outcome{}},
	{"session archive", "-", acts.Outcome{}},
	{"session unarchive", "@last --dry-run", acts.Outcome{}},
	{"session trash", "@last --dry-run --force", acts.Outcome{}},
	{"session mv", "-", acts.Outcome{}},
	{"clean", "", manage.CleanPage{}},
	{"clean", "--older-than 20d --dry-run", acts.Outcome{}},
	{"project mv", "-", project.MovedPage{}},
	{"project purge", "-", purge.Page{}},
	{"session purge", "@last --dry-run", purge.Page{}},
	{"mask", "@last --dry-run", mask.Masked{}},
	{"mask --purge", "-", doctor.MaskPurged{}},
	{"trash ls", "", trash.TrashPage{}},
	{"trash restore", "-", acts.Outcome{}},
	{"trash purge", "-", acts.Outcome{}},
	{"log", "", change.LogPage{}},
	{"undo", "-", change.Undone{}},
	{"undo", "--list", change.LogPage{}},
	{"ui", "-", serve.Dashboard{}},
	{"pair", "-", serve.PairedDevice{}},
	{"serve stop", "-", serve.Stopped{}},
	{"token create", "--name phone", serve.NewToken{}},
	{"token ls", "", serve.TokenPage{}},
	{"token revoke", "-", serve.TokenRow{}},
	{"share", "@last --dry-run", document.Shared{}},
	{"share ls", "", document.LinkList{}},
	{"share revoke", "-", share.Link{}},
	{"backup", "-", travel.Made{}},
	{"backup ls", "-", backup.Backups{}},
	{"backup verify", "-", store.Verified{}},
	{"backup restore", "-", travel.Restored{}},
	{"todo ls", "", todos.Page{}},
	{"context", "@last", model.Context{}},
	{"version", "", shell.VersionInfo{}},
}

// noJSON are the commands that write none.
const noJSON = `|sesskeep|help|completion|todo|config|config edit|command|file|project|session|keep|keep place|hook|hook report|usage statusline|serve|api|token|session tag|trash|export|hook keep|hook ask|run|mcp|run hold|run standin|run attach|`

// TestJSONDocumented holds docs/json.md to every field that a command can write.
func TestJSONDocumented(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(string(doc), "\n## Names that changed")
	known := map[string]bool{}
	for _, m := range regexp.MustCompile("[`\"]([A-Za-z0-9]+)[`\"]").FindAllStringSubmatch(text, -1) {
		known[m[1]] = true
	}
	home := demoHome(t)
	schema := readSchema(t)
	covered := map[string]bool{}
	for _, c := range jsonCommands {
		covered[c.name] = true
		if !strings.Contains(text, "`"+c.name+"`") && !strings.Contains(text, "\n## "+c.name+"\n") {
			t.Errorf("docs/json.md does not tell of %q", c.name)
		}
		fields := map[string]bool{}
		typeFields(reflect.TypeOf(c.value), fields, map[reflect.Type]bool{})
		if c.args != "-" {
			schema.check(t, c.name, home.fields(c.name+" "+c.args, fields))
		}
		if len(fields) == 0 {
			t.Errorf("%q has no fields", c.name)
		}
		for name := range fields {
			if !known[name] {
				t.Errorf("%s: docs/json.md does not have %q", c.name, name)
			}
		}
	}
	for path := range commandTree() {
		if name := strings.TrimPrefix(path, "sesskeep "); !covered[name] && !strings.Contains(noJSON, "|"+name+"|") {
			t.Errorf("%q is not among the commands that write JSON, or none", name)
		}
	}
}

// typeFields collects the names of all fields of a type, those of what it holds
// too.
func typeFields(t reflect.Type, into map[string]bool, seen map[reflect.Type]bool) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		typeFields(t.Elem(), into, seen)
	case reflect.Struct:
		if seen[t] {
			return
		}
		seen[t] = true
		for f := range t.Fields() {
			name := output.JSONName(f)
			if name != "" {
				into[name] = true
			}
			if name != "" || f.Anonymous {
				typeFields(f.Type, into, seen)
			}
		}
	}
}

// sample runs commands on the sample home.
type sample struct {
	t                      *testing.T
	root, project, command string
}

func demoHome(t *testing.T) *sample {
	t.Helper()
	h := &sample{t: t, root: t.TempDir()}
	if err := demo.Write(h.root, testNow); err != nil {
		t.Fatal(err)
	}
	h.project = strings.TrimSpace(h.run("project ls --jq .projects[0].id"))
	h.command = strings.TrimSpace(h.run("command ls --all --jq .commands[0].name"))
	return h
}

func (h *sample) run(line string) string {
	h.t.Helper()
	line = strings.NewReplacer("{PROJECT}", h.project, "{COMMAND}", h.command).Replace(line)
	var stdout, stderr bytes.Buffer
	exit := Main(append(strings.Fields(line), "--claude-dir", h.root), shell.Env{
		Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Dir: "/", Home: h.root + "-user",
		Lookup:  func(string) (string, bool) { return "", false },
		Now:     func() time.Time { return testNow },
		Program: func() (string, error) { return "sesskeep", nil },
	})
	if exit != 0 && exit != 7 { // 7: doctor found damage
		h.t.Fatalf("%s: exit code %d: %s", line, exit, &stderr)
	}
	return stdout.String()
}

var milliseconds = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)

// fields collects the names of the fields that a command writes and those it
// lists, looks at the times it writes, and returns its JSON.
func (h *sample) fields(line string, into map[string]bool) string {
	h.t.Helper()
	var value any
	text := h.run(line + " --json")
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		h.t.Fatalf("%s: %v: %s", line, err, text)
	}
	h.walk(line, value, into)
	for name := range strings.Lines(h.run(line + " --json=?")) {
		into[strings.TrimSpace(name)] = true
	}
	return text
}

func (h *sample) walk(line string, value any, into map[string]bool) {
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			h.walk(line, v, into)
		}
	case map[string]any:
		for name, v := range value {
			into[name] = true
			text, isText := v.(string)
			if isText && (name == "timestamp" || strings.HasSuffix(name, "At") || name == "since") && !milliseconds.MatchString(text) {
				if !(name == "since" && len(text) == len("2026-11-15")) { // the day a price is from
					h.t.Errorf("%s: %s is %q", line, name, text)
				}
			}
			if name != "input" { // of a tool: its own
				h.walk(line, v, into)
			}
		}
	}
}

// TestCursor reads every list that has a next one item at a time, and compares
// that with the list itself.
func TestCursor(t *testing.T) {
	t.Parallel()
	home := demoHome(t)
	for line, items := range map[string]string{
		"ls --all --source all": "sessions", "ls --all --sort -title": "sessions", "search the --all": "results",
		"history --all": "prompts", "history projects --all": "projects", "project ls": "projects",
		"project conversations {PROJECT}": "conversations", "command ls --all": "commands",
	} {
		whole := home.items(line+" -n 500", items, nil)
		var all []string
		for next := ""; ; {
			cursor := ""
			if next != "" {
				cursor = " --cursor " + next
			}
			all = append(all, home.items(line+" -n 1"+cursor, items, &next)...)
			if next == "" || len(all) > len(whole) {
				break
			}
		}
		if len(whole) < 2 || !slices.Equal(all, whole) {
			t.Errorf("%s: one by one %d items, %d in all, or others:\n%q\n%q", line, len(all), len(whole), all, whole)
		}
	}
}

// items runs a command and gives the items of its list, and where it goes on.
func (h *sample) items(line, name string, next *string) (list []string) {
	h.t.Helper()
	var value map[string]json.RawMessage
	var items []map[string]any
	err := json.Unmarshal([]byte(h.run(line+" --json")), &value)
	if err == nil {
		err = json.Unmarshal(value[name], &items)
	}
	if next != nil && err == nil {
		if *next = ""; value["next"] != nil {
			err = json.Unmarshal(value["next"], next)
		}
	}
	if err != nil {
		h.t.Fatalf("%s: %v", line, err)
	}
	for _, item := range items {
		text, err := json.Marshal(item)
		if err != nil {
			h.t.Fatal(err)
		}
		list = append(list, string(text))
	}
	return list
}
