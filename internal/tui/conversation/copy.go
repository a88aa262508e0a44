package conversation

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/draw"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/view"
)

// copyText copies what the chosen block says, all of it, however much is shown.
func (p *Page) copyText() tea.Cmd {
	part := p.feed.Part(p.feed.At)
	if part == nil {
		return nil
	}
	text := strings.Trim(term.Clean(textOf(part)), "\n")
	if text == "" {
		return pages.Note("there is no text in it")
	}
	return pages.Send(pages.CopyMsg{Text: text, Said: draw.Plural(strings.Count(text, "\n")+1, "line")})
}

// textOf is what a block says: of a call what it was asked, and what came of it.
func textOf(p *view.Part) string {
	c := p.Call
	if p.Kind != view.CallPart || c == nil {
		return p.Text
	}
	var diff []string
	for _, h := range c.Diff {
		diff = append(diff, h.Lines...)
	}
	asked := cmp.Or(c.Command, c.Plan, c.Prompt, strings.Join(diff, "\n"), string(c.Input))
	if len(diff) > 0 { // what an edit says of itself is no news
		return asked
	}
	return strings.TrimRight(asked, "\n") + "\n" + c.Output
}
