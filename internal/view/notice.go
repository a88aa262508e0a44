package view

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"sesskeep"
)

// notice is a text that the client wrote, without its tags.
type notice struct {
	label  string
	text   string
	hidden bool // meant only for the model
	failed bool
	agent  sesskeep.AgentID // of a task-notification
	call   string           // id of the call that it is about
}

// wrapper is what a tag around a text means.
type wrapper struct {
	label  string
	hidden bool
}

var wrappers = map[string]wrapper{
	"command-name":            {label: "command"},
	"command-message":         {label: "command"},
	"command-args":            {label: "command"},
	"local-command-stdout":    {label: "output"},
	"local-command-stderr":    {label: "output"},
	"local-command-caveat":    {label: "caveat", hidden: true},
	"bash-input":              {label: "bash"},
	"bash-stdout":             {label: "output"},
	"bash-stderr":             {label: "output"},
	"persisted-output":        {label: "output"},
	"task-notification":       {label: "task"},
	"teammate-message":        {label: "teammate"},
	"cross-session-message":   {label: "message"},
	"channel":                 {label: "channel"},
	"ide_opened_file":         {label: "ide"},
	"ide_selection":           {label: "ide"},
	"ide_diagnostics":         {label: "ide"},
	"user-memory-input":       {label: "memory"},
	"goal":                    {label: "goal"},
	"system-reminder":         {label: "reminder", hidden: true},
	"session-start-hook":      {label: "hook", hidden: true},
	"user-prompt-submit-hook": {label: "hook", hidden: true},
	"tick":                    {label: "tick", hidden: true},
	"fork-boilerplate":        {label: "fork", hidden: true},
	"environment_context":     {label: "environment", hidden: true},
}

// unwrap parses a text that starts as the client's own texts do.
func unwrap(s string) (notice, bool) {
	s = strings.TrimSpace(s)
	switch {
	case strings.HasPrefix(s, "[Request interrupted by user"):
		return notice{label: "stopped", text: strings.Trim(s, "[]"), failed: true}, true
	case strings.HasPrefix(s, "Operation stopped by hook"):
		return notice{label: "hook", text: s, failed: true}, true
	case strings.HasPrefix(s, "Caveat: The messages below"):
		return notice{label: "caveat", text: s, hidden: true}, true
	}
	tag := openTag(s)
	w, ok := wrappers[tag]
	if !ok {
		return notice{}, false
	}
	n := notice{label: w.label, hidden: w.hidden}
	switch w.label {
	case "command":
		n.text = commandLine(s)
	case "task":
		n.task(s)
	default:
		n.text, n.failed = bodies(s)
	}
	n.hidden = n.hidden || n.text == "" // a command that printed nothing
	return n, true
}

// openTag returns the name of the tag at the start of s, if there is one.
func openTag(s string) string {
	rest, ok := strings.CutPrefix(s, "<")
	end := strings.IndexAny(rest, "> \n")
	if !ok || end <= 0 {
		return ""
	}
	return rest[:end]
}

// commandLine returns a slash command as it was typed. Older clients omit the slash
// of a custom command's name.
func commandLine(s string) string {
	name, args := between(s, "command-name"), between(s, "command-args")
	if name == "" {
		name = between(s, "command-message")
	}
	if name == "" {
		return s
	}
	return "/" + strings.TrimSpace(strings.TrimPrefix(name, "/")+" "+args)
}

func between(s, tag string) string {
	_, s, ok := strings.Cut(s, "<"+tag+">")
	if !ok {
		return ""
	}
	s, _, _ = strings.Cut(s, "</"+tag+">")
	return strings.TrimSpace(s)
}

// bodies returns the contents of a row of tags, and the text after them. It reports
// whether any of it was written to an error stream.
func bodies(s string) (text string, failed bool) {
	var texts []string
	keep := func(s string) {
		if s = strings.Trim(s, "\n"); strings.TrimSpace(s) != "" {
			texts = append(texts, s)
		}
	}
	for {
		s = strings.TrimSpace(s)
		tag := openTag(s)
		_, inner, closed := strings.Cut(s, ">")
		if _, ok := wrappers[tag]; !ok || !closed {
			keep(s)
			return strings.Join(texts, "\n"), failed
		}
		body, rest, _ := strings.Cut(inner, "</"+tag+">")
		before := len(texts)
		keep(body)
		failed = failed || strings.HasSuffix(tag, "-stderr") && len(texts) > before
		s = rest
	}
}

var reminders = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)\n?<system-reminder>.*?</system-reminder>`) })

// withoutReminders removes what is addressed to the model in the middle of a text.
func withoutReminders(s string) string { return reminders().ReplaceAllString(s, "") }

// task parses one or more task-notifications: what happened, and the result.
func (n *notice) task(s string) {
	const end = "</task-notification>"
	var texts []string
	for _, one := range strings.SplitAfter(s, end) {
		if openTag(strings.TrimSpace(one)) != "task-notification" {
			texts = append(texts, strings.TrimSpace(one))
			continue
		}
		summary, status, id := between(one, "summary"), between(one, "status"), between(one, "task-id")
		if summary == "" {
			summary = strings.TrimSpace(id + " " + status)
		}
		texts = append(texts, summary, between(one, "result"))
		n.failed = n.failed || status == "failed" || status == "killed"
		// Shell commands in the background have the same kind of notification.
		if n.agent == "" && strings.HasPrefix(summary, "Agent ") {
			n.agent, n.call = sesskeep.AgentID(id), between(one, "tool-use-id")
		}
	}
	texts = slices.DeleteFunc(texts, func(s string) bool { return s == "" })
	n.text = strings.Join(texts, "\n")
}

func (b *builder) userText(s *speech, text string) {
	e := s.entry
	n, wrapped := unwrap(text)
	switch {
	case e.CompactSummary:
		b.part(e, Part{Kind: NoticePart, Label: "summary", Text: withoutReminders(text)})
	case e.Meta:
		n.hidden = true
		if !wrapped {
			n.label, n.text = "injected", text
		}
		b.notice(e, n)
	case s.prompt && n.label == "command":
		b.prompt(e, n.text)
	case s.prompt && s.single:
		b.prompt(e, text) // whatever it starts with, a user sent it
	case wrapped && (!s.prompt || n.label == "ide" || n.hidden):
		b.notice(e, n)
	case s.prompt || s.beside:
		b.prompt(e, text)
	default:
		b.notice(e, notice{label: "injected", text: text})
	}
}

func (b *builder) prompt(e *sesskeep.Entry, text string) {
	p := Part{Kind: PromptPart, Text: text}
	switch {
	case e.Sidechain:
		p.Label = "task"
	case e.Kind == sesskeep.KindAttachment, e.Kind == sesskeep.KindQueueOp:
		p.Label = "queued"
	}
	b.part(e, p)
}

// queued adds a queued prompt of a client before 2.1.98. No other lines of the queue
// are in a turn.
func (b *builder) queued(e *sesskeep.Entry) {
	for _, block := range e.Blocks() {
		if block.Kind == sesskeep.BlockText {
			b.prompt(e, block.Text)
		}
	}
}

func (b *builder) notice(e *sesskeep.Entry, n notice) {
	p := Part{Kind: NoticePart, Label: n.label, Text: n.text, Failed: n.failed, Agent: n.agent}
	if n.hidden {
		p.Kind = MetaPart
	}
	if n.agent != "" {
		b.tasks = append(b.tasks, n)
	}
	b.part(e, p)
}
