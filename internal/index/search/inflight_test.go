package search

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"sesskeep/internal/ask"
)

// Equal searches are carried out once, and for all who ask.
func TestEqualSearchesRunOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f inFlight
		runs := 0
		release := make(chan struct{})
		search := func(context.Context) (ask.SearchPage, error) {
			runs++
			<-release
			return ask.SearchPage{HitCount: 7}, nil
		}
		found := make(chan int, 5)
		for range 5 {
			go func() {
				page, err := f.do(t.Context(), "same", search)
				if err != nil {
					t.Error(err)
				}
				found <- page.HitCount
			}()
		}
		synctest.Wait()
		close(release)
		for range 5 {
			if n := <-found; n != 7 {
				t.Errorf("%d hits", n)
			}
		}
		if runs != 1 || len(f.runs) != 0 {
			t.Errorf("%d runs, %d are left", runs, len(f.runs))
		}
		if _, err := f.do(t.Context(), "same", search); err != nil || runs != 2 {
			t.Errorf("a later search: %d runs, %v", runs, err)
		}
	})
}

// A search ends when its last caller gives up, and not before.
func TestAbandonedSearchEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f inFlight
		ended := false
		search := func(ctx context.Context) (ask.SearchPage, error) {
			<-ctx.Done()
			ended = true
			return ask.SearchPage{}, ctx.Err()
		}
		var giveUp []context.CancelFunc
		left := make(chan error)
		for range 2 {
			ctx, cancel := context.WithCancel(t.Context())
			giveUp = append(giveUp, cancel)
			go func() {
				_, err := f.do(ctx, "same", search)
				left <- err
			}()
		}
		synctest.Wait()
		giveUp[0]()
		if err := <-left; !errors.Is(err, context.Canceled) || ended {
			t.Errorf("the first of two: %v, ended %v", err, ended)
		}
		giveUp[1]()
		if err := <-left; !errors.Is(err, context.Canceled) || !ended {
			t.Errorf("the last one: %v, ended %v", err, ended)
		}
	})
}
