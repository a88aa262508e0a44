package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"

	"sesskeep/internal/freshness"
	"sesskeep/internal/live"
	"sesskeep/internal/mention"
	"sesskeep/internal/purge"
	"sesskeep/internal/runs"
	"sesskeep/internal/share"
	"sesskeep/internal/statusline"
	"sesskeep/internal/transfer"
	"sesskeep/internal/vault"
)

// purgedStores are our stores beside those of the shelf and the copies, and what a purge does
// with each: package stores lists all of them.
func (a *App) purgedStores(living runs.Living, book *statusline.Book) []purge.Store {
	list := []purge.Store{
		{
			Name: "runs",
			Count: func(ctx context.Context, of *mention.Finder) (int, error) {
				found, err := living.Matching(ctx, ofRun(of))
				return len(found), err
			},
			Forget: func(ctx context.Context, of *mention.Finder) error { return living.Forget(ctx, ofRun(of)) },
		},
		{
			Name:   "status lines",
			Count:  func(_ context.Context, of *mention.Finder) (int, error) { return book.Count(of.Session) },
			Forget: func(_ context.Context, of *mention.Finder) error { return book.Forget(of.Session) },
		},
		{
			Name:   "unpacked bundles",
			Forget: func(_ context.Context, of *mention.Finder) error { return transfer.ForgetImports(a.opts.Data, of) },
		},
		{
			Name:   "index",
			Forget: func(ctx context.Context, _ *mention.Finder) error { return freshness.Compact(ctx, a.Index) },
			Last:   true,
		},
	}
	list = append(list, a.mirrorStores()...)
	reports, lifecycle := a.opts.Reports, a.opts.Lifecycle
	if a.opts.State != "" {
		reports, lifecycle = cmp.Or(reports, filepath.Join(a.opts.State, "reports.jsonl")), cmp.Or(lifecycle, filepath.Join(a.opts.State, "lifecycle.jsonl"))
		links := &share.Store{Dir: filepath.Join(a.opts.State, "links"), Now: a.now}
		list = append(list, purge.Store{
			Name:   "links to pages",
			Count:  func(_ context.Context, of *mention.Finder) (int, error) { return links.Count(ofPage(of)) },
			Forget: func(_ context.Context, of *mention.Finder) error { return links.Forget(ofPage(of)) },
		})
	}
	for name, file := range map[string]string{"reports of hooks": reports, "lines in the log of sessions": lifecycle} {
		if file == "" {
			continue
		}
		list = append(list, purge.Store{
			Name: name,
			Count: func(_ context.Context, of *mention.Finder) (int, error) {
				return live.CountLines(file, func(line []byte) bool { return ofLine(of, line) })
			},
			Forget: func(_ context.Context, of *mention.Finder) error {
				return live.DropLines(file, func(line []byte) bool { return ofLine(of, line) })
			},
		})
	}
	return list
}

func ofRun(of *mention.Finder) func(session, dir string) bool {
	return func(session, dir string) bool { return of.Session(session) || of.Project(dir) }
}

// ofLine reports whether a line of a log is of a session or a project.
func ofLine(of *mention.Finder, line []byte) bool {
	var l struct{ Cwd string }
	return of.In(line) || json.Unmarshal(line, &l) == nil && of.Project(l.Cwd)
}

// ofPage finds the pages that are of a session, or mention what is purged.
func ofPage(of *mention.Finder) share.Of { return share.Of{Session: of.Session, Page: of.InReader} }

// mirrorStore is what the second place in a directory is called among the stores of a purge.
func mirrorStore(dir string) string { return "copies in " + dir }

// mirrorStores are the second places of the copies. What a purge removes from the copies is removed
// there at once if they can be reached, and else when they are.
func (a *App) mirrorStores() (list []purge.Store) {
	if a.Homes.Vault == nil {
		return nil
	}
	mirrors, err := a.Homes.Vault.Mirrors()
	if err != nil { // nothing is purged as long as it is not known where the copies are
		return []purge.Store{{Name: "second places", Forget: func(context.Context, *mention.Finder) error { return err }}}
	}
	for _, m := range mirrors {
		list = append(list, purge.Store{Name: mirrorStore(m.Dir), Copies: true, Forget: func(ctx context.Context, _ *mention.Finder) error {
			err := m.Forget(ctx)
			if errors.Is(err, vault.ErrMirrorAway) {
				return purge.ErrAway
			}
			return err
		}})
	}
	return list
}

// caughtUp finishes purges that waited for a second place.
func (a *App) caughtUp(_ context.Context, dir string) {
	_ = a.Purge.Reached(mirrorStore(dir)) // what fails stays listed, and the next one tries again
}
