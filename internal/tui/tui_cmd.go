package tui

import (
	"reflect"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/board"
	"sesskeep/internal/tui/pages"
)

// answer is what a Cmd of a page came back with.
type answer struct {
	page pages.Page
	msg  tea.Msg
}

// faultMsg is a fault of ours in a Cmd.
type faultMsg struct{ err error }

// from makes sure that what a page's Cmd says comes back to that page, and that
// a fault in it ends the program in order.
func (m *model) from(page pages.Page, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = faultMsg{board.Fault(r)}
			}
		}()
		return m.address(page, cmd())
	}
}

// address writes the page on what comes from its Cmd, unless it is for the
// frame or for Bubble Tea itself.
func (m *model) address(page pages.Page, msg tea.Msg) tea.Msg {
	switch msg := msg.(type) {
	case nil, pages.OpenMsg, pages.NoteMsg, pages.CopyMsg, pages.ResumeMsg, leaveMsg, pickedMsg, pages.ActionMsg, pages.PromptMsg, pages.ActMsg, onlyMsg, chosenMsg:
		return msg
	case tea.BatchMsg:
		for i, cmd := range msg {
			msg[i] = m.from(page, cmd)
		}
		return msg
	}
	if strings.HasPrefix(reflect.TypeOf(msg).PkgPath(), "charm.land/bubbletea") {
		return msg
	}
	return answer{page, msg}
}

// answered hands an answer to its page, if that is still there.
func (m *model) answered(a answer) tea.Cmd {
	if _, ok := a.msg.(pages.BackMsg); ok {
		m.remove(a.page)
		return nil
	}
	if !m.has(a.page) {
		return nil
	}
	return m.deliver(a.page, a.msg)
}

func (m *model) has(page pages.Page) bool {
	if slices.Contains(m.stack, page) {
		return true
	}
	for _, root := range m.roots {
		if root == page {
			return true
		}
	}
	return false
}

func (m *model) deliver(page pages.Page, msg tea.Msg) tea.Cmd {
	return m.follow(page, page.Update(msg))
}

// follow does what a page says, and runs what takes time beside the loop.
func (m *model) follow(page pages.Page, cmd tea.Cmd) tea.Cmd {
	if cmd != nil && pages.Sent(cmd) {
		return m.handle(m.address(page, cmd()))
	}
	return m.from(page, cmd)
}
