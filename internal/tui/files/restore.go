package files

import (
	"context"
	"path"

	"sesskeep/internal/acts"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/versions"
)

// act puts the content back. The page goes once it is done, and the foot says how to undo it.
func (p *restorePage) act() pages.Act {
	w, r, name := p.world, p.request(), path.Base(p.file)
	return pages.Act{
		Doing: "restoring " + name, Done: "restored", Agreed: true, Closes: p,
		Run: func(ctx context.Context, by acts.Doing) (acts.Outcome, error) {
			out, err := w.App.Versions.Restore(ctx, by, r)
			if err != nil {
				return acts.Outcome{Verb: versions.RestoreVerb}, err
			}
			return acts.Outcome{
				Verb: versions.RestoreVerb, Total: 1, Changed: map[bool]int{true: 1}[out.Changed],
				Results: []acts.Result{{Title: name, Changed: out.Changed, Act: out.Act}},
			}, nil
		},
		Words: func(acts.Outcome) string { return name + " is as it was after that change" },
	}
}
