package app

import (
	"context"

	"sesskeep/internal/index"
)

// What the index tells of a search.
type (
	Search       = index.Search
	SearchPage   = index.SearchPage
	SearchResult = index.Result
	Hit          = index.Hit
)

// Search looks for text in all transcripts.
func (a *App) Search(ctx context.Context, s Search) (page SearchPage, err error) {
	err = a.ask(ctx, false, func(x *index.Index) (err error) {
		page, err = x.Search(ctx, a.Homes(), s)
		return err
	})
	a.load.Lock()
	defer a.load.Unlock()
	page.Complete = page.Complete && !a.behind
	return page, err
}
