package keeping

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/catalog"
	"sesskeep/internal/freshness"
	"sesskeep/internal/homes"
	"sesskeep/internal/live"
	"sesskeep/internal/storetest"
	"sesskeep/internal/vault"
)

// Nothing is copied without consent, or after it was taken back.
func TestKeeperAsksFirst(t *testing.T) {
	root := storetest.Home(t, "-- projects/-w/"+storetest.PaidID+".jsonl --\n"+storetest.Paid(0, "begin"))
	set, err := homes.Open(homes.Options{Roots: []string{root}, Data: t.TempDir(), Host: "here", Trashed: func(sesskeep.Key) bool { return false }})
	storetest.Must(t, err)
	x := freshness.New(freshness.Options{Homes: set, Now: time.Now, Unread: func() []error { return nil }})
	defer x.Close()
	a := New(Options{Homes: set, Index: x, Catalog: catalog.New(catalog.Options{Homes: set, Index: x}), Now: time.Now})
	k := a.newKeeper()
	name := "projects/-w/" + storetest.PaidID + ".jsonl"
	for _, on := range []bool{false, true, false} {
		_, err := a.SetPolicy(func(p *vault.Policy) { p.On = on })
		storetest.Must(t, err)
		storetest.Append(t, filepath.Join(root, name), strings.TrimSuffix(storetest.Paid(1, "more"), "\n"))
		before := copyOf(set.List[0], name)
		k.note(&live.Event{Kind: live.Lines, Root: root, File: name})
		var sweeps sync.WaitGroup
		k.keep(context.Background(), &sweeps)
		sweeps.Wait()
		if copied := copyOf(set.List[0], name) != before; copied != on {
			t.Errorf("keeping is %v, and something was copied: %v", on, copied)
		}
	}
}

func copyOf(h *homes.Home, name string) string {
	f, err := h.Copies.FS().Open(name)
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	info, _ := f.Stat()
	data := make([]byte, info.Size())
	if _, err := f.ReadAt(data, 0); err != nil {
		return err.Error()
	}
	return string(data)
}
