package view

import (
	"fmt"
	"strings"

	"sesskeep"
)

// silent are the system entries that only the client needs. The empty subtype is the
// one line per hook of 1.x.
var silent = map[string]bool{
	"": true, "turn_duration": true, "stop_hook_summary": true, "file_snapshot": true,
	"thinking": true, "bridge_status": true, "post_turn_summary": true, "task_summary": true,
}

// systemLabels are short words for subtypes that are not short words themselves.
var systemLabels = map[string]string{
	"": "hook", "informational": "info", "away_summary": "recap", "api_error": "error",
}

func (b *builder) system(e *sesskeep.Entry) {
	label, ok := systemLabels[e.Subtype]
	if !ok {
		label = strings.ReplaceAll(e.Subtype, "_", " ")
	}
	text := stringOf(e.Content)
	switch e.Subtype {
	case sesskeep.SubtypeCompactBoundary, "microcompact_boundary":
		b.part(e, Part{Kind: BoundaryPart, Label: label, Text: text, Shift: compaction(e)})
		return
	case "api_error":
		b.part(e, Part{Kind: NoticePart, Label: label, Text: apiError(e, text), Failed: true})
		return
	}
	if n, ok := unwrap(text); ok {
		b.notice(e, n)
		return
	}
	p := Part{Kind: NoticePart, Label: label, Text: text, Failed: stringOf(fieldOf(e.Raw, "level")) == "error"}
	if silent[e.Subtype] || e.Meta || strings.TrimSpace(text) == "" {
		p.Kind = MetaPart
	}
	b.part(e, p)
}

func compaction(e *sesskeep.Entry) *Compaction {
	line := object(e.Raw)
	data := line.object("compactMetadata")
	if data == nil {
		data = line.object("microcompactMetadata")
	}
	c := &Compaction{Trigger: data.text("trigger")}
	c.Before, _ = data.count("preTokens")
	c.After, _ = data.count("postTokens")
	return c
}

// apiError describes the error and whether the client retried.
func apiError(e *sesskeep.Entry, text string) string {
	line := object(e.Raw)
	if text == "" {
		failure := line.object("error")
		text = failure.first("message", "formatted")
		if inner := failure.object("error"); text == "" {
			text = inner.first("message", "type")
		}
		if inner := failure.object("error").object("error"); text == "" {
			text = inner.first("message", "type")
		}
	}
	if text == "" {
		text = "API error"
	}
	if n, ok := line.count("retryAttempt"); ok {
		text += fmt.Sprintf(" (try %d", n)
		if most, ok := line.count("maxRetries"); ok {
			text += fmt.Sprintf(" of %d", most)
		}
		text += ")"
	}
	return text
}

// attachment adds an attachment. Of all attachments, only what was typed while the
// model worked is meant for readers.
func (b *builder) attachment(e *sesskeep.Entry) {
	if e.Subtype != sesskeep.SubtypeQueuedCommand {
		b.part(e, Part{Kind: MetaPart, Label: e.Subtype, Text: attached(e)})
		return
	}
	blocks := e.Blocks()
	s := newSpeech(e, blocks)
	for i, block := range blocks {
		b.at = i + 1
		b.block(&s, block)
	}
	b.at = 0
	if len(blocks) == 0 {
		b.part(e, Part{Kind: MetaPart, Label: e.Subtype})
	}
}

// attached returns the text of an attachment, or all of it as JSON.
func attached(e *sesskeep.Entry) string {
	raw := fieldOf(e.Raw, "attachment")
	if s := object(raw).first("text", "content", "filename", "path", "date"); s != "" {
		return s
	}
	return string(raw)
}

// progress adds a row that once drew a progress line. It may be the only record of
// which agent a call started.
func (b *builder) progress(e *sesskeep.Entry) {
	line := object(e.Raw)
	if id := line.object("data").text("agentId"); id != "" {
		b.tasks = append(b.tasks, notice{agent: sesskeep.AgentID(id), call: line.text("parentToolUseID")})
	}
	b.part(e, Part{Kind: MetaPart, Label: e.Subtype})
}
