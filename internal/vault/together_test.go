package vault

import (
	"sync"
	"testing"
	"time"
)

// Processes that copy, drop and prune at the same time wait for each other: the
// copies and the catalogue stay whole.
func TestTogether(t *testing.T) {
	w := newWorld(t)
	w.o.Patience = time.Minute
	w.o.frame = 4096
	var wg sync.WaitGroup
	for n := range 3 {
		wg.Go(func() {
			for range 8 {
				h := w.home() // as another process would
				_, err := h.Keeper.Sweep(t.Context(), w.store, SweepOptions{})
				switch {
				case err != nil:
				case n == 1:
					err = h.Remover.Drop(t.Context(), idB, "calm-sea")
				case n == 2:
					err = h.Remover.Prune(t.Context(), nil)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	w.sweep()
	w.compare(w.files())
}
