package app

import (
	"context"
	"slices"

	"sesskeep"
	"sesskeep/internal/check"
)

// checkHome finds what clients left, and compares the index with the disk.
func (a *App) checkHome(ctx context.Context, h *home) ([]CheckFinding, error) {
	found, err := check.Home(h.store.Disk())
	if err != nil {
		return nil, err
	}
	rows, err := a.rows(ctx, Filter{Source: "all"})
	if err != nil {
		return nil, err
	}
	twins, err := a.rows(ctx, Filter{Source: string(FromTwin)})
	if err != nil {
		return nil, err
	}
	indexed := map[string]int64{}
	for _, r := range slices.Concat(rows, twins) {
		if r.Root == h.store.Root() {
			indexed[r.Ref.File] = r.FileSize
		}
	}
	folders, err := h.store.Disk().Folders()
	if err != nil {
		return nil, err
	}
	differs := func(file, why string) {
		found = append(found, CheckFinding{Code: check.IndexStale, File: file, Count: 1, Meaning: why + "; " + check.IndexStale.Meaning()})
	}
	for _, folder := range folders {
		for _, p := range folder.Problems {
			found = append(found, CheckFinding{Code: check.Unreadable, File: p.File, Count: 1, Meaning: check.Unreadable.Meaning() + ": " + p.Reason})
		}
		for _, ref := range folder.Refs {
			size, ok := indexed[ref.File]
			delete(indexed, ref.File)
			switch {
			case a.changed(h, ref): // somebody is writing it
			case !ok:
				differs(ref.File, "it is not in the index")
			case size != ref.Size:
				differs(ref.File, "the index has another size of it")
			}
		}
	}
	for file := range indexed {
		if h.store.Stat(file) == nil {
			differs(file, "it is in the index and not on the disk")
		}
	}
	return found, nil
}

// changed reports whether a file is written after the index was asked.
func (a *App) changed(h *home, ref sesskeep.Ref) bool {
	now, ok := h.store.Ref(ref.File)
	return !ok || now.Size != ref.Size || a.now().Sub(now.Modtime) < writing
}

// ownStore checks one of our own stores.
type ownStore func(ctx context.Context) ([]CheckFinding, error)

// ownStores are those that are checked when everything is. What keeps data of its
// own adds its check here.
func (a *App) ownStores(o CheckOptions) []ownStore {
	var list []ownStore
	if o.Shelf != nil {
		list = append(list, func(ctx context.Context) ([]CheckFinding, error) { return checkShelf(ctx, o.Shelf) })
	}
	if a.vault != nil {
		list = append(list, a.checkCopies)
	}
	return list
}

// checkCopies checks the copies of what the client wrote.
func (a *App) checkCopies(ctx context.Context) ([]CheckFinding, error) {
	v, err := a.KeepVerify(ctx, nil)
	var found []CheckFinding
	for _, f := range v.Flaws {
		found = append(found, CheckFinding{Code: check.OwnStore, File: f.Path, Count: 1, Meaning: f.Reason})
	}
	return found, err
}

// checkShelf checks the journal and the backups.
func checkShelf(ctx context.Context, s *Shelf) ([]CheckFinding, error) {
	problems, err := s.Verify(ctx)
	var found []CheckFinding
	for _, p := range problems {
		found = append(found, CheckFinding{Code: check.OwnStore, File: p.File, Count: 1, Meaning: p.Reason})
	}
	return found, err
}
