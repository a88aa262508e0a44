package health

import (
	"context"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/internal/ask"
	"sesskeep/internal/stamp"
)

// Amount is how much space some files take.
type Amount struct {
	Bytes  int64      `json:"fileSize"`          // total size of the files in bytes
	Files  int        `json:"fileCount"`         // number of files
	Oldest stamp.Time `json:"oldestAt,omitzero"` // modification time of the oldest file
	Newest stamp.Time `json:"newestAt,omitzero"` // modification time of the newest file
}

// Share is the part of a home with one name.
type Share struct {
	Name string `json:"name"` // name of the kind or of the project
	Amount
}

// AgeShare is the part of a home that was written within some days.
type AgeShare struct {
	Days int `json:"days"` // upper bound of the age in days; 0 means no bound
	Amount
}

// StorageItem is the files of one kind of one session.
type StorageItem struct {
	Kind    string `json:"kind"`                // kind of file
	Project string `json:"project,omitempty"`   // directory below projects/ in the home
	Session string `json:"sessionId,omitempty"` // id of the session
	Orphan  bool   `json:"orphan"`              // true if the session has no transcript
	Amount
}

// HomeStorage is what takes space in one home.
type HomeStorage struct {
	Root      string             `json:"root"`      // directory of the home
	Totals    Amount             `json:"totals"`    // all files of the home
	Orphaned  Amount             `json:"orphaned"`  // files of sessions without a transcript
	ByKind    []Share            `json:"byKind"`    // by kind of file
	ByProject []Share            `json:"byProject"` // by project
	ByAge     []AgeShare         `json:"byAge"`     // by time since the last write
	Items     []StorageItem      `json:"items"`     // by session and kind, largest first
	Problems  []sesskeep.Problem `json:"problems"`  // directories and files that could not be read
}

// StoragePage is what takes space in all homes.
type StoragePage struct {
	Homes []HomeStorage `json:"homes"` // one for each home
	Total int           `json:"total"` // number of homes
	ask.Covered
}

// Storage adds up the files of every home.
func (ck *Checker) Storage(ctx context.Context, now time.Time) (StoragePage, error) {
	page := StoragePage{Homes: []HomeStorage{}, Total: len(ck.homes.List)}
	for _, h := range ck.homes.List {
		if ctx.Err() != nil {
			return page, ctx.Err()
		}
		st, err := claudehome.MeasureStorage(h.Store.Files().Disk(), now)
		if err != nil {
			return page, err
		}
		page.Homes = append(page.Homes, homeStorage(h.Store.Root(), st))
	}
	page.Covered = ask.NewCovered(ck.catalog.CoverageOfFiles())
	return page, nil
}

func homeStorage(root string, st claudehome.Storage) HomeStorage {
	h := HomeStorage{
		Root: root, Totals: amount(st.Total), Orphaned: amount(st.Orphaned),
		ByKind: shares(st.ByKind), ByProject: shares(st.ByProject), ByAge: []AgeShare{},
		Items: []StorageItem{}, Problems: append([]sesskeep.Problem{}, st.Problems...),
	}
	for _, a := range st.ByAge {
		h.ByAge = append(h.ByAge, AgeShare{a.Days, amount(a.Amount)})
	}
	for _, i := range st.Items {
		h.Items = append(h.Items, StorageItem{i.Kind, i.Project, string(i.Session), i.Orphan, amount(i.Amount)})
	}
	return h
}

func amount(a claudehome.Amount) Amount {
	return Amount{a.Bytes, a.Files, stamp.Time{Time: a.Oldest}, stamp.Time{Time: a.Newest}}
}

func shares(list []claudehome.StorageShare) []Share {
	shares := []Share{}
	for _, s := range list {
		shares = append(shares, Share{s.Name, amount(s.Amount)})
	}
	return shares
}
