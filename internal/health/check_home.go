package health

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/check"
	"sesskeep/internal/homes"
	"sesskeep/internal/runs"
	"sesskeep/internal/shelf"
)

// checkHome finds what clients left, and compares the index with the disk, unless the index is
// known to lack something.
func (ck *Checker) checkHome(ctx context.Context, h *homes.Home) ([]check.Finding, ask.Coverage, error) {
	indexed, covered, err := ck.indexedSizes(ctx, h)
	if err != nil {
		return nil, covered, err
	}
	disk := h.Store.With(h.Store.Files().Disk()) // copies are checked separately
	folders, err := disk.Folders()
	if err != nil {
		return nil, covered, err
	}
	found, err := check.Home(disk, folders)
	if err != nil || covered.Behind != nil || covered.Reading != nil {
		return found, covered, err
	}
	for _, f := range differences(indexed, folders) {
		if !ck.changing(h, f.File) && !h.Store.Files().Copied(f.File) {
			found = append(found, f)
		}
	}
	return found, covered, nil
}

// indexedSizes returns the sizes of a home's transcripts in the index.
func (ck *Checker) indexedSizes(ctx context.Context, h *homes.Home) (map[string]int64, ask.Coverage, error) {
	rows, covered, err := ck.catalog.RowsCovered(ctx, ask.Filter{Source: "all"})
	if err != nil {
		return nil, covered, err
	}
	twins, err := ck.catalog.Rows(ctx, ask.Filter{Source: string(ask.FromDuplicate)})
	indexed := map[string]int64{}
	for _, r := range slices.Concat(rows, twins) {
		if r.Root == h.Store.Root() {
			indexed[r.Ref.File] = r.FileSize
		}
	}
	return indexed, covered, err
}

// differences compares the transcripts in the index with those on the disk.
func differences(indexed map[string]int64, folders []sesskeep.Folder) []check.Finding {
	var found []check.Finding
	differs := func(file, why string) {
		found = append(found, check.Finding{Code: check.IndexStale, File: file, Count: 1, Meaning: why + ": " + check.IndexStale.Meaning()})
	}
	there := map[string]bool{}
	for _, folder := range folders {
		for _, ref := range folder.Refs {
			there[ref.File] = true
			switch size, ok := indexed[ref.File]; {
			case !ok:
				differs(ref.File, "it is not in the index")
			case size != ref.Size:
				differs(ref.File, "the index has another size of it")
			}
		}
	}
	for _, file := range slices.Sorted(maps.Keys(indexed)) {
		if !there[file] {
			differs(file, "it is in the index and not on the disk")
		}
	}
	return found
}

// changing reports whether a file was created, deleted or written just now: the index
// was read before the disk.
func (ck *Checker) changing(h *homes.Home, file string) bool {
	info := h.Store.Files().Stat(file)
	return info != nil && ck.opts.Now().Sub(info.ModTime()).Abs() < indexGrace
}

// indexGrace is how long ago a file must have been written for the index to have it.
const indexGrace = time.Hour

// ownStore checks one of our own stores.
type ownStore func(ctx context.Context) ([]check.Finding, error)

// ownStores returns the checks of our own stores for a full check. Every package that
// stores data of its own adds its check here.
func (ck *Checker) ownStores(o CheckOptions) []ownStore {
	var list []ownStore
	if shelf := cmp.Or(o.Shelf, ck.opts.Journal.Shelf); shelf != nil {
		list = append(list,
			func(ctx context.Context) ([]check.Finding, error) { return checkShelf(ctx, shelf) },
			func(ctx context.Context) ([]check.Finding, error) { return checkLabels(ctx, shelf), nil })
		if ck.opts.Living.Data != "" {
			list = append(list, func(context.Context) ([]check.Finding, error) { return checkRuns(shelf.Journal, ck.opts.Living) })
		}
	}
	if ck.homes.Vault != nil {
		list = append(list, ck.checkCopies)
	}
	return list
}

// inStore returns a finding in one of our own stores.
func inStore(file, why string) check.Finding {
	return check.Finding{Code: check.OwnStore, File: file, Count: 1, Meaning: why}
}

// checkCopies checks the copies of what the client wrote.
func (ck *Checker) checkCopies(ctx context.Context) ([]check.Finding, error) {
	v, err := ck.opts.Keep.Verify(ctx, nil)
	var found []check.Finding
	for _, f := range v.Flaws {
		found = append(found, inStore(f.Path, f.Reason))
	}
	return found, err
}

// checkShelf checks the journal and the backups.
func checkShelf(ctx context.Context, s *shelf.Shelf) ([]check.Finding, error) {
	flaws, err := s.Verify(ctx)
	var found []check.Finding
	for _, f := range flaws {
		found = append(found, inStore(f.File, f.Reason))
	}
	return found, err
}

// checkLabels checks the labels and their backups.
func checkLabels(ctx context.Context, s *shelf.Shelf) (found []check.Finding) {
	for _, f := range s.Labels().Verify(ctx) {
		found = append(found, inStore(f.File, "labels that cannot be read: "+f.Err.Error()))
	}
	return found
}

// checkRuns finds what runs were allowed to do without an entry in the journal.
func checkRuns(journal *shelf.Journal, living runs.Living) (found []check.Finding, err error) {
	store, _ := living.Store()
	unnoted, err := runs.AuditAnswers(journal, store)
	for _, u := range unnoted {
		found = append(found, inStore(u.File, "run "+u.Run+" was allowed to use "+u.Tool+", and the journal does not say by whom"))
	}
	return found, err
}
