package shell

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/query"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Globals are the flags every command takes.
type Globals struct {
	ClaudeDirs []string
	Demo       demoFlag
	Project    string
	Scope      string
	All        bool

	Limit  int
	Cursor string
	Since  string
	Until  string
	On     string
}

// Register adds the flags to all commands.
func (g *Globals) Register(root *cobra.Command) {
	f := root.PersistentFlags()
	f.StringArrayVar(&g.ClaudeDirs, "claude-dir", nil, "read Claude's home at `DIR`; may be given several times, and as NAME=DIR to name it")
	f.Var(&g.Demo, "demo", "use a sample home to try things out; --demo=fresh recreates it")
	f.Lookup("demo").NoOptDefVal = "true"
	f.StringVarP(&g.Project, "project", "p", "", "only `PROJECT`: its name, its path, or . for the one you are in")
	f.StringVar(&g.Scope, "scope", "", "how much of it: `WHAT` is worktree (this directory only), repository (with all worktrees) or all; default: the project with its worktrees")
	Complete(root, "scope", catalog.Breadths...)
	f.BoolVar(&g.All, "all", false, "all projects, not only the one you are in")
	f.IntVarP(&g.Limit, "limit", "n", 0, "at most `N` items")
	f.StringVar(&g.Cursor, "cursor", "", "continue with the page at `NEXT`, a field of the JSON of the page before; a number skips that many items")
	f.StringVar(&g.Since, "since", "", "only from `WHEN` on: 2d, 36h, yesterday, monday, 2026-11-01, RFC 3339")
	f.StringVar(&g.Until, "until", "", "only before `WHEN`")
	f.StringVar(&g.On, "on", "", "only on this `DAY`: today, yesterday, monday, 2026-11-01; 2026-11 is the whole month")
}

// choosing are the flags that choose what a list holds, timing those of them
// that are about time, paged those of a list that is read page by page, acting
// those of an act on whatever a list holds, and cutList those of a list that the printer cuts.
const (
	timing   = "since until on"
	choosing = "project scope limit " + timing
	paged    = choosing + " cursor"
	acting   = "project scope " + timing
	typed    = "project limit " + timing // what was typed below a directory, worktrees too
	cutList  = "limit cut"
)

// Heeded names, for every command, those flags that it heeds. The others it
// refuses: a list that is not the one asked for must not look like it.
var Heeded = map[string]string{
	"sesskeep": "project", "resume": "project scope", "watch": "project scope", "check": "project scope limit", "doctor": "project " + cutList,
	"ls": paged, "session ls": paged, "search": paged,
	"history": typed + " cursor", "history projects": typed + " cursor", "history timeline": typed,
	"usage": choosing, "usage ledger": choosing, "stats": choosing, "digest": choosing, "file log": choosing, "export": choosing, "context": "project scope", "sql": "limit", "insights": choosing, "session health": "limit " + timing, "session context": "limit",
	"command ls": "project limit cursor", "command show": "project",
	"project ls": "limit cursor", "project show": "project", "project memory": "project " + cutList, "project conversations": "project limit cursor",
	"run ls": "limit", "log": "limit " + timing, "storage": "limit", "scan": "project scope since limit", "undo": "limit", "todo ls": "project scope limit",
	"session tag add": acting, "session tag rm": acting, "session star": acting, "session unstar": acting, "session note": acting, "session source": acting,
	"session archive": acting, "session unarchive": acting, "session trash": acting, "clean": acting,
	"session conversations": cutList, "session agents": cutList, "session files": cutList, "session usage": cutList,
	"trash ls": cutList, "keep expiring": "limit", "keep gone": "limit", "keep restore": cutList, "inbox": cutList, "inbox ls": cutList,
	"token ls": cutList, "share ls": cutList, "backup ls": cutList, "hook status": cutList, "config show": cutList, "ps": "project scope " + cutList,
	"hook report": paged, // which never fails, whatever it is given
}

// CheckFlags refuses flags that are given and say nothing, or nothing to this
// command.
func (sh *Shell) CheckFlags(cmd *cobra.Command) (err error) {
	name := strings.TrimPrefix(cmd.CommandPath(), "sesskeep ")
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case err != nil:
		case isText(f) && strings.Trim(f.Value.String(), `[]"`) == "":
			err = fail.Usage("--"+f.Name+" is empty", "give it a value or leave it out")
		case refuses(cmd, f):
			err = fail.Usage(fmt.Sprintf("%s does not take --%s", name, f.Name), `run "`+cmd.CommandPath()+` --help"`)
		}
	})
	if err == nil && slices.Contains(strings.Fields(Heeded[name]), "cut") {
		sh.Out.Limit, err = sh.Limit()
	}
	if err == nil && name != "hook report" {
		_, err = sh.Out.Form()
	}
	return err
}

// isText reports whether a flag takes a text, which may not be empty.
func isText(f *pflag.Flag) bool {
	_, text := f.Value.(interface{ TakesText() })
	return text || strings.HasPrefix(f.Value.Type(), "string")
}

// refuses reports whether a flag of all commands says nothing to this one.
func refuses(cmd *cobra.Command, f *pflag.Flag) bool {
	if f != cmd.Root().PersistentFlags().Lookup(f.Name) { // watch has an --until of its own
		return false
	}
	heeds := Heeded[strings.TrimPrefix(cmd.CommandPath(), "sesskeep ")]
	return slices.Contains(strings.Fields(paged), f.Name) && !slices.Contains(strings.Fields(heeds), f.Name)
}

// idle reports whether a command accepts a flag that changes nothing: --all for a command
// that covers all projects anyway.
func idle(cmd *cobra.Command, f *pflag.Flag) bool {
	name := strings.TrimPrefix(cmd.CommandPath(), "sesskeep ")
	return f.Name == "all" && name != "undo" && name != "log" && !slices.Contains(strings.Fields(Heeded[name]), "project")
}

// HideRefused takes what a command does not heed out of its help. That of a group is
// about all commands in it.
func HideRefused(cmd *cobra.Command) {
	if cmd.HasAvailableSubCommands() {
		return
	}
	cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) { f.Hidden = f.Hidden || refuses(cmd, f) || idle(cmd, f) })
}

// Pause is a length of time as a flag takes it: 30s, 2m, or plain seconds.
type Pause time.Duration

// String is "0" where nothing is set, which help does not call a default.
func (p *Pause) String() string {
	if *p == 0 {
		return "0"
	}
	return term.Duration(time.Duration(*p))
}

// Type names the kind of value in help texts.
func (p *Pause) Type() string { return "TIME" }

// Set reads a length of time.
func (p *Pause) Set(text string) error {
	d, err := time.ParseDuration(text)
	if seconds, e := strconv.ParseFloat(text, 64); e == nil && seconds < 1e9 {
		d, err = time.Duration(seconds*float64(time.Second)), nil
	}
	if err != nil || d < 0 {
		return errors.New("write 5s, 2m or 1h30m")
	}
	*p = Pause(d)
	return nil
}

// SizeFlag is a number of bytes on the command line, such as 64M.
type SizeFlag int64

// String is the number as Set takes it.
func (f *SizeFlag) String() string {
	if n := int64(*f); n > 0 && n%(1<<20) == 0 {
		return strconv.FormatInt(n>>20, 10) + "MiB"
	}
	return strconv.FormatInt(int64(*f), 10)
}

// Set reads a number of bytes.
func (f *SizeFlag) Set(text string) error {
	n, ok := query.ParseBytes(text)
	if !ok {
		return errors.New("use a size such as 64M")
	}
	*f = SizeFlag(n)
	return nil
}

// Type names the kind of value in help texts.
func (f *SizeFlag) Type() string { return "size" }
