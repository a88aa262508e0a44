// Package export writes a session as a document: Markdown or plain text to read,
// JSON for programs, or the lines of the transcript as they are.
//
// Call Write. It reads one turn after the other, so that a session of any length
// takes little memory, and the first bytes come at once. Nothing is left out to
// hide secrets: a document holds whatever the session does.
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
	"sesskeep/internal/view"
)

// Format is a kind of document.
type Format string

// The formats.
const (
	Markdown Format = "markdown"
	Text     Format = "text"
	JSON     Format = "json"
	JSONL    Format = "jsonl" // the lines of the transcript, byte for byte
)

// Formats are all of them.
func Formats() []Format { return []Format{Markdown, Text, JSON, JSONL} }

// ErrFormat says that there is no such format.
var ErrFormat = errors.New("unknown format")

// ParseFormat reads the name of a format, or the ending of its files.
func ParseFormat(name string) (Format, error) {
	switch name {
	case "md":
		return Markdown, nil
	case "txt":
		return Text, nil
	}
	if f := Format(name); slices.Contains(Formats(), f) {
		return f, nil
	}
	return "", fmt.Errorf("%w %q: use markdown, text, json or jsonl", ErrFormat, name)
}

// MediaType is what the format is called on the web.
func (f Format) MediaType() string {
	switch f {
	case Markdown:
		return "text/markdown; charset=utf-8"
	case Text:
		return "text/plain; charset=utf-8"
	case JSON:
		return "application/json"
	}
	return "application/x-ndjson"
}

// Ending is how the names of its files end.
func (f Format) Ending() string {
	return map[Format]string{Markdown: "md", Text: "txt", JSON: "json", JSONL: "jsonl"}[f]
}

// Options say what is written. The zero value is the active conversation, in
// Markdown, with everything that was said and done.
type Options struct {
	Format Format
	Leaf   string // the conversation that ends so; empty: the active one
	All    bool   // all conversations, one after the other

	NoThinking bool
	NoTools    bool
	// Agent opens the transcript of an agent, which then stands below the call
	// that started it. nil: agents are left out.
	Agent func(context.Context, sesskeep.AgentID) (*reading.Session, error)
	// Started returns the agent that a call started if its result does not name it, as
	// in clients of 1.0. nil: none.
	Started func(call string) sesskeep.AgentID
	// Saved opens an output that lies in a file of its own, which then stands where
	// its preview would. nil: the preview is written.
	Saved func(ref sesskeep.Ref, name string) (*reading.Saved, error)
	// Blocks writes the content of messages as blocks, not as text. It goes
	// with JSON.
	Blocks bool
}

// Write writes a session. The lines of a transcript are all of them, or those of
// one conversation; the other options do not apply to them.
func Write(ctx context.Context, w io.Writer, s *reading.Session, o Options) error {
	out := bufio.NewWriterSize(w, 32<<10)
	if o.Format == JSONL {
		if err := writeLines(ctx, out, s, o); err != nil {
			return err
		}
		return out.Flush()
	}
	d := &document{ctx: ctx, out: out, o: o, asked: map[sesskeep.AgentID]bool{}}
	switch o.Format {
	case Text:
		d.style = plainText{}
	case JSON:
		d.style = &jsonStyle{}
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
	asked map[sesskeep.AgentID]bool // agents that were written, or are
	depth int                       // below the session
}

// style is how a document looks.
type style interface {
	start(d *document, h head) error
	conversation(d *document, n, of int, name string) error
	part(d *document, p *view.Part) error
	agent(d *document, id sesskeep.AgentID, begins bool) error
	end(d *document) error
}

// head is what stands at the top.
type head struct {
	Session string
	Agent   string
	Title   string
	Project string
	Began   time.Time
	Ended   time.Time
}

func (d *document) write(s *reading.Session) error {
	h, err := d.head(s)
	if err != nil {
		return err
	}
	if err := d.style.start(d, h); err != nil {
		return err
	}
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
	if len(digest.Cwds) > 0 {
		h.Project = digest.Cwds[0]
	}
	return h, nil
}

// body writes the conversations that are wanted, the oldest first.
func (d *document) body(s *reading.Session) error {
	if !d.o.All || d.depth > 0 {
		span, err := s.Span(reading.Window{Leaf: d.leaf()})
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

// leaf is the conversation that is wanted; agents have their own.
func (d *document) leaf() string {
	if d.depth > 0 {
		return ""
	}
	return d.o.Leaf
}

func (d *document) span(s *reading.Session, span reading.Span) error {
	return s.Each(d.ctx, span.Turns(), func(parts []view.Part) error {
		for i := range parts {
			if err := d.whole(s.Ref, &parts[i]); err != nil {
				return err
			}
			if err := d.part(&parts[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

func (d *document) part(p *view.Part) error {
	switch p.Kind {
	case view.MetaPart:
		return nil // context for the model, which no person wrote
	case view.ThinkingPart:
		if d.o.NoThinking || p.Text == "" {
			return nil
		}
	case view.CallPart:
		if d.o.NoTools {
			return nil
		}
	}
	if err := d.style.part(d, p); err != nil {
		return err
	}
	if p.Kind == view.CallPart && p.Call != nil {
		return d.agent(d.started(p.Call))
	}
	return nil
}

// started is the agent that a call started, or "".
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

// writeLines copies the lines of a transcript.
func writeLines(ctx context.Context, out *bufio.Writer, s *reading.Session, o Options) error {
	if o.Leaf == "" {
		return s.Copy(ctx, out)
	}
	span, err := s.Span(reading.Window{Leaf: o.Leaf})
	if err != nil {
		return err
	}
	var lines []int
	for _, turn := range span.Turns() {
		lines = append(lines, s.Transcript.Tree.Turns[turn].Lines...)
	}
	slices.Sort(lines) // as they stand in the file
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

// given is what a tool was given, without what its heading says.
func given(c *view.Call) []view.Field {
	return slices.DeleteFunc(c.Given(), func(f view.Field) bool { return f.Text == c.Summary && f.Text != "" })
}

// stamp is a time for people, or nothing.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04:05 UTC")
}

// oneLine is a text without line breaks.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
