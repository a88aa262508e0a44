//go:build linux && (amd64 || arm64)

package cli

import (
	"slices"
	"strings"
	"testing"
)

// A faultLine is a command line to run under faults.
type faultLine struct {
	command string
	args    []string
	stdin   string
	changes bool // it is meant to change something
	cold    bool // without an index
	apart   bool // with an index of its own, which is new
}

func (l faultLine) String() string {
	text := "sesskeep " + strings.Join(l.args, " ")
	if l.cold {
		text += " (without an index)"
	}
	return text
}

// faultReads are the arguments with which commands that only read are run. A command
// that only has others below it is run as it is.
var faultReads = map[string][]string{
	"api":                   {"/health"},
	"check":                 {"1111", "--all", "3333 --json"},
	"scan":                  {"1111", "--all"},
	"clean":                 {"", "--older-than 1d --dry-run", "--unneeded --dry-run"},
	"command ls":            {"", "--all --json"},
	"command show":          {"review", "local"},
	"completion":            {"bash"},
	"config path":           {""},
	"config show":           {"--origin", "--json"},
	"digest":                {"--on 2026-11-14 --all", "--since 2026-11-01 --all --json"},
	"doctor":                {"--all", "--all --json", "--settings"},
	"export":                {"1111 --agents", "1111 --to jsonl", "2222 --all-conversations --to json", "6666"},
	"file log":              {"WORLD/app/coast.go"},
	"file show":             {"WORLD/app/coast.go"},
	"file diff":             {"WORLD/app/coast.go 1111"},
	"blame":                 {"WORLD/app/coast.go"},
	"history":               {"--all", "--all --json"},
	"history projects":      {"--all"},
	"history timeline":      {"--all"},
	"hook status":           {"", "--json"},
	"inbox ls":              {""},
	"backup ls":             {"WORLD/backup", "WORLD/backup --json"},
	"backup verify":         {"WORLD/backup"},
	"keep expiring":         {"", "--json"},
	"keep gone":             {"", "--json"},
	"keep place ls":         {"", "--json"},
	"keep retention":        {""},
	"keep status":           {"", "--json"},
	"keep verify":           {""},
	"context":               {"1111", "painted", "1111 --json"},
	"log":                   {"", "1111", "--sessions"},
	"ls":                    {"--all --source all --columns tags,note", "--all --json", "--all --filter tag:coast", "--all --archived"},
	"project conversations": {"", "--json"},
	"project ls":            {"", "--json"},
	"project memory":        {""},
	"project show":          {""},
	"ps":                    {"--all", "--all --json"},
	"resume":                {"1111 --print-command"},
	"run attach":            {"r1"},
	"run fork":              {"1111 hello --print-command"},
	"run ls":                {"--ended"},
	"run show":              {"r1", "r1 --json"},
	"run start":             {"hello --print-command", "--resume 1111 hello --print-command"},
	"search":                {"lighthouses --all", "farword --all", "painted --all --count", "tide --all --json", "tide --filter tag:coast --all"},
	"serve":                 {"--print-unit"},
	"serve stop":            {""},
	"session agents":        {"1111", "2222"},
	"session conversations": {"2222"},
	"session diff":          {"2222:b4 2222:b6"},
	"session files":         {"1111 --patch"},
	"session ls":            {"--all"},
	"session show":          {"1111", "1111 --json"},
	"session tree":          {"1111", "2222 --json"},
	"session usage":         {"1111"},
	"share":                 {"1111 --dry-run", "2222 --dry-run --json"},
	"share ls":              {"", "--json"},
	"show":                  {"1111 --tools full", "2222 --json", "6666", "1111/a0000000000000001", "8888"},
	"insights":              {"--since 2020-01-01", "--since 2020-01-01 --json"},
	"session health":        {"2222", "1111 --json"},
	"session context":       {"2222", "1111 --json"},
	"sql":                   {"", "select/**/text,raw/**/from/**/messages/**/order/**/by/**/1,2", "select/**/usd,title/**/from/**/sessions --json"},
	"stats":                 {"--all", "--all --json"},
	"storage":               {"", "--json"},
	"token ls":              {""},
	"trash ls":              {"", "--json"},
	"undo":                  {"--list", "--dry-run"},
	"usage":                 {"--all", "session --all --json", "--windows --all", "project --all"},
	"usage ledger":          {"1111"},
	"todo ls":               {"", "--done --json"},
	"version":               {""},
	"watch":                 {"1111 --since-start --timeout 300ms"},
}

// faultChanges are those of commands that are meant to change something. What stands
// behind " < " is their input.
var faultChanges = map[string][]string{
	"backup":                     {"WORLD/backup", "WORLD/work/all.tar"},
	"backup restore":             {"WORLD/backup", "WORLD/backup --to WORLD/work/home --home claude"},
	"clean":                      {"--filter shells --all --yes", "--unneeded --yes"},
	"hook ask":                   {` < {"hook_event_name":"PermissionRequest","session_id":"22222222-0000-4000-8000-000000000000","cwd":"WORLD/app","tool_name":"Bash","tool_input":{"command":"ls"}}`},
	"hook install":               {""},
	"hook keep":                  {` < {"hook_event_name":"SessionEnd","session_id":"22222222-0000-4000-8000-000000000000","cwd":"WORLD/app"}`},
	"hook report":                {` < {"hook_event_name":"Stop","session_id":"22222222-0000-4000-8000-000000000000","cwd":"WORLD/app"}`},
	"hook uninstall":             {""},
	"inbox allow":                {"0000"},
	"inbox deny":                 {"0000"},
	"keep export":                {"1111 WORLD/work/1111.bundle", "1111 2222 WORLD/work/bundles"},
	"keep import":                {"WORLD/work/9999.bundle --project WORLD/app"},
	"keep now":                   {""},
	"keep off":                   {""},
	"keep on":                    {""},
	"keep place add":             {"WORLD/work"},
	"keep place remove":          {"WORLD/work"},
	"keep place sync":            {""},
	"keep restore":               {"6666"},
	"keep retention set":         {"365"},
	"project mv":                 {"WORLD/lib WORLD/work"},
	"project purge":              {"WORLD/lib --dry-run", "WORLD/lib --confirm lib"},
	"file restore":               {"WORLD/app/coast.go@1111 --to WORLD/work/coast.go"},
	"mcp install":                {"", "--scope project"},
	"mcp plugin":                 {"WORLD/work/plugin"},
	"mask":                       {"5555 --dry-run", "5555", "5555 --purge --yes"},
	"session purge":              {"5555 --dry-run", "5555 --confirm 1"},
	"repair":                     {"3333 --yes"},
	"run hold":                   {""},
	"run standin":                {""},
	"run interrupt":              {"r1"},
	"run rm":                     {"r1"},
	"run send":                   {"r1 hello"},
	"run set":                    {"r1 --model opus"},
	"run stop":                   {"r1"},
	"session archive":            {"2222"},
	"session fork":               {"2222:b4"},
	"session mv":                 {"2222 --to WORLD/work"},
	"session note":               {"2222 --text paint"},
	"session rename":             {"2222 Colours", "1111 Lamps --local"},
	"session source":             {"helper 2222"},
	"session star":               {"1111"},
	"session tag add":            {"boat 2222"},
	"session tag rm":             {"coast 1111"},
	"session trash":              {"1111", "2222"},
	"session unarchive":          {"4444"},
	"session unstar":             {"2222"},
	"share revoke":               {"5f0c"},
	"token create":               {"--name other"},
	"token revoke":               {"TOKEN"},
	"trash purge":                {"5555 --yes"},
	"trash restore":              {"5555"},
	"undo":                       {""},
	"usage statusline install":   {""},
	"usage statusline uninstall": {""},
	"usage statusline":           {` < {"session_id":"11111111-0000-4000-8000-000000000000","cwd":"WORLD/app","context_window":{"context_window_size":200000},"rate_limits":{"five_hour":{"used_percentage":50,"resets_at":1794830000}}}`},
}

// faultStays are the commands that stay until somebody ends them, and what stands for
// them.
var faultStays = map[string]string{
	"":            "is the interface; without a terminal it has nothing to show",
	"config edit": "opens an editor; config show reads the same file",
	"inbox watch": "stays; inbox ls reads the same",
	"mcp":         "stays; context reads the same, and what a question cannot read is in its answer",
	"pair":        "starts a server and stays",
	"ui":          "starts a server and stays",
}

// faultTable is every command line to run under faults. A command that has none fails
// the test.
func faultTable(t testing.TB) []faultLine {
	t.Helper()
	var lines []faultLine
	add := func(command string, list []string, changes bool) {
		for _, text := range list {
			text, input, _ := strings.Cut(text, " < ")
			args := append(strings.Fields(command), strings.Fields(text)...)
			lines = append(lines, faultLine{command: command, args: args, stdin: input, changes: changes})
			if !changes {
				lines = append(lines, faultLine{command: command, args: args, stdin: input, cold: true})
			}
		}
	}
	all := commandTree()
	for path, c := range all {
		command := strings.TrimPrefix(strings.TrimPrefix(path, "sesskeep"), " ")
		reads, changes := faultReads[command], faultChanges[command]
		if faultStays[command] == "" && !c.HasSubCommands() && len(reads)+len(changes) == 0 {
			t.Errorf("%s: no command line in the tables of read faults", path)
		}
		add(command, reads, false)
		add(command, changes, true)
	}
	for _, table := range []map[string][]string{faultReads, faultChanges} {
		for command := range table {
			if all["sesskeep "+command] == nil {
				t.Errorf("there is no command %q", command)
			}
		}
	}
	for command := range faultStays {
		if all[strings.TrimSpace("sesskeep "+command)] == nil {
			t.Errorf("there is no command %q", command)
		}
	}
	slices.SortFunc(lines, func(a, b faultLine) int { return strings.Compare(a.String(), b.String()) })
	return lines
}
