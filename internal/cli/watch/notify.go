package watch

import (
	"context"
	"os/exec"
	"runtime"
	"strings"

	"sesskeep/internal/cli/output"
	"sesskeep/internal/follow"
	"sesskeep/internal/live"
	"sesskeep/internal/redact"
	"sesskeep/internal/term"
)

// wantsPerson reports whether a state is one that a person should know of at once.
func wantsPerson(word live.Word) bool {
	return word == live.NeedsYou || word == live.YourTurn || word == live.Unclean
}

// notify shows a desktop notification. It has the title of a session and its
// state, no text of the conversation and nothing that the rules find: anybody can see a
// desktop.
func notify(ctx context.Context, rules *redact.Rules, m *follow.Event) error {
	title := m.Title
	if title == "" {
		title = output.Head(string(m.Session), 8)
	}
	argv := notification(runtime.GOOS, string(m.State.Word), term.Truncate(term.Line(rules.Document().Text(title)), 100))
	return exec.CommandContext(ctx, argv[0], argv[1:]...).Run()
}

// notification is the command that shows one. Titles are arguments and never
// part of a program; none begins with a dash.
func notification(system, state, title string) []string {
	if system == "darwin" {
		return []string{"osascript", "-e", "on run argv",
			"-e", "display notification (item 1 of argv) with title (item 2 of argv)", "-e", "end run",
			"Claude Code: " + title, "Claude Code: " + state}
	}
	return []string{"notify-send", "--app-name=sesskeep", "Claude Code: " + state, "Claude Code: " + markup.Replace(title)}
}

// markup keeps a title from being read as such.
var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
