package sesskeep

import (
	"bytes"
	"strings"
)

// IsPrompt reports whether a person or a host program sent the entry to the
// model: a typed or piped prompt, a custom slash command, a prompt typed while
// the model was working, or words typed beside the result of a tool when it was
// allowed. Other results, notices and texts that the client adds are user
// entries too, but not prompts.
func (e *Entry) IsPrompt() bool { return e.prompt(e.outline()) }

func (e *Entry) prompt(o outline) bool {
	switch e.Kind {
	case KindQueueOp:
		return e.Queued
	case KindAttachment:
		return e.Subtype == SubtypeQueuedCommand && (e.Human || e.queuedPrompt())
	case KindUser:
		if o.result && len(o.head) == 0 {
			return false // beside a result only words are somebody's own
		}
		return !e.Meta && !e.CompactSummary && o.said && e.sent(o.head)
	}
	return false
}

// queuedPrompt decides for a queued command that does not say whose it is, as
// clients 2.1.107 to 2.1.158 wrote it for people and 2.1.325 does for hosts.
func (e *Entry) queuedPrompt() bool {
	return e.Mode == "prompt" && e.Origin == "" && !e.Meta && !injected([]byte(plainText(e.Content, headSize)))
}

// sent decides for a user entry by where the client says it came from, and
// where it does not say (before 2.1.3xx, and in agents), by the text.
func (e *Entry) sent(head []byte) bool {
	if bytes.HasPrefix(head, []byte(customCommand)) {
		return true
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

// customCommand is how the line of a custom slash command starts; a built-in one
// starts with its name.
const customCommand = "<command-message>"

func (o *outline) command() bool { return bytes.HasPrefix(o.head, []byte(customCommand)) }

// expands reports whether a user entry is what a custom command stands for: the
// client put it in below the line of the command. It is marked as such, but not
// where the command had waited in the queue.
func (e *Entry) expands(command string) bool {
	return command != "" && e.Parent == command && e.Kind == KindUser && e.PromptSource == "" && e.Origin == "" &&
		bytes.HasPrefix(e.Message.Content, []byte("["))
}

// wrappers are the tags that the client puts around texts the user did not type.
var wrappers = []string{
	"command-name", "command-args", "local-command-", "bash-input",
	"bash-stdout", "bash-stderr", "system-reminder", "task-notification",
	"teammate-message", "cross-session-message", "channel",
	"ide_opened_file", "ide_selection", "ide_diagnostics", "user-memory-input",
	"session-start-hook", "user-prompt-submit-hook", "tick", "goal",
	"fork-boilerplate", "environment_context",
}

// notices are the ways in which texts of the client begin that have no tag. That
// of a hook is a user line without isMeta in clients 2.1.7 to 2.1.29.
var notices = []string{"[Request interrupted by user", "Caveat: The messages below", "Operation stopped by hook"}

// injected reports whether a text starts like one the client put in.
func injected(head []byte) bool {
	for _, start := range notices {
		if bytes.HasPrefix(head, []byte(start)) {
			return true
		}
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
