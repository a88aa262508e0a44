package conversation

import (
	"cmp"
	"errors"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/view"

	tea "charm.land/bubbletea/v2"
)

// enter opens what the chosen block leads to: the transcript of an agent. Any
// other block is folded or unfolded.
func (p *Page) enter() tea.Cmd {
	part := p.feed.Part(p.feed.At)
	if part == nil {
		return nil
	}
	starts := part.Kind == view.CallPart && part.Call.StartsAgent()
	if !starts && part.Agent == "" {
		p.feed.Toggle()
		return nil
	}
	w, from, of := p.world, p.row, *part
	return func() tea.Msg {
		row, err := AgentRow(w, from, &of)
		if err != nil {
			return pages.NoteMsg{Text: err.Error()}
		}
		return pages.OpenMsg{Page: New(w, row)}
	}
}

// AgentRow finds the transcript of the agent that a block is about.
func AgentRow(w *pages.World, from catalog.Session, p *view.Part) (catalog.Session, error) {
	session := from.ID
	if from.IsAgent {
		session = from.ParentSessionID
	}
	agent, title := string(p.Agent), ""
	if p.Call != nil {
		agent, title = cmp.Or(agent, string(p.Call.Agent)), p.Call.Summary
	}
	if agent == "" {
		var err error
		if agent, err = agentOfCall(w, from.Root, session, p.Call.ID); err != nil {
			return catalog.Session{}, err
		}
	}
	t, err := w.App.Catalog.FindIn(w.Ctx, from.Root, session+"/"+agent)
	if err != nil {
		return catalog.Session{}, err
	}
	return catalog.Session{Row: ask.Row{
		ID: t.Ref.ID(), Root: t.Store.Root(), Home: from.Home, Shared: from.Shared, Ref: t.Ref, FileSize: t.Ref.Size, Title: title,
		IsAgent: true, AgentID: cmp.Or(string(t.Ref.Agent), t.Inline), ParentSessionID: session,
		Project: from.Project, ProjectPath: from.ProjectPath, DirName: from.DirName, Source: ask.FromAgent,
	}}, nil
}

// agentOfCall finds the agent that a call started, where its result does not
// name it.
func agentOfCall(w *pages.World, root, session, call string) (string, error) {
	t, err := w.App.Catalog.FindIn(w.Ctx, root, session)
	if err != nil {
		return "", err
	}
	agents, err := w.App.Catalog.Agents(w.Ctx, t)
	if err != nil {
		return "", err
	}
	for _, a := range agents {
		if a.Call != call {
			continue
		}
		return cmp.Or(string(a.ID), a.Root), nil
	}
	return "", errors.New("no transcript of this agent is there")
}

// inlineAgent is the first line of the agent that a row stands for, if that was
// written into its session's own file.
func inlineAgent(r *catalog.Session) string {
	if r.IsAgent && r.Ref.Agent == "" {
		return r.AgentID
	}
	return ""
}
