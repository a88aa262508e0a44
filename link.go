package sesskeep

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"sesskeep/internal/jsonl"
)

// Role says what a line means to the tree.
type Role uint8

// Only prompts and answers start turns; the other lines belong to one.
const (
	RoleNote     Role = iota // attachment, progress, system notice
	RoleBoundary             // compaction
	RoleInjected             // a user entry that no person sent
	RoleResult               // result of a tool
	RolePrompt
	RoleAnswer
)

// Link is what one chain entry contributes to the tree: enough to find turns
// and conversations without their texts.
type Link struct {
	UUID      string `json:"u"`
	Parent    string `json:"p,omitempty"`
	Logical   string `json:"l,omitempty"`
	Source    string `json:"s,omitempty"`
	Message   string `json:"m,omitempty"` // message.id of an answer
	Tool      string `json:"i,omitempty"` // id of the call it makes or answers
	Kind      string `json:"k,omitempty"` // sessionKind
	Text      string `json:"c,omitempty"` // of what was sent, shortened
	Plan      string `json:"h,omitempty"` // heading of the plan a prompt holds
	Time      int64  `json:"t,omitempty"` // milliseconds since 1970
	Offset    int64  `json:"o"`           // where the line lies in its file
	Length    int    `json:"n"`
	Line      int    `json:"#,omitempty"` // counting from 1
	Role      Role   `json:"r,omitempty"` // the small ones side by side: there are as many links as lines
	Sidechain bool   `json:"x,omitempty"`
	Spoken    bool   `json:"w,omitempty"` // a user or assistant entry
	MadeUp    bool   `json:"y,omitempty"` // the client wrote it itself: there was no answer, or it was cut off
	Wordless  bool   `json:"z,omitempty"` // a line of an answer without a text or a call
	Progress  bool   `json:"g,omitempty"` // a progress line
	Expands   bool   `json:"e,omitempty"` // the text that a custom command expands to, which looks like a prompt
}

// When returns the time of the line, or zero if it has none.
func (l *Link) When() time.Time {
	if l.Time == 0 {
		return time.Time{}
	}
	return time.UnixMilli(l.Time).UTC()
}

// Sent reports whether the line holds what a person or a host program sent: it is
// a prompt, or the result of a tool with words that were typed beside it.
func (l *Link) Sent() bool { return l.Role == RolePrompt || l.Role == RoleResult && l.Text != "" }

// beside reports whether the line holds a prompt that makes no turn.
func (l *Link) beside() bool { return l.Role == RoleResult && l.Sent() || l.Queued() }

// Position describes the position of the line, for lines that have no UUID.
func (l *Link) Position() string {
	return fmt.Sprintf("line %d, byte %d", l.Line, l.Offset)
}

// labelSize bounds the texts kept for lists, in characters.
const labelSize = 200

// Link returns what the tree needs to know of the entry.
func (e *Entry) Link() Link { return e.link(e.outline()) }

func (e *Entry) link(o outline) Link {
	l := Link{
		UUID: e.UUID, Parent: e.Parent, Logical: e.Logical, Source: e.Source,
		Tool: o.tool, Sidechain: e.Sidechain, Spoken: e.Spoken(),
		Kind: e.SessionKind, Role: e.role(o), Progress: e.Kind == KindProgress,
		Offset: e.Offset, Length: len(e.Raw), Line: e.Line,
	}
	if !e.Time.IsZero() {
		l.Time = e.Time.UnixMilli()
	}
	if l.Role == RoleAnswer && e.Message != nil {
		l.Message = e.Message.ID
		l.MadeUp = e.Message.Model == SyntheticModel && !e.APIError
		l.Wordless = len(o.last) == 0 && len(o.calls) == 0
	}
	if e.prompt(o) {
		text := e.promptText(labelSize)
		l.Text, l.Plan = oneLine(text, labelSize), planTitle(text)
	}
	return l
}

func (e *Entry) role(o outline) Role {
	switch {
	case e.Kind == KindAssistant:
		return RoleAnswer
	case e.Kind == KindUser && o.result:
		return RoleResult // its place in the tree, whatever was typed beside it
	case e.prompt(o):
		return RolePrompt
	case e.Kind == KindSystem && e.Subtype == SubtypeCompactBoundary,
		e.CompactSummary && e.Parent == "" && e.Logical == "": // all there is in 1.0.53
		return RoleBoundary
	case e.Kind == KindUser && e.Source != "":
		return RoleResult
	case e.Kind == KindUser:
		return RoleInjected
	}
	return RoleNote
}

// PromptText returns what was sent as one line of at most limit characters: a
// command as it was typed, an image as a placeholder, without the notices of
// an editor.
func (e *Entry) PromptText(limit int) string { return oneLine(e.promptText(limit), limit) }

// promptText is as much of what was sent as limit characters of one line can need.
func (e *Entry) promptText(limit int) string {
	content := e.Content
	if e.Message != nil {
		content = e.Message.Content
	}
	return commandLine(plainText(content, 4*limit))
}

// plainText joins the texts of a message's content, stopping at about limit
// bytes.
func plainText(content []byte, limit int) string {
	var p jsonl.Parser
	p.Reset(content)
	if p.Kind() == jsonl.String {
		b := afterEditor(p.Bytes())
		return cut(string(b[:min(len(b), limit)]), limit)
	}
	blocks := decodeContent(&p)
	typed := slices.ContainsFunc(blocks, func(b Block) bool { return b.Kind == BlockText && !injected([]byte(b.Text)) })
	var parts []string
	size := 0
	for _, b := range blocks {
		switch b.Kind {
		case BlockText:
			if typed && injected([]byte(b.Text)) {
				continue // what the client put beside it
			}
			parts = append(parts, string(afterEditor([]byte(b.Text))))
		case BlockImage:
			parts = append(parts, "[image]")
		case BlockDocument:
			parts = append(parts, "[document]")
		default:
			continue
		}
		if size += len(parts[len(parts)-1]); size > limit {
			break
		}
	}
	return cut(strings.Join(parts, "\n"), limit)
}

// commandLine turns the tags of a slash command back into what was typed.
func commandLine(s string) string {
	if !strings.HasPrefix(s, "<command-") {
		return s
	}
	name, args := between(s, "command-name"), between(s, "command-args")
	if name == "" {
		return s
	}
	return strings.TrimSpace(name + " " + args)
}

func between(s, tag string) string {
	_, s, ok := strings.Cut(s, "<"+tag+">")
	if !ok {
		return ""
	}
	s, _, _ = strings.Cut(s, "</"+tag+">")
	return s
}

// oneLine folds white space and keeps at most limit characters.
func oneLine(s string, limit int) string {
	s = strings.Join(strings.Fields(s), " ")
	n := 0
	for i := range s {
		if n == limit {
			return s[:i]
		}
		n++
	}
	return s
}

// cut shortens s to limit bytes without splitting a rune, and repairs a rune
// that was split before.
func cut(s string, limit int) string {
	if len(s) > limit {
		s = s[:limit]
	}
	for i := 0; i < utf8.UTFMax && len(s) > 0; i++ {
		if r, n := utf8.DecodeLastRuneInString(s); r != utf8.RuneError || n > 1 {
			break
		}
		s = s[:len(s)-1]
	}
	return s
}

// OneLine folds white space and shortens a text, as lists show it.
func OneLine(s string) string { return oneLine(s, labelSize) }
