package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
)

// Messages about what a list is narrowed to.
type (
	onlyMsg   struct{ query string }     // show what this finds; empty: all
	facetsMsg struct{ choices []choice } // what there is besides
)

// newFacets is a palette with what a list can be narrowed to.
func newFacets(w *pages.World) *palette {
	p := &palette{world: w, title: "show only"}
	p.choices = []choice{facet("starred", "", "is:starred"), facet("archived", "", "archived:yes"), facet("all", "", "")}
	p.start = func() tea.Msg {
		tags, err := w.App.Catalog.Tags(w.Ctx)
		if err != nil {
			return pages.NoteMsg{Text: err.Error()}
		}
		var more facetsMsg
		for _, t := range tags {
			more.choices = append(more.choices, facet("#"+t.Tag, term.Count(t.Count), fmt.Sprintf("tag:%q", t.Tag)))
		}
		return more
	}
	p.sift()
	return p
}

func facet(name, hint, query string) choice {
	return choice{name: name, hint: hint, hay: strings.ToLower(name), wish: pages.Send(onlyMsg{query})}
}
