package conversation

import (
	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/catalog"
	"sesskeep/internal/keys"
	"sesskeep/internal/tui/pages"
)

// rowMsg is the session as lists have it by now.
type rowMsg struct{ row *catalog.Session }

// manage does something to the session. A session that goes to the trash is left.
func (p *Page) manage(a keys.Action) tea.Cmd {
	cmd := p.world.Manage(a, []catalog.Session{p.row})
	if a != keys.Trash || !pages.Sent(cmd) {
		return cmd
	}
	if msg, ok := cmd().(pages.ActMsg); ok {
		msg.Act.Closes = p
		return pages.StartAct(msg.Act)
	}
	return cmd
}

// shownLeaf is the last message of the conversation that is shown, for commands; "": it is the
// active one.
func (p *Page) shownLeaf() string {
	list, n := p.src.Tree.Conversations, p.src.session.Number(p.leaf)
	if p.leaf == p.src.session.ActiveLeaf() || n == 0 {
		return ""
	}
	return list[len(list)-n].Leaf // the latest one is listed first
}

// reloadRow asks what lists say of the session, after something was done to it.
func (p *Page) reloadRow(done pages.DoneMsg) tea.Cmd {
	if p.row.IsAgent || done.Outcome.Changed == 0 {
		return nil
	}
	w, key := p.world, p.row.Key
	return func() tea.Msg { return rowMsg{w.Row(key)} }
}

// setRow shows what lists say of the session.
func (p *Page) setRow(r *catalog.Session) {
	if r == nil {
		return // it is on its way
	}
	if p.row.Root != r.Root || p.row.Ref.File != r.Ref.File {
		p.unfollow()
	}
	p.row = *r
	p.updateFromBoard()
	if p.src != nil {
		p.name = sessionName(&p.row, p.src)
	}
}
