package sesskeep

import (
	"bytes"
	"strings"
)

// IsPrompt reports whether a person or a host program sent the entry to the
// model: a typed or piped prompt, a custom slash command, or a prompt typed
// while the model was working. Tool results, notices and texts that the client
// adds are user entries too, but not prompts.
func (e *Entry) IsPrompt() bool { return e.prompt(e.outline()) }

func (e *Entry) prompt(o outline) bool {
	switch e.Kind {
	case KindAttachment:
		return e.Subtype == SubtypeQueuedCommand && e.Human
	case KindUser:
		return !e.Meta && !e.CompactSummary && o.said && !o.result && e.sent(o.head)
	}
	return false
}

// sent decides for a user entry by where the client says it came from, and
// where it does not say (before 2.1.3xx, and in agents), by the text.
func (e *Entry) sent(head []byte) bool {
	if bytes.HasPrefix(head, []byte("<command-message>")) {
		return true // a custom command; a built-in one starts with its name
	}
	switch e.PromptSource {
	case "typed", "sdk", "queued":
		return true
	case "system":
		return false
	}
	if e.Origin != "" && e.Origin != "human" {
		return false
	}
	return !injected(head)
}

// wrappers are the tags the client wraps around texts that nobody typed.
var wrappers = []string{
	"command-name", "command-args", "local-command-", "bash-input",
	"bash-stdout", "bash-stderr", "system-reminder", "task-notification",
	"teammate-message", "cross-session-message", "channel",
	"ide_opened_file", "ide_selection", "ide_diagnostics", "user-memory-input",
	"session-start-hook", "user-prompt-submit-hook", "tick", "goal",
	"fork-boilerplate", "environment_context",
}

// injected reports whether a text starts like one the client put in.
func injected(head []byte) bool {
	if bytes.HasPrefix(head, []byte("[Request interrupted by user")) ||
		bytes.HasPrefix(head, []byte("Caveat: The messages below")) {
		return true
	}
	rest, ok := bytes.CutPrefix(head, []byte("<"))
	if !ok {
		return false
	}
	for _, tag := range wrappers {
		after, ok := bytes.CutPrefix(rest, []byte(tag))
		if ok && (strings.HasSuffix(tag, "-") || len(after) == 0 || after[0] == '>' || after[0] == ' ') {
			return true
		}
	}
	return false
}

// afterEditor is what follows the notices an editor puts before what was
// typed: the open file, the selection.
func afterEditor(text []byte) []byte {
	for {
		text = bytes.TrimLeft(text, " \t\r\n")
		if !bytes.HasPrefix(text, []byte("<ide_")) {
			return text
		}
		tag, _, _ := bytes.Cut(text[1:], []byte(">"))
		_, rest, closed := bytes.Cut(text, []byte("</"+string(tag)+">"))
		if !closed {
			return text
		}
		text = rest
	}
}
