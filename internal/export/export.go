// Package export writes a session as a document: Markdown, a page for browsers or plain text to
// read, JSON for programs, or the lines of the transcript as they are.
//
// Call Write. It reads one turn after the other, so that a session of any length
// takes little memory, and the first bytes come at once. With Options.Redact, marks
// replace secrets; without it, and always as JSONL, a document contains the secrets
// of the session.
package export

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/reading"
	"sesskeep/internal/redact"
	"sesskeep/internal/view"
)

// Format is a kind of document.
type Format string

// The formats.
const (
	Markdown Format = "markdown"
	HTML     Format = "html" // one file that loads nothing and can be read without script
	Text     Format = "text"
	JSON     Format = "json"
	JSONL    Format = "jsonl" // the lines of the transcript, byte for byte
)

// Formats lists all formats.
func Formats() []Format { return []Format{Markdown, HTML, Text, JSON, JSONL} }

// ErrFormat says that there is no such format.
var ErrFormat = errors.New("unknown format")

// ParseFormat reads the name of a format, or the ending of its files.
func ParseFormat(name string) (Format, error) {
	switch name {
	case "md":
		return Markdown, nil
	case "txt":
		return Text, nil
	case "htm":
		return HTML, nil
	}
	if f := Format(name); slices.Contains(Formats(), f) {
		return f, nil
	}
	return "", fmt.Errorf("%w %q: use markdown, html, text, json or jsonl", ErrFormat, name)
}

// MediaType returns the media type of the format, as HTTP names it.
func (f Format) MediaType() string {
	switch f {
	case Markdown:
		return "text/markdown; charset=utf-8"
	case HTML:
		return "text/html; charset=utf-8"
	case Text:
		return "text/plain; charset=utf-8"
	case JSON:
		return "application/json"
	}
	return "application/x-ndjson"
}

// Ending returns the extension of files in the format.
func (f Format) Ending() string {
	return map[Format]string{Markdown: "md", HTML: "html", Text: "txt", JSON: "json", JSONL: "jsonl"}[f]
}

// Options say what is written. The zero value writes the active conversation, in
// Markdown, with everything that was said and done.
type Options struct {
	Format Format
	Leaf   string // last line of the conversation to write; empty: the active one
	All    bool   // all conversations, one after the other
	// From and To are the first and the last message to write. Empty ones stand for the
	// start and the end of the conversation.
	From, To string

	NoThinking bool
	NoTools    bool
	// Agent opens the transcript of an agent, which then stands below the call
	// that started it. nil: agents are left out.
	Agent func(context.Context, sesskeep.AgentID) (*reading.Session, error)
	// Started returns the agent that a call started if its result does not name it, as
	// in clients of 1.0. nil: none.
	Started func(call string) sesskeep.AgentID
	// Saved opens an output that lies in a file of its own, to be written in place of
	// its preview. nil: the preview is written.
	Saved func(ref sesskeep.Ref, name string) (*reading.Saved, error)
	// Replay adds controls to a page of HTML that play the session on its time axis.
	Replay bool
	// Redact replaces secrets in all texts of the document; JSONL stays as it is. nil:
	// nothing is replaced.
	Redact *redact.Document
	// Front is the front matter of a Markdown document, written as YAML.
	Front []Fact
	// OnPart is called with each part that is written, as it is written; it may be nil.
	OnPart func(*view.Part)
	// OnTitle is called with the title of the document; it may be nil.
	OnTitle func(title string)
	// OnMarked is called for each part with marks of secrets, in the order of the document;
	// it may be nil.
	OnMarked func(Marked)
	// Blocks writes the content of messages as blocks, not as text. Only JSON has blocks.
	Blocks bool
}

// Fact is a named value about a session.
type Fact struct{ Name, Value string }

// Write writes a session. As JSONL it writes all lines of the transcript, or those of
// one conversation; other options do not apply then.
func Write(ctx context.Context, w io.Writer, s *reading.Session, o Options) error {
	out := bufio.NewWriterSize(w, 32<<10)
	if o.Format == JSONL {
		if err := writeLines(ctx, out, s, o); err != nil {
			return err
		}
		return out.Flush()
	}
	d := &document{ctx: ctx, out: out, o: o, asked: map[sesskeep.AgentID]bool{}}
	if o.Redact != nil {
		o.Redact.OnMatch = func(m redact.Match) { d.marks = append(d.marks, m) }
	}
	switch o.Format {
	case Text:
		d.style = plainText{}
	case JSON:
		d.style = &jsonStyle{}
	case HTML:
		d.style = &htmlPage{replay: o.Replay}
	default:
		d.style = markdown{}
	}
	if err := d.write(s); err != nil {
		return err
	}
	return out.Flush()
}

// document is what is being written.
type document struct {
	ctx   context.Context
	out   *bufio.Writer
	o     Options
	style style
	asked map[sesskeep.AgentID]bool // agents that were written or are being written
	depth int                       // how many agents deep; 0: in the session itself
	marks []redact.Match            // the marks of secrets since the last report

	session *reading.Session // the one whose parts are being written
}

// style is how a document looks.
type style interface {
	start(d *document, h head) error
	conversation(d *document, n, of int, name string) error
	part(d *document, p *view.Part) error
	agent(d *document, id sesskeep.AgentID, begins bool) error
	end(d *document) error
}

// head is the top of a document.
type head struct {
	Session string
	Agent   string
	Title   string
	Project string
	Branch  string // git branch
	Models  []string
	Began   time.Time
	Ended   time.Time
	// Stretch says which part of a conversation the document has; empty: all of it.
	Stretch string
}

func (d *document) write(s *reading.Session) error {
	h, err := d.head(s)
	if err != nil {
		return err
	}
	if d.o.OnTitle != nil {
		d.o.OnTitle(h.Title)
	}
	if err := d.style.start(d, h); err != nil {
		return err
	}
	d.report(Marked{Address: address(s), In: "head"})
	if err := d.body(s); err != nil {
		return err
	}
	return d.style.end(d)
}

func (d *document) head(s *reading.Session) (h head, err error) {
	h = head{Session: s.Ref.ID(), Agent: string(s.Agent())}
	if h.Title, err = s.Title(d.ctx); err != nil {
		return h, err
	}
	digest := &s.Transcript.Digest
	h.Began, h.Ended = digest.Created, digest.LastActive
	h.Branch, h.Models = digest.GitBranch, digest.Models
	if len(digest.Cwds) > 0 {
		h.Project = digest.Cwds[0]
	}
	if h.Stretch, err = d.stretch(s); err != nil {
		return h, err
	}
	redactHead(d.o.Redact, &h)
	return h, nil
}

// stretch describes which part of a conversation is written; "": all of it.
func (d *document) stretch(s *reading.Session) (string, error) {
	if !d.o.stretched() {
		return "", nil
	}
	span, err := d.wanted(s)
	return fmt.Sprintf("turns %d to %d of %d", span.Before()+1, span.Before()+len(span.Turns()), len(span.Path())), err
}

// stretched reports whether only a part of a conversation is wanted.
func (o *Options) stretched() bool { return o.From != "" || o.To != "" }

// wanted returns the part of the conversation to write.
func (d *document) wanted(s *reading.Session) (reading.Span, error) {
	if d.o.stretched() && d.depth == 0 {
		return s.Between(d.o.Leaf, d.o.From, d.o.To)
	}
	return s.Span(reading.Window{Leaf: d.leaf()})
}

// body writes the conversations that the options choose, the oldest first.
func (d *document) body(s *reading.Session) error {
	if !d.o.All || d.depth > 0 {
		span, err := d.wanted(s)
		if err != nil {
			return err
		}
		return d.span(s, span)
	}
	list := s.Transcript.Tree.Conversations
	for i, c := range list {
		span, err := s.Span(reading.Window{Leaf: c.Leaf})
		if err != nil {
			return err
		}
		if err := d.style.conversation(d, i+1, len(list), c.Leaf); err != nil {
			return err
		}
		if err := d.span(s, span); err != nil {
			return err
		}
	}
	return nil
}

// leaf returns the leaf of the conversation to write; "": the active one, as for all agents.
func (d *document) leaf() string {
	if d.depth > 0 {
		return ""
	}
	return d.o.Leaf
}

func (d *document) span(s *reading.Session, span reading.Span) error {
	outer := d.session
	d.session = s
	defer func() { d.session = outer }()
	return s.Each(d.ctx, span.Turns(), func(parts []view.Part) error {
		for i := range parts {
			if !d.shown(&parts[i]) {
				continue
			}
			if err := d.whole(s.Ref, &parts[i]); err != nil {
				return err
			}
			redactPart(d.o.Redact, &parts[i])
			if err := d.part(&parts[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// shown reports whether the options let a part into the document.
func (d *document) shown(p *view.Part) bool {
	switch p.Kind {
	case view.MetaPart:
		return false // context for the model, which no person wrote
	case view.ThinkingPart:
		return !d.o.NoThinking && p.Text != ""
	case view.CallPart:
		return !d.o.NoTools
	}
	return true
}

func (d *document) part(p *view.Part) error {
	if err := d.style.part(d, p); err != nil {
		return err
	}
	if d.o.OnPart != nil {
		d.o.OnPart(p)
	}
	d.report(markedIn(d.session, p))
	if p.Kind == view.CallPart && p.Call != nil {
		return d.agent(d.started(p.Call))
	}
	return nil
}

// started returns the agent that a call started, or "".
func (d *document) started(c *view.Call) sesskeep.AgentID {
	if c.Agent == "" && d.o.Started != nil {
		return d.o.Started(c.ID)
	}
	return c.Agent
}

// maxDepth is how deep agents of agents are followed.
const maxDepth = 8

// agent writes what an agent did, once.
func (d *document) agent(id sesskeep.AgentID) error {
	if id == "" || d.o.Agent == nil || d.asked[id] || d.depth == maxDepth {
		return nil
	}
	d.asked[id] = true
	s, err := d.o.Agent(d.ctx, id)
	if errors.Is(err, sesskeep.ErrNotFound) {
		return nil // its transcript is gone
	}
	if err != nil {
		return err
	}
	defer s.Close()
	d.depth++
	defer func() { d.depth-- }()
	if err := d.style.agent(d, id, true); err != nil {
		return err
	}
	if err := d.body(s); err != nil {
		return err
	}
	return d.style.agent(d, id, false)
}

// writeLines copies lines of a transcript.
func writeLines(ctx context.Context, out *bufio.Writer, s *reading.Session, o Options) error {
	if o.Leaf == "" && !o.stretched() {
		return s.Copy(ctx, out)
	}
	d := &document{ctx: ctx, o: o}
	span, err := d.wanted(s)
	if err != nil {
		return err
	}
	var lines []int
	for _, turn := range span.Turns() {
		lines = append(lines, s.Transcript.Tree.Turns[turn].Lines...)
	}
	slices.Sort(lines) // in the order of the file
	for _, i := range slices.Compact(lines) {
		e, err := s.Entry(ctx, i)
		if err != nil {
			return err
		}
		if _, err := out.Write(append(e.Raw, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// given returns the input of a call without what its heading shows.
func given(c *view.Call) []view.Field {
	return slices.DeleteFunc(c.Given(), func(f view.Field) bool { return f.Text == c.Summary && f.Text != "" })
}

// stamp returns a time for people, or "" for the zero time.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04:05 UTC")
}

// oneLine returns a text on one line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
