package config

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/identity"
	"sesskeep/internal/keys"
	"sesskeep/internal/query"
)

// Key is one thing that the file may say.
type Key struct {
	Name string // ls.columns; home.* stands for a table of names that users choose
	Kind Kind
	// Words are those that the value must be one of; nil: any.
	Words []string
	// Check checks a text; nil: any is right.
	Check func(text string) error
	// Empty allows an empty text.
	Empty bool
	// CheckName checks the name in a table; nil: it is no table.
	CheckName func(name string) error
	// KnownNames are the names that a table may have; nil: those that CheckName allows.
	KnownNames []string
	// Commands are those that it is a default of Flag for; nil: it is none of a flag.
	Commands []string
	Flag     string
	Env      []string // the variables that win, the first one first
	Default  string   // as it is written in the file; "" where nothing is
	Example  string   // as it is written in the file
	Help     string   // one sentence
}

// Everywhere stands for all commands in Key.Commands.
const Everywhere = "*"

// Kind is what a value is.
type Kind int

// The kinds of values.
const (
	Text   Kind = iota
	Texts       // a list of texts
	Number      // a whole number, not negative
	Amount      // a number, not negative
	YesNo
)

// takes says what a value of the kind is.
func (k Kind) takes() string {
	switch k {
	case Texts:
		return `must be a list of texts, such as ["one", "two"]`
	case Number:
		return "must be a whole number, not negative"
	case Amount:
		return "must be a number, not negative"
	case YesNo:
		return "must be true or false"
	}
	return `must be a text, such as "one"`
}

// Type names the kind in documents.
func (k Kind) Type() string {
	return [...]string{"text", "list of texts", "whole number", "number", "true or false"}[k]
}

// colors are the colours that a terminal has.
var colors = []string{
	"default", "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
	"bright-black", "bright-red", "bright-green", "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan", "bright-white",
}

// Keys is the table of everything that the file may say, in the order of documents.
var Keys = []Key{
	{Name: "color", Words: []string{"auto", "always", "never"}, Default: `"auto"`, Env: []string{"NO_COLOR", "CLICOLOR_FORCE"}, Example: `"never"`,
		Help: "Whether output has colours; auto: on a terminal. --no-color wins."},
	{Name: "ascii", Kind: YesNo, Commands: []string{Everywhere}, Flag: "ascii", Default: "false", Example: "true", Help: "Draws with plain characters only."},
	{Name: "pager", Empty: true, Env: []string{"SESSKEEP_PAGER"}, Default: `"less -FRX"`, Example: `"less -R"`,
		Help: "The program that long output goes through; an empty text: none. It wins over PAGER."},
	{Name: "prices", Env: []string{"SESSKEEP_PRICES"}, Example: `"~/.config/sesskeep/prices.json"`,
		Help: "A file with prices on top of the built-in ones, for every command, the interface and the server. --prices wins."},
	{Name: "tz", Commands: []string{"usage", "usage ledger", "usage statusline", "stats", "digest"}, Flag: "tz", Check: aZone, Example: `"Europe/Berlin"`,
		Help: "The time zone whose days reports count by."},

	{Name: "statusline.line", Commands: []string{"usage statusline"}, Flag: "line", Default: `"{session} session ({agents} agents)|{today} today"`,
		Example: `"{context} {context%}|5h {5h}|{today} today"`,
		Help:    "What `usage statusline` shows: parts with | between them, and values in braces; `json`: all of them as JSON."},

	{Name: "colors.*", Words: colors, CheckName: oneColor, KnownNames: colors[2:8], Example: `{yellow = "bright-blue"}`,
		Help: "Draws one colour as another, where a theme of the terminal makes one hard to read."},
	{Name: "home.*", CheckName: aHomeName, Env: []string{"CLAUDE_CONFIG_DIR"}, Example: `{work = "~/.claude-work"}`,
		Help: "Homes of Claude Code that are read besides the usual one, each with its name: `ID@work` names a session there, `--claude-dir work` reads that home alone."},

	{Name: "ls.columns", Kind: Texts, Words: ask.MoreTitles(), Commands: []string{"ls", "session ls"}, Flag: "columns", Example: `["cost", "tags"]`,
		Help: "Columns that lists of sessions show besides the usual ones."},
	{Name: "ls.sort", Words: orders(), Commands: []string{"ls", "session ls"}, Flag: "sort", Default: `"activity"`, Example: `"cost"`,
		Help: "The order of lists of sessions; with - in front it is reversed."},
	{Name: "ls.limit", Kind: Number, Commands: []string{"ls", "session ls"}, Flag: "limit", Default: "0", Example: "30",
		Help: "The most sessions that a list shows; 0: all."},
	{Name: "ls.all", Kind: YesNo, Commands: []string{"ls", "session ls"}, Flag: "all", Default: "false", Example: "true",
		Help: "Lists sessions of all projects, wherever you are; -p wins."},
	{Name: "search.limit", Kind: Number, Commands: []string{"search"}, Flag: "limit", Default: "0", Example: "50", Help: "The most sessions that a search shows; 0: all."},
	{Name: "search.hits", Kind: Number, Commands: []string{"search"}, Flag: "hits", Default: "3", Example: "5", Help: "The most hits of each session."},
	{Name: "search.recent", Kind: YesNo, Commands: []string{"search"}, Flag: "recent", Default: "false", Example: "true", Help: "The newest sessions first, not the best."},
	{Name: "show.thinking", Words: []string{"hide", "peek", "full"}, Commands: []string{"show"}, Flag: "thinking", Default: `"peek"`, Example: `"hide"`,
		Help: "How much of the thinking a conversation shows."},
	{Name: "show.tools", Words: []string{"line", "card", "full"}, Commands: []string{"show"}, Flag: "tools", Default: `"card"`, Example: `"line"`,
		Help: "How much of the tool calls a conversation shows."},
	{Name: "history.limit", Kind: Number, Commands: []string{"history"}, Flag: "limit", Default: "0", Example: "50", Help: "The most prompts that the history shows; 0: all."},
	{Name: "log.limit", Kind: Number, Commands: []string{"log"}, Flag: "limit", Default: "0", Example: "50", Help: "The most changes that the log shows; 0: all."},
	{Name: "ps.columns", Kind: Texts, Words: []string{"cpu", "memory"}, Commands: []string{"ps"}, Flag: "columns", Example: `["cpu", "memory"]`,
		Help: "Columns that the list of running sessions shows besides the usual ones."},
	{Name: "doctor.days", Kind: Number, Commands: []string{"doctor"}, Flag: "days", Default: "3", Example: "7", Check: notZero,
		Help: "Warns about sessions that Claude deletes within so many days."},

	{Name: "watch.thinking", Words: []string{"hide", "peek", "full"}, Commands: []string{"watch"}, Flag: "thinking", Default: `"full"`, Example: `"peek"`,
		Help: "How much of the thinking `watch` shows."},
	{Name: "watch.notify", Kind: YesNo, Commands: []string{"watch"}, Flag: "notify", Default: "false", Example: "true",
		Help: "Shows a desktop notification when a session that `watch` follows waits for you."},
	{Name: "watch.bell", Kind: YesNo, Commands: []string{"watch"}, Flag: "bell", Default: "false", Example: "true",
		Help: "Rings the terminal's bell when a session that `watch` follows waits for you."},
	{Name: "run.notify", Kind: Texts, Check: aNotice, Commands: []string{"run start"}, Flag: "notify", Example: `["desktop"]`,
		Help: "Where it is reported that a run needs you or has ended: desktop, or an address of the web."},
	{Name: "run.model", Commands: []string{"run start"}, Flag: "model", Example: `"opus"`, Help: "The model that a run uses."},
	{Name: "run.budget", Kind: Amount, Commands: []string{"run start"}, Flag: "budget", Example: "5", Help: "Ends a run that has cost so many dollars."},
	{Name: "serve.listen", Commands: []string{"serve"}, Flag: "listen", Default: `"127.0.0.1:7717"`, Example: `"127.0.0.1:9000"`, Help: "The address that the server listens on."},
	{Name: "serve.notify", Kind: Texts, Check: aNotice, Commands: []string{"serve"}, Flag: "notify", Example: `["desktop"]`,
		Help: "Where the server reports that a run needs you or has ended: desktop, or an address of the web."},
	{Name: "serve.max-runs", Kind: Number, Commands: []string{"serve"}, Flag: "max-runs", Default: "8", Example: "4", Help: "The most sessions that the server runs at a time."},
	{Name: "serve.day-budget", Kind: Amount, Commands: []string{"serve"}, Flag: "day-budget", Example: "20", Help: "Ends the runs of the server when all runs of the day have cost so many dollars."},
	{Name: "serve.share-links", Kind: YesNo, Commands: []string{"serve"}, Flag: "share-links", Default: "false", Example: "true",
		Help: "Lets pages be shared by links of the server, which need no token until they expire."},

	{Name: "keep.exclude", Kind: Texts, Example: `["~/work/secret"]`,
		Help: "Directories of projects that are not copied, besides those that `keep on --exclude` names."},
	{Name: "keep.quota", Check: aSize, Example: `"20G"`,
		Help: "How much all copies may take up; `keep on --quota` wins."},

	{Name: "redact.patterns", Kind: Texts, Check: aPattern, Example: `["ACME-[0-9]+"]`,
		Help: "Regular expressions of what documents hide besides secrets, each matched within a line."},
	{Name: "redact.words", Kind: Texts, Example: `["Bluebird"]`, Help: "Words that documents hide, in any case."},
	{Name: "redact.domains", Kind: Texts, Example: `["corp.example.com"]`, Help: "Domains that documents hide, with all names below them."},
	{Name: "redact.emails", Kind: Texts, Check: anEmail, Example: `["*@example.com"]`,
		Help: "E-mail addresses that documents hide; `*@example.com`: all of a domain, `*`: all."},
	{Name: "redact.home", Kind: YesNo, Default: "false", Example: "true", Help: "Whether documents hide the path of your home directory."},
	{Name: "redact.user", Kind: YesNo, Default: "false", Example: "true", Help: "Whether documents hide your user name on this machine."},

	{Name: "interface.mouse", Kind: YesNo, Commands: []string{"sesskeep"}, Flag: "mouse", Default: "false", Example: "true",
		Help: "Lets the interface have the wheel and clicks, instead of selecting text."},
	{Name: "keys.*", Kind: Texts, Check: keys.CheckKey, CheckName: anAction, KnownNames: actions, Example: `{archive = ["a"], top = ["g g", "home"]}`,
		Help: "Keys of the interface, by what they do: they replace the usual ones, and win over those of other actions. `?` in the interface shows them."},
}

// keyNamed finds a key by its name in the table; nil: there is none.
func keyNamed(name string) *Key {
	for i := range Keys {
		if Keys[i].Name == name {
			return &Keys[i]
		}
	}
	return nil
}

// keyOf finds the key that a name in a file means; nil: none.
func keyOf(path []string) *Key {
	if k := keyNamed(strings.Join(path, ".")); k != nil && k.CheckName == nil {
		return k
	}
	if len(path) != 2 {
		return nil
	}
	k := keyNamed(path[0] + ".*")
	if k == nil || k.CheckName(path[1]) != nil {
		return nil
	}
	return k
}

// wrongName is the hint for a name that a table does not take.
func (k *Key) wrongName(name string) string {
	if k.KnownNames == nil {
		return k.CheckName(name).Error()
	}
	if near, ok := query.Nearest(name, k.KnownNames); ok {
		return fmt.Sprintf("did you mean %q?", strings.TrimSuffix(k.Name, "*")+near)
	}
	return k.CheckName(name).Error()
}

// names are those that a file can have, tables by their own.
func names() (list []string) {
	for i := range Keys {
		list = append(list, strings.TrimSuffix(Keys[i].Name, ".*"))
	}
	return list
}

// tables are the names of what a file writes in brackets.
func tables() (list []string) {
	for i := range Keys {
		if table, _, ok := strings.Cut(Keys[i].Name, "."); ok && !slices.Contains(list, table) {
			list = append(list, table)
		}
	}
	return list
}

// orders are the words that sort a list, either way.
func orders() []string {
	list := slices.Clone(ask.SortsPriced)
	for _, word := range ask.SortsPriced {
		list = append(list, "-"+word)
	}
	return list
}

// ActionName is how the file names an action of the interface: mark-all.
func ActionName(a keys.Action) string {
	return strings.Join(strings.FieldsFunc(string(a), func(r rune) bool { return r == ' ' || r == ',' }), "-")
}

// actions are the names of all actions.
var actions = func() (list []string) {
	for _, b := range keys.Table {
		list = append(list, ActionName(b.Action))
	}
	return list
}()

func anAction(name string) error {
	if slices.Contains(actions, name) {
		return nil
	}
	return errors.New("the interface has no such action; docs/config.md lists them")
}

func oneColor(name string) error {
	if slices.Contains(colors[2:8], name) {
		return nil
	}
	return fmt.Errorf("use one of %s", strings.Join(colors[2:8], ", "))
}

func aHomeName(name string) error {
	if _, ok := identity.ParseName(name); ok {
		return nil
	}
	return errors.New("a home is named with small letters, digits and dashes")
}

func aZone(name string) error {
	if _, err := time.Parse("-07:00", name); err == nil || strings.EqualFold(name, "local") {
		return nil
	}
	if _, err := time.LoadLocation(name); err != nil {
		return fmt.Errorf("names no time zone: %q", name)
	}
	return nil
}

func aSize(text string) error {
	if _, ok := query.ParseBytes(text); !ok {
		return errors.New("must be a size, such as 20G")
	}
	return nil
}

func aPattern(text string) error {
	re, err := regexp.Compile(text)
	if err != nil {
		return fmt.Errorf("has no regular expression: %q", text)
	}
	if re.MatchString("") {
		return fmt.Errorf("must not match an empty text: %q", text)
	}
	return nil
}

func anEmail(text string) error {
	if name, domain, ok := strings.Cut(text, "@"); text != "*" && (!ok || name == "" || len(domain) < 2) {
		return fmt.Errorf("must name addresses, such as me@example.com or *@example.com: %q", text)
	}
	return nil
}

func aNotice(destination string) error {
	if destination == "desktop" {
		return nil
	}
	if u, err := url.Parse(destination); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return fmt.Errorf(`must name "desktop" or addresses of the web: %q is neither`, destination)
	}
	return nil
}

func notZero(text string) error {
	if text == "0" {
		return errors.New("must be at least 1")
	}
	return nil
}

// usualBindings are the keys of the interface before a file changes them.
var usualBindings = slices.Clone(keys.Table)
