package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/query"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// globals are the flags every command takes.
type globals struct {
	claudeDirs []string
	demo       bool
	project    string
	all        bool

	json   string // fields, "*" for all, "" without the flag
	jsonl  bool
	jq     string
	format string
	header bool

	limit   int
	cursor  string
	since   string
	until   string
	noColor bool
	ascii   bool
	noPager bool
	quiet   bool
}

func (g *globals) register(root *cobra.Command) {
	f := root.PersistentFlags()
	f.StringArrayVar(&g.claudeDirs, "claude-dir", nil, "read Claude's home at `DIR`; may be given several times, and as NAME=DIR to name it")
	f.BoolVar(&g.demo, "demo", false, "use a sample home made for trying things out")
	f.StringVarP(&g.project, "project", "p", "", "only `PROJECT`: its name, its path, or . for the one you are in")
	f.BoolVar(&g.all, "all", false, "all projects, not only the one you are in")
	f.StringVar(&g.json, "json", "", "write JSON; --json=`FIELDS` picks some, --json=? lists them")
	f.Lookup("json").NoOptDefVal = "*"
	f.BoolVar(&g.jsonl, "jsonl", false, "write JSON, one item a line")
	f.StringVar(&g.jq, "jq", "", "filter the JSON with a jq `EXPRESSION`")
	f.StringVar(&g.format, "format", "", "write a list as `FORM`: table, tsv, csv, json or jsonl")
	f.BoolVar(&g.header, "header", false, "column names when writing tab-separated")
	f.IntVarP(&g.limit, "limit", "n", 0, "at most `N` items")
	f.StringVar(&g.cursor, "cursor", "", "go on at `NEXT`, which the page before ends with in JSON, or skip that many items")
	f.StringVar(&g.since, "since", "", "only from `WHEN` on: 2d, 36h, yesterday, 2026-11-01, RFC 3339")
	f.StringVar(&g.until, "until", "", "only before `WHEN`")
	f.BoolVar(&g.noColor, "no-color", false, "no colours")
	f.BoolVar(&g.ascii, "ascii", false, "plain characters only")
	f.BoolVar(&g.noPager, "no-pager", false, "do not use a pager")
	f.BoolVarP(&g.quiet, "quiet", "q", false, "no progress and no hints")
}

// choosing are flags that choose what a list holds, and paged those of a list that
// is read page by page.
const (
	choosing = "project limit since until"
	paged    = choosing + " cursor"
)

// heeded names, for every command, those of them that it heeds. The others
// it refuses: a list that is not the one asked for must not look like it.
var heeded = map[string]string{
	"sesskeep": "project", "resume": "project", "watch": "project", "ps": "project",
	"ls": paged, "session ls": paged, "search": paged,
	"history": paged, "history projects": paged, "history timeline": choosing,
	"usage": choosing, "usage ledger": choosing, "stats": choosing,
	"command ls": "project limit cursor", "command show": "project",
	"project ls": "limit cursor", "project show": "project", "project conversations": "project limit cursor",
	"log": "limit since until", "storage": "limit", "undo": "limit",
	"hook report": paged, // which never fails, whatever it is given
}

// checkFlags refuses flags that are given and say nothing, or nothing to this
// command.
func (sh *shell) checkFlags(cmd *cobra.Command) (err error) {
	name := strings.TrimPrefix(cmd.CommandPath(), "sesskeep ")
	heeds := strings.Fields(heeded[name])
	cmd.Flags().Visit(func(f *pflag.Flag) {
		global := f == cmd.Root().PersistentFlags().Lookup(f.Name) // watch has an --until of its own
		switch {
		case err != nil:
		case strings.HasPrefix(f.Value.Type(), "string") && strings.Trim(f.Value.String(), `[]"`) == "":
			err = usageError{"--" + f.Name + " is empty", "give it a value or leave it out"}
		case global && slices.Contains(strings.Fields(paged), f.Name) && !slices.Contains(heeds, f.Name):
			err = usageError{fmt.Sprintf("%q has no use for --%s", name, f.Name), `run "` + cmd.CommandPath() + ` --help"`}
		}
	})
	if err == nil && name != "hook report" {
		_, err = sh.form()
	}
	return err
}

// pause is a length of time as a flag takes it: 30s, 2m, or plain seconds.
type pause time.Duration

func (p *pause) String() string { return term.Duration(time.Duration(*p)) }
func (p *pause) Type() string   { return "TIME" }

func (p *pause) Set(text string) error {
	d, err := time.ParseDuration(text)
	if seconds, e := strconv.ParseFloat(text, 64); e == nil && seconds < 1e9 {
		d, err = time.Duration(seconds*float64(time.Second)), nil
	}
	if err != nil || d < 0 {
		return errors.New("write 5s, 2m or 1h30m")
	}
	*p = pause(d)
	return nil
}

// span reads --since and --until.
func (sh *shell) span() (since, until time.Time, err error) {
	now := sh.Now()
	if since, err = parseWhen(sh.flags.since, now); err != nil {
		return since, until, usageError{"--since: " + err.Error(), whenHint}
	}
	if until, err = parseWhen(sh.flags.until, now); err != nil {
		return since, until, usageError{"--until: " + err.Error(), whenHint}
	}
	return since, until, nil
}

const whenHint = "write 2d, 36h, 3w, today, yesterday, 2026-11-01 or 2026-11-01T15:04:05Z"

// parseWhen reads a point in time as people write it. Days are local.
func parseWhen(s string, now time.Time) (time.Time, error) {
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	switch s {
	case "":
		return time.Time{}, nil
	case "now":
		return now, nil
	case "today":
		return midnight, nil
	case "yesterday":
		return midnight.AddDate(0, 0, -1), nil
	}
	for _, form := range []string{"2006-01-02", "2006-01", "2006-01-02 15:04", "2006-01-02T15:04"} {
		if t, err := time.ParseInLocation(form, s, now.Location()); err == nil {
			return t, nil
		}
	}
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, nil
	}
	return parseAgo(s, now)
}

func parseAgo(s string, now time.Time) (time.Time, error) {
	units := map[string]time.Duration{
		"s": time.Second, "m": time.Minute, "min": time.Minute, "h": time.Hour,
		"d": 24 * time.Hour, "w": 7 * 24 * time.Hour, "mo": 30 * 24 * time.Hour, "y": 365 * 24 * time.Hour,
	}
	number := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyz")
	unit, ok := units[s[len(number):]]
	n, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || n < 0 || n*float64(unit) > float64(200*365*24*time.Hour) {
		return time.Time{}, fmt.Errorf("cannot read %q as a time", s)
	}
	return now.Add(-time.Duration(n * float64(unit))), nil
}

// sizeFlag is a number of bytes on the command line, such as 64M.
type sizeFlag int64

// String is the number as Set takes it.
func (f *sizeFlag) String() string {
	if n := int64(*f); n > 0 && n%(1<<20) == 0 {
		return strconv.FormatInt(n>>20, 10) + "MiB"
	}
	return strconv.FormatInt(int64(*f), 10)
}

// Set reads a number of bytes.
func (f *sizeFlag) Set(text string) error {
	n, ok := query.ParseBytes(text)
	if !ok {
		return errors.New("use a size such as 64M")
	}
	*f = sizeFlag(n)
	return nil
}

// Type names the kind of value in help texts.
func (f *sizeFlag) Type() string { return "size" }
