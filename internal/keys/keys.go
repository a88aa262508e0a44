// Package keys is the one table of keys, which the terminal interface and the
// web share. Help pages and footers are made from it, so that they cannot be
// wrong about a key.
package keys

import (
	"slices"
	"strings"
)

// Action is what a key asks for. What it does depends on the page: a page that
// has no use for an action leaves it alone.
type Action string

// The actions.
const (
	Down       Action = "down"
	Up         Action = "up"
	PageDown   Action = "page down"
	PageUp     Action = "page up"
	NextPrompt Action = "next prompt"
	PrevPrompt Action = "previous prompt"
	Open       Action = "open"
	Back       Action = "back"
	Top        Action = "top"
	End        Action = "end"
	NextBranch Action = "next branch"
	PrevBranch Action = "previous branch"
	Tree       Action = "tree"
	NextFork   Action = "next fork"
	PrevFork   Action = "previous fork"
	Filter     Action = "filter"
	NextHit    Action = "next hit"
	PrevHit    Action = "previous hit"
	Palette    Action = "palette"
	Thinking   Action = "thinking"
	Tools      Action = "tools"
	Meta       Action = "meta"
	Focused    Action = "focused"
	Fold       Action = "fold"
	FoldAll    Action = "fold all"
	Live       Action = "live"
	Preview    Action = "preview"
	Pause      Action = "pause"
	All        Action = "all projects"
	Agents     Action = "agents"
	Copy       Action = "copy"
	CopyText   Action = "copy text"
	Resume     Action = "resume"
	Outline    Action = "outline"
	Follow     Action = "follow"
	Raw        Action = "raw"
	File       Action = "file"
	Sort       Action = "sort"
	Refresh    Action = "refresh"
	Watch      Action = "watch"
	Bell       Action = "bell"
	Only       Action = "only"
	Report     Action = "report"
	PrevReport Action = "previous report"
	Range      Action = "range"
	Help       Action = "help"
	Theme      Action = "theme"
	Quit       Action = "quit"

	// What is done to sessions: to those that are marked, else to the chosen one.
	Mark      Action = "mark"
	MarkRange Action = "mark range"
	MarkAll   Action = "mark all"
	Rename    Action = "rename"
	Tags      Action = "tags"
	Star      Action = "star"
	Note      Action = "note"
	Archive   Action = "archive"
	Trash     Action = "trash"
	Undo      Action = "undo"
	Menu      Action = "menu"
	Facets    Action = "show only"
	Export    Action = "export"
	Share     Action = "share"
	Restore   Action = "restore"
	Purge     Action = "delete for ever"
	KeepNow   Action = "keep now"

	// What is done to runs, and to what they ask.
	Allow       Action = "allow once"
	Deny        Action = "deny"
	DenyWhy     Action = "deny, and say why"
	AllowRun    Action = "allow for this run"
	AllowAlways Action = "allow always"
	NewRun      Action = "new run"
	Message     Action = "message"
	Interrupt   Action = "interrupt"
	StopRun     Action = "stop"
	ForgetRun   Action = "forget"

	// The pages by number. Tree and Live are pages too.
	Projects     Action = "projects"
	Sessions     Action = "sessions"
	Conversation Action = "conversation"
	Search       Action = "search"
	Usage        Action = "usage"
	TrashPage    Action = "trash page"
	ArchivePage  Action = "archive page"
	KeptPage     Action = "kept page"
	ActivityPage Action = "activity"
	Runs         Action = "runs"
	Inbox        Action = "inbox"
	Suspend      Action = "suspend"

	// The panes of the live wall.
	Pane1 Action = "pane 1"
	Pane2 Action = "pane 2"
	Pane3 Action = "pane 3"
	Pane4 Action = "pane 4"
	Pane5 Action = "pane 5"
	Pane6 Action = "pane 6"
)

// Panes are the actions that go to a pane of the live wall, the first one first.
var Panes = []Action{Pane1, Pane2, Pane3, Pane4, Pane5, Pane6}

// Binding ties an action to its keys.
type Binding struct {
	Action Action   `json:"action"`
	Keys   []string `json:"keys"` // as Bubble Tea names them; two keys in a row: "g g"
	Text   string   `json:"text"` // for help, a few words
}

// Table has every binding. A key may ask for several actions: the page takes
// the first that it has a use for, so what few pages know stands first.
var Table = []Binding{
	{Only, []string{"o"}, "only this pane, or all"},
	{Pause, []string{"p"}, "pause or continue this pane"},
	{Pane1, []string{"1"}, "first pane"},
	{Pane2, []string{"2"}, "second pane"},
	{Pane3, []string{"3"}, "third pane"},
	{Pane4, []string{"4"}, "fourth pane"},
	{Pane5, []string{"5"}, "fifth pane"},
	{Pane6, []string{"6"}, "sixth pane"},
	{Allow, []string{"y"}, "allow what it asks, once"},
	{Deny, []string{"n"}, "deny what it asks"},
	{DenyWhy, []string{"N"}, "deny, and say why"},
	{AllowRun, []string{"r"}, "allow it for this run"},
	{AllowAlways, []string{"A"}, "allow it always: the rule is shown"},
	{NewRun, []string{"+"}, "start a session"},
	{Message, []string{"m"}, "give the run a message"},
	{Interrupt, []string{"I"}, "make the run stop what it does"},
	{StopRun, []string{"S"}, "end the run; its session stays"},
	{ForgetRun, []string{"d d"}, "forget a run that has ended; its session stays"},
	{Restore, []string{"r"}, "restore"},
	{Purge, []string{"d d"}, "delete for ever, with the copies"},
	{KeepNow, []string{"K"}, "copy everything that is not kept yet"},
	{Down, []string{"j", "down"}, "next row or block"},
	{Up, []string{"k", "up"}, "previous row or block"},
	{PageDown, []string{"pgdown", "ctrl+f"}, "a screen down"},
	{PageUp, []string{"pgup", "ctrl+b"}, "a screen up"},
	{Top, []string{"g g", "home"}, "to the top"},
	{End, []string{"G", "end"}, "to the end"},
	{Open, []string{"enter", "o"}, "open"},
	{Back, []string{"esc", "backspace"}, "back one level"},
	{NextPrompt, []string{"J"}, "next prompt of yours"},
	{PrevPrompt, []string{"K"}, "previous prompt of yours"},
	{NextBranch, []string{"]"}, "next branch from here"},
	{PrevBranch, []string{"["}, "previous branch from here"},
	{NextFork, []string{"}"}, "next place where it forks"},
	{PrevFork, []string{"{"}, "previous place where it forks"},
	{Filter, []string{"/"}, "filter or search here"},
	{NextHit, []string{"n"}, "next hit"},
	{PrevHit, []string{"N"}, "previous hit"},
	{Thinking, []string{"t"}, "thinking: hidden, peek, full"},
	{Tools, []string{"v"}, "tools: line, card, full"},
	{Meta, []string{"m"}, "entries the client put in"},
	{Focused, []string{"z"}, "only prompts and final answers"},
	{Fold, []string{"space"}, "fold or unfold"},
	{FoldAll, []string{"shift+space", "ctrl+space"}, "fold or unfold all of this kind"},
	{Outline, []string{"tab"}, "outline"},
	{Follow, []string{"f"}, "the session its client went on in"},
	{Preview, []string{"p"}, "preview"},
	{All, []string{"a"}, "all projects, or only this one"},
	{Agents, []string{"A"}, "agent sessions too"},
	{Report, []string{"tab", "right"}, "next report"},
	{PrevReport, []string{"shift+tab", "left"}, "previous report"},
	{Range, []string{"s"}, "how far back it goes"},
	{Sort, []string{"s"}, "sort by the next column"},
	{Copy, []string{"Y"}, "copy the address"},
	{CopyText, []string{"y"}, "copy the text of the block"},
	{File, []string{"h"}, "the file of a call: its history"},
	{Raw, []string{"R"}, "the lines of the file as JSON"},
	{Resume, []string{"c"}, "resume the session in claude"},
	{Watch, []string{"w"}, "watch it on the live wall, or not"},
	{Mark, []string{"x"}, "mark or unmark"},
	{MarkRange, []string{"X"}, "mark from the last mark to here"},
	{MarkAll, []string{"ctrl+a"}, "mark all rows, or none"},
	{Rename, []string{"r"}, "rename"},
	{Tags, []string{"#"}, "tags"},
	{Star, []string{"*"}, "star or unstar"},
	{Note, []string{"n"}, "note"},
	{Archive, []string{"e"}, "archive or unarchive"},
	{Trash, []string{"d d"}, "move to the trash"},
	{Undo, []string{"u"}, "undo the last change"},
	{Menu, []string{"."}, "menu of what can be done here"},
	{Facets, []string{"f"}, "show only starred or tagged sessions"},
	{Export, []string{"E"}, "save as a document"},
	{Share, []string{"P"}, "share as a page without secrets"},
	{Projects, []string{"1"}, "projects"},
	{Sessions, []string{"2"}, "sessions"},
	{Conversation, []string{"3"}, "conversation"},
	{Tree, []string{"b", "4"}, "tree of branches"},
	{Live, []string{"l", "5"}, "live wall"},
	{Runs, []string{"6"}, "runs: sessions that sesskeep runs"},
	{Inbox, []string{"i"}, "inbox: what runs ask"},
	{Search, []string{"7"}, "search"},
	{Usage, []string{"8"}, "usage"},
	{TrashPage, []string{"9"}, "trash"},
	{ArchivePage, []string{"0"}, "archive"},
	{KeptPage, []string{"C"}, "copies: what expires, what is gone"},
	{ActivityPage, []string{"U"}, "activity: every change"},
	{Palette, []string{":", "ctrl+k"}, "commands and sessions"},
	{Bell, []string{"B"}, "ring when a session needs you, or not"},
	{Refresh, []string{"ctrl+r", "f5"}, "reload"},
	{Theme, []string{"T"}, "the next theme"},
	{Help, []string{"?"}, "the keys"},
	{Suspend, []string{"ctrl+z"}, "suspend"},
	{Quit, []string{"q", "ctrl+c"}, "quit"},
}

// Find is the binding of an action, or an empty one.
func Find(a Action) Binding {
	for _, b := range Table {
		if b.Action == a {
			return b
		}
	}
	return Binding{}
}

// Actions are those a key asks for, the first to be tried first.
func Actions(key string) []Action {
	var list []Action
	for _, b := range Table {
		if slices.Contains(b.Keys, key) {
			list = append(list, b.Action)
		}
	}
	return list
}

// StartsSequence reports whether a key is the first of a sequence of two.
func StartsSequence(key string) bool {
	for _, b := range Table {
		for _, k := range b.Keys {
			if first, _, ok := strings.Cut(k, " "); ok && first == key {
				return true
			}
		}
	}
	return false
}
