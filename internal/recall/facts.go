package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/talk"
)

// FactsQuestion asks for the facts about a session.
type FactsQuestion struct {
	Address string `json:"address" jsonschema:"SESSION, as other answers have it"`
	Paging
}

// Facts lists the facts about a session: its title, when it ran, what it cost, its conversations and
// agents, the files it changed and the prompts of its active conversation.
func (r *Recall) Facts(ctx context.Context, who Caller, q FactsQuestion) (Answer, error) {
	at, err := q.position("facts", q.Address)
	if err != nil {
		return Answer{}, err
	}
	a, s, err := r.prepare(ctx, who, "session_facts", &q.Paging)
	if err != nil {
		return Answer{}, err
	}
	t, row, err := r.find(ctx, &s, q.Address)
	if err != nil {
		return Answer{}, err
	}
	t.Message = ""
	list := []catalog.Session{row}
	if err := r.Catalog.AddCosts(ctx, list, r.Prices); err != nil {
		return Answer{}, err
	}
	lines := append([]string{a.headline(&row, a.date(row.LastActivityAt))}, a.facts(&list[0])...)
	more, err := r.contents(ctx, a, t)
	if err != nil {
		return Answer{}, stated(err)
	}
	lines = append(lines, more...)
	a.say("facts of one session")
	a.cover(r.Catalog.Coverage())
	a.hint = "Ask on: read_session with SESSION#MESSAGE for what stands around a prompt, or SESSION:LEAF for a branch."
	next := a.list(at, len(lines), "", func(i int) []string { return lines[i : i+1] })
	return a.finish(next), nil
}

// facts returns the facts that lists of sessions show.
func (a *answer) facts(s *catalog.Session) []string {
	lines := []string{
		"  id " + a.line(s.ID) + s.Suffix() + ", in " + cut(a.line(s.ProjectPath), 200),
		fmt.Sprintf("  from %s to %s, %s, %s", a.date(s.CreatedAt), a.date(s.LastActivityAt), plural(s.PromptCount, "prompt"), plural(s.MessageCount, "message")),
	}
	if s.State != nil {
		lines = append(lines, "  state: "+s.State.Word+", "+cut(a.line(s.State.Why), 120))
	}
	if s.GitBranch != "" {
		lines = append(lines, "  git branch: "+cut(a.line(s.GitBranch), 100))
	}
	if len(s.Commits) > 0 {
		lines = append(lines, "  commits: "+cut(a.line(strings.Join(s.Commits, ", ")), 200))
	}
	if len(s.PullRequests) > 0 {
		lines = append(lines, "  pull requests: "+cut(a.line(strings.Join(s.PullRequests, ", ")), 200))
	}
	if len(s.Models) > 0 {
		lines = append(lines, "  models: "+cut(a.line(strings.Join(s.Models, ", ")), 200))
	}
	if cost, known := s.Spent(); known {
		lines = append(lines, "  cost with its agents: "+cost.String()+", by list prices")
	}
	if s.ForkedFrom != "" {
		lines = append(lines, "  forked from: "+address(a.line(s.ForkedFrom), "", "", ""))
	}
	if s.Note != "" {
		lines = append(lines, "  note: "+cut(a.line(s.Note), 400))
	}
	if s.Problems > 0 {
		lines = append(lines, "  damage: "+plural(s.Problems, "place")+" of the transcript cannot be read")
	}
	return lines
}

// contents returns the facts that only the transcript has.
func (r *Recall) contents(ctx context.Context, a *answer, t catalog.Target) ([]string, error) {
	open, err := r.Catalog.Read(ctx, t)
	if err != nil {
		return nil, err
	}
	branches, err := talk.Branches(ctx, open)
	open.Close()
	if err != nil {
		return nil, err
	}
	lines := a.branches(branches)
	agents, err := r.Catalog.Agents(ctx, t)
	if err != nil {
		return nil, err
	}
	lines = append(lines, a.agents(agents, t)...)
	files, err := r.Talk.Files(ctx, t)
	if err != nil {
		return nil, err
	}
	lines = append(lines, a.files(files)...)
	outline, err := r.Talk.Outline(ctx, t, talk.OutlineOptions{Leaf: t.Leaf})
	if err != nil {
		return nil, err
	}
	return append(lines, a.prompts(outline.Items)...), nil
}

func (a *answer) branches(list []ask.Conversation) (lines []string) {
	if len(list) < 2 {
		return nil
	}
	lines = append(lines, fmt.Sprintf("  %d branches, newest first:", len(list)))
	for i := range list[:min(len(list), 10)] {
		c := &list[i]
		mark := ""
		if c.Active {
			mark = ", the one a resume continues"
		}
		lines = append(lines, fmt.Sprintf("    :%s %s, %s%s: %s", short(c.Leaf), a.date(c.LastActivity), plural(c.PromptCount, "prompt"), mark, cut(a.label(c.Name), 120)))
	}
	return lines
}

func (a *answer) agents(list []catalog.Agent, t catalog.Target) (lines []string) {
	list = slices.DeleteFunc(slices.Clone(list), func(g catalog.Agent) bool { return g.Helper })
	if len(list) == 0 {
		return nil
	}
	lines = append(lines, "  "+plural(len(list), "agent")+":")
	for i := range list[:min(len(list), 20)] {
		g := &list[i]
		lines = append(lines, fmt.Sprintf("    %s %s, %s: %s", address(string(t.Store.Parent(t.Ref)), string(g.ID), "", t.Suffix), a.line(g.Type), plural(g.MessageCount, "message"), cut(a.label(g.Description), 120)))
	}
	return lines
}

func (a *answer) files(list []talk.ChangedFile) (lines []string) {
	if len(list) == 0 {
		return nil
	}
	lines = append(lines, "  "+plural(len(list), "file")+" changed by tools:")
	for i := range list {
		f := &list[i]
		lines = append(lines, fmt.Sprintf("    %s +%d -%d, %s", cut(a.line(f.Path), 200), f.Added, f.Removed, plural(f.Edits, "edit")))
	}
	return lines
}

func (a *answer) prompts(items []talk.OutlineItem) (lines []string) {
	lines = append(lines, "  prompts of the conversation:")
	for i := range items {
		switch it := &items[i]; it.Kind {
		case talk.OutlinePrompt:
			lines = append(lines, fmt.Sprintf("    %s #%s turn %d: %s", a.date(it.Time), short(a.line(it.MessageID)), it.Turn+1, cut(a.label(sesskeep.OneLine(it.Text)), 200)))
		case talk.OutlineCompaction:
			lines = append(lines, fmt.Sprintf("    %s compacted: the model saw a summary from here on", a.date(it.Time)))
		}
	}
	return lines
}
