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
func (a *App) Search(ctx context.Context, s Search) (SearchPage, error) {
	x, err := a.Index(ctx)
	if err != nil {
		return SearchPage{}, err
	}
	return x.Search(ctx, a.Homes(), s)
}
