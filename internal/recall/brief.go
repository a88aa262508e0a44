package recall

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/reading"
	"sesskeep/internal/stamp"
	"sesskeep/internal/talk"
	"sesskeep/internal/view"
)

// BriefQuestion asks what a new session must know about an old one.
type BriefQuestion struct {
	About  string // an address, or a query whose best session is meant
	Tokens int    // 0: the usual
}

// Brief packs what a new session must know about an old one: its goal, what was decided, the
// files it changed, what is open, and how it was left.
func (r *Recall) Brief(ctx context.Context, who Caller, q BriefQuestion) (Answer, error) {
	p := Paging{MaxTokens: q.Tokens}
	a, s, err := r.prepare(ctx, who, "context", &p)
	if err != nil {
		return Answer{}, err
	}
	t, row, err := r.find(ctx, &s, q.About)
	if errcode.Of(err) == errcode.NotFound {
		t, row, err = r.best(ctx, a, &s, q.About)
	}
	if err != nil {
		return Answer{}, err
	}
	b := brief{answer: a, row: row, size: a.left}
	if err := r.readBrief(ctx, &b, t); err != nil {
		return Answer{}, stated(err)
	}
	a.say("what a new session must know about this one")
	a.cover(r.Catalog.CoverageOfFiles())
	b.write()
	return a.finish(""), nil
}

// best returns the first session that a query finds.
func (r *Recall) best(ctx context.Context, a *answer, s *scope, text string) (t catalog.Target, row catalog.Session, err error) {
	at, err := (&Paging{}).position("best")
	if err != nil {
		return t, row, err
	}
	found, err := r.searchIn(ctx, a, s, text, at, ask.Search{Limit: 1, Hits: 1})
	if err != nil {
		return t, row, err
	}
	if len(found.page.Results) == 0 {
		return t, row, r.inPart(errcode.New(errcode.NotFound, errors.New("no session is called so, and none has these words")))
	}
	best := &found.page.Results[0]
	a.say("this is about the best of them")
	return r.find(ctx, s, best.SessionID+best.Session.Suffix())
}

// brief is what is known of a session, before it is packed.
type brief struct {
	*answer
	row       catalog.Session
	size      int
	goal      view.Part
	summary   view.Part   // of the last compaction
	prompts   []view.Part // after the goal
	decisions []string    // plans and answers to questions
	todos     []view.Todo
	unended   []string // calls of the last turn that failed or have no result
	last      view.Part
	files     []talk.ChangedFile
}

// readBrief reads the conversation once.
func (r *Recall) readBrief(ctx context.Context, b *brief, t catalog.Target) (err error) {
	open, err := r.Catalog.Read(ctx, t)
	if err != nil {
		return err
	}
	defer open.Close()
	span, err := open.Span(reading.Window{Leaf: t.Leaf})
	if err != nil {
		return err
	}
	err = open.Each(ctx, span.Path(), func(parts []view.Part) error {
		b.unended = nil
		for i := range parts {
			b.add(&parts[i])
		}
		return nil
	})
	if err != nil {
		return err
	}
	b.files, err = r.Talk.Files(ctx, t)
	return err
}

// add records a part of the conversation that the brief needs.
func (b *brief) add(p *view.Part) {
	switch {
	case p.Kind == view.PromptPart && b.goal.Text == "":
		b.goal = *p
	case p.Kind == view.PromptPart:
		b.prompts = append(b.prompts, *p)
	case p.Kind == view.TextPart:
		b.last = *p
	case p.Kind == view.NoticePart && p.Label == "summary":
		b.summary = *p
	case p.Call != nil:
		b.call(p)
	}
}

func (b *brief) call(p *view.Part) {
	c := p.Call
	when := b.date(stamp.Time{Time: p.Time})
	if c.Todos != nil {
		b.todos = c.Todos
	}
	if c.Plan != "" && c.State == view.OK {
		b.decisions = append(b.decisions, when+" plan accepted: "+cut(b.line(c.Plan), 600))
	}
	for _, q := range c.Questions {
		if q.Answer != "" {
			b.decisions = append(b.decisions, fmt.Sprintf("%s asked %s, answered %s", when, cut(b.line(q.Text), 200), cut(b.line(q.Answer), 200)))
		}
	}
	if c.State == view.Failed || c.State == view.Missing || c.State == view.Interrupted {
		b.unended = append(b.unended, cut(b.line(c.Line()), 200)+" ("+string(c.State)+")")
	}
}

// write packs the brief: each section has its share of the room, and the prompts get what the
// others leave. The newest prompts are kept first.
func (b *brief) write() {
	b.put(b.headline(&b.row, b.date(b.row.LastActivityAt)))
	b.section("Goal, as the first prompt has it:", b.size/5, []string{b.text(b.goal.Text)})
	b.section("Summary that the last compaction left:", b.size/5, []string{b.text(b.summary.Text)})
	tail := b.tail()
	end := 0
	for _, l := range tail {
		end += len(l) + 8
	}
	b.section("Decided:", b.size/6, b.decisions)
	b.section("Files it changed:", b.size/8, b.changed())
	b.section("What was asked after that, oldest first:", max(0, b.left-end-200), b.asked(max(0, b.left-end-300)))
	b.section("Open:", b.left, b.openEnds())
	b.section("How it was left:", b.left, tail)
}

// section quotes texts below a title, as much of them as its share has room for.
func (b *brief) section(title string, share int, texts []string) {
	texts = slices.DeleteFunc(slices.Clone(texts), func(t string) bool { return t == "" })
	share = min(share, b.left)
	if len(texts) == 0 || share < 100 {
		return
	}
	rest := b.left - share
	b.left = share
	b.put(title)
	for i, text := range texts {
		text = indent(text)
		if n := b.flow(text, 0); n < len(text) {
			if more := len(texts) - i - 1; more > 0 {
				b.left += 60 // the note below is short
				b.put(fmt.Sprintf("  (and %d more)", more))
			}
			break
		}
	}
	b.left = max(0, b.left) + rest
}

// asked returns the latest prompts that fit into the room.
func (b *brief) asked(room int) (lines []string) {
	for i := len(b.prompts) - 1; i >= 0; i-- {
		p := &b.prompts[i]
		line := b.date(stamp.Time{Time: p.Time}) + " #" + short(b.line(p.UUID)) + " " + cut(b.line(p.Text), 300)
		if room -= len(line) + 5; room < 0 {
			lines = append(lines, fmt.Sprintf("(%d earlier prompts are left out)", i+1))
			break
		}
		lines = append(lines, line)
	}
	slices.Reverse(lines)
	return lines
}

func (b *brief) changed() (lines []string) {
	for i := range b.files {
		f := &b.files[i]
		lines = append(lines, fmt.Sprintf("%s +%d -%d", cut(b.line(f.Path), 200), f.Added, f.Removed))
	}
	return lines
}

func (b *brief) openEnds() (lines []string) {
	for _, t := range b.todos {
		if t.Status != "completed" {
			lines = append(lines, "to do ("+b.line(t.Status)+"): "+cut(b.line(t.Text), 200))
		}
	}
	return append(lines, b.unended...)
}

// tail returns the last prompt and the last answer of the session.
func (b *brief) tail() []string {
	lines := []string{"last active " + b.date(b.row.LastActivityAt)}
	if s := b.row.State; s != nil {
		lines[0] += ", " + s.Word
	}
	if b.row.GitBranch != "" {
		lines[0] += ", git branch " + cut(b.line(b.row.GitBranch), 100)
	}
	if n := len(b.prompts); n > 0 {
		lines = append(lines, "last asked: "+cut(b.line(b.prompts[n-1].Text), b.size/8))
	}
	if b.last.Text != "" {
		lines = append(lines, "last answered: "+cut(b.text(b.last.Text), b.size/4))
	}
	return lines
}
