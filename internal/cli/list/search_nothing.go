package list

import (
	"context"
	"fmt"
	"strings"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/query"
	"sesskeep/internal/term"
)

// maxSingleWords is how many words of a query are looked up one by one.
const maxSingleWords = 8

// explainNothing says why a query of several words found nothing: they have to
// be in one line of a transcript. Beside that it says how often each of them is
// found on its own.
func explainNothing(ctx context.Context, sh *shell.Shell, a *app.App, s ask.Search) error {
	var words []query.Clause
	for _, c := range s.Query.Text {
		if !c.Not {
			words = append(words, c)
		}
	}
	if s.Raw != nil || len(words) < 2 || len(words) > maxSingleWords {
		return nil
	}
	var found []string
	for _, c := range words {
		s.Query.Text = []query.Clause{c}
		s.Count, s.Limit = true, 1
		page, err := a.Catalog.Search(ctx, s)
		if err != nil {
			return err
		}
		found = append(found, soleMatch(c, page))
	}
	sh.Note("all words have to be in one prompt, answer or result. Alone: " + strings.Join(found, "; "))
	return nil
}

func soleMatch(c query.Clause, page catalog.SearchPage) string {
	count := term.Count(page.HitCount)
	switch {
	case page.HitCount == 0 && page.Complete:
		count = "never"
	case !page.Complete:
		count += " or more"
	default:
		count = fmt.Sprintf("%s in %s", count, output.Plural(page.Total, "session"))
	}
	return c.String() + " " + count
}
