package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/keys"
	"sesskeep/internal/tui/pages"
)

// broken is a page with a fault that a key meets.
type broken struct{ help }

func (b *broken) Do(a keys.Action) (tea.Cmd, bool) {
	switch a {
	case keys.Down:
		var none []int
		_ = none[len(b.lines)]
	case keys.Up:
		return func() tea.Msg { panic("in a Cmd") }, true
	}
	return nil, false
}

func newBroken(w *pages.World) *broken { return &broken{help{world: w}} }

// RunBroken is Run on a page that panics when one goes down.
func RunBroken(ctx context.Context, o Options) error {
	return run(ctx, o, func(m *model) { m.stack = append(m.stack, newBroken(m.world)) })
}
