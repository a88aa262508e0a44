package cli

import (
	"context"

	"sesskeep/internal/cli/document"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/talk"
	"sesskeep/internal/tui/pages"
)

// linkMaker returns what has the running server make a link to a page; nil: no server shows
// the sample home.
func linkMaker(sh *shell.Shell) func(context.Context, pages.LinkRequest) (pages.Link, error) {
	if sh.Flags.Demo.On {
		return nil
	}
	return func(ctx context.Context, r pages.LinkRequest) (pages.Link, error) {
		o := talk.ExportOptions{Agents: r.Agents}
		o.NoThinking, o.NoTools = !r.Thinking, !r.Tools
		made, err := document.Link(ctx, sh, r.Target, o, r.Life)
		return pages.Link{URL: made.URL, Until: made.ExpiresAt.Time}, err
	}
}
