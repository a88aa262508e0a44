package health

import (
	"context"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/internal/stamp"
)

// Amount is how much space some files take.
type Amount struct {
	Bytes  int64      `json:"fileSize"`
	Files  int        `json:"fileCount"`
	Oldest stamp.Time `json:"oldestAt,omitzero"`
	Newest stamp.Time `json:"newestAt,omitzero"`
}

// Share is the part of a home with one name.
type Share struct {
	Name string `json:"name"`
	Amount
}

// AgeShare is the part of a home that was written within some days.
type AgeShare struct {
	Days int `json:"days"` // 0: no limit
	Amount
}

// StorageItem is the files of one kind of one session.
type StorageItem struct {
	Kind    string `json:"kind"`
	Project string `json:"project,omitempty"`
	Session string `json:"sessionId,omitempty"`
	Orphan  bool   `json:"orphan"`
	Amount
}

// HomeStorage is what takes space in one home.
type HomeStorage struct {
	Root      string             `json:"root"`
	Totals    Amount             `json:"totals"`
	Orphaned  Amount             `json:"orphaned"`
	ByKind    []Share            `json:"byKind"`
	ByProject []Share            `json:"byProject"`
	ByAge     []AgeShare         `json:"byAge"`
	Items     []StorageItem      `json:"items"`
	Problems  []sesskeep.Problem `json:"problems"`
}

// StoragePage is what takes space in all homes.
type StoragePage struct {
	Homes []HomeStorage `json:"homes"`
	Total int           `json:"total"`
}

// Storage adds up the files of every home.
func (ck *Checker) Storage(ctx context.Context, now time.Time) (StoragePage, error) {
	page := StoragePage{Homes: []HomeStorage{}, Total: len(ck.homes.List)}
	for _, h := range ck.homes.List {
		if ctx.Err() != nil {
			return page, ctx.Err()
		}
		st, err := claudehome.MeasureStorage(h.Store.Disk(), now)
		if err != nil {
			return page, err
		}
		page.Homes = append(page.Homes, homeStorage(h.Store.Root(), st))
	}
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
