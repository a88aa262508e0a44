package tui

import (
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
)

// tabs are the pages with a key of their own. They are in the head line if all fit there,
// else in the line above the foot as many as fit; the help has the rest.
var tabs = []struct {
	page keys.Action
	name string
}{
	{keys.Projects, "Projects"}, {keys.Sessions, "Sessions"}, {keys.Live, "Live"}, {keys.Runs, "Runs"}, {keys.Inbox, "Inbox"},
	{keys.Search, "Search"}, {keys.Usage, "Usage"}, {keys.TrashPage, "Trash"}, {keys.ArchivePage, "Archive"},
	{keys.KeptPage, "Copies"}, {keys.ActivityPage, "Activity"},
}

// headTabs are the tabs in the head line: all or none.
func (m *model) headTabs() string {
	used := 2
	for _, text := range m.headRemarks() {
		if text != "" {
			used += term.Width(text) + 3
		}
	}
	if line, all := m.tabLine(m.width - used); all {
		return line
	}
	return ""
}

// tabLine draws the keys and names of pages, the open one bold, in at most room columns. It
// reports whether all of them fit.
func (m *model) tabLine(room int) (line string, all bool) {
	if m.picks() {
		return "", false // there is one page
	}
	sc := m.world.Screen
	for _, t := range tabs {
		bound := keys.Find(t.page).Keys
		key := pages.KeyName(sc, bound[len(bound)-1]) // the number, where a page has a letter too
		need := 1 + term.Width(key) + 1 + term.Width(t.name) + 1
		if need > room {
			return line, false
		}
		room -= need
		style := term.Dim
		if m.roots[t.page] != nil && m.stack[0] == m.roots[t.page] {
			style = term.Bold
		}
		line += " " + sc.Paint(term.Cyan, key) + " " + sc.Paint(style, t.name) + " "
	}
	return line, true
}
