package tui

import tea "charm.land/bubbletea/v2"

func page(p *tea.Program, title string) tea.View {
	_ = tea.Raw(title)      // want `charm.land/bubbletea/v2.Raw leads past term.Exit`
	p.Println(title)        // want `charm.land/bubbletea/v2.Program.Println leads past term.Exit`
	v := tea.NewView(title) // want `charm.land/bubbletea/v2.NewView leads past term.Exit`
	v.WindowTitle = title   // want `charm.land/bubbletea/v2.View.WindowTitle leads past term.Exit`
	return v
}
