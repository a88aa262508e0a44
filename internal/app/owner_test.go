package app_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/follow"
	"sesskeep/internal/live"
	"sesskeep/internal/money"
	"sesskeep/internal/query"
	"sesskeep/internal/storetest"

	"go.uber.org/goleak"
)

// owned opens a home with one session, with an owner that has nothing left to
// do.
func owned(t *testing.T, o app.Options) (a *app.App, file string) {
	t.Helper()
	home := storetest.Home(t, "-- projects/-w/"+storetest.PaidID+".jsonl --\n"+storetest.Paid(0, "begin"))
	o.Roots, o.Cache = []string{home}, t.TempDir()
	a, err := app.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	a.Stay()
	settled(t, a)
	return a, filepath.Join(home, "projects", "-w", storetest.PaidID+".jsonl")
}

// settled waits until the owner hears its Hub, and has looked once since.
func settled(t *testing.T, a *app.App) {
	t.Helper()
	storetest.Soon(t, func() string {
		if a.Index.Hub() == nil || a.Index.Walks() < 2 || !a.Index.Coverage().Complete {
			return "the owner does not come to rest"
		}
		return ""
	})
}

// looks is what lists, searches and usage say of the session.
type looks struct {
	messages, hits int
	output         int64
}

func lookAtAll(ctx context.Context, a *app.App, word string) (l looks, err error) {
	c, err := a.Catalog.Snapshot(ctx)
	if err != nil {
		return l, err
	}
	page, err := c.List(ctx, ask.Filter{Now: time.Now()})
	if err != nil {
		return l, err
	}
	for _, r := range page.Sessions {
		l.messages += r.MessageCount
	}
	q, err := query.Parse(word, time.Now())
	if err != nil {
		return l, err
	}
	found, err := a.Catalog.Search(ctx, ask.Search{Query: q})
	if err != nil {
		return l, err
	}
	l.hits = found.HitCount
	prices, err := money.ReadPrices(ctx, "")
	if err != nil {
		return l, err
	}
	used, err := a.Catalog.Reports.Usage(ctx, money.UsageOptions{By: "model", Zone: time.UTC, Prices: prices, Now: time.Now()})
	l.output = used.Totals.Usage.Output
	return l, err
}

// A line that is appended is in lists, searches and usage soon after, though
// nobody walks, and those who wait for it are told.
func TestAppendedIsKnown(t *testing.T) {
	a, file := owned(t, app.Options{})
	walks := a.Index.Walks()
	for n := 1; n <= 5; n++ {
		word := fmt.Sprintf("word%dx", n)
		before := a.Index.Coverage().Generation
		newer := make(chan uint64, 1)
		go func() {
			now, _ := a.Index.Newer(t.Context(), before)
			newer <- now
		}()
		storetest.Append(t, file, storetest.Paid(n, word))
		want := looks{messages: n + 1, hits: 1, output: int64(10 * (n + 1))}
		storetest.Soon(t, func() string {
			got, err := lookAtAll(t.Context(), a, word)
			if err != nil || got != want {
				return fmt.Sprintf("got %+v, %v; want %+v", got, err, want)
			}
			return ""
		})
		if now := <-newer; now == before {
			t.Error("nobody is told that answers are others")
		}
	}
	if now := a.Index.Walks(); now != walks {
		t.Errorf("it took %d walks", now-walks)
	}
	if f := a.Index.Coverage(); !f.Complete || f.Behind != nil || f.Reading != nil {
		t.Errorf("in the end it is %+v", f)
	}
}

// What comes, goes and is replaced is known as well, without a walk.
func TestOwnerFollows(t *testing.T) {
	a, file := owned(t, app.Options{})
	walks := a.Index.Walks()
	other := strings.Replace(file, "11111111", "22222222", 1)
	for _, step := range []struct {
		do   func() error
		want looks
	}{
		{func() error { return os.WriteFile(other, []byte(storetest.Paid(7, "begin")), 0o600) }, looks{2, 2, 20}},
		{func() error { return os.Remove(file) }, looks{1, 1, 10}},
		{func() error {
			text := storetest.Paid(8, "begin") + storetest.Paid(9, "begin")
			return errors.Join(os.WriteFile(other+".new", []byte(text), 0o600), os.Rename(other+".new", other))
		}, looks{2, 2, 20}},
		{func() error { return os.RemoveAll(filepath.Dir(file)) }, looks{}},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		storetest.Soon(t, func() string {
			got, err := lookAtAll(t.Context(), a, "begin")
			if err != nil || got != step.want {
				return fmt.Sprintf("got %+v, %v; want %+v", got, err, step.want)
			}
			return ""
		})
	}
	if now := a.Index.Walks(); now != walks {
		t.Errorf("it took %d walks", now-walks)
	}
}

// What comes after the first walk looked and before the Hub did is told by
// nobody, and found all the same.
func TestOwnerMissesNothing(t *testing.T) {
	held, release, progress := holdUp()
	home := storetest.Home(t, "-- projects/-w/"+storetest.PaidID+".jsonl --\n"+storetest.Paid(0, "begin"))
	a, err := app.Open(app.Options{Roots: []string{home}, Cache: t.TempDir(), Progress: progress})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	a.Stay()
	<-held
	storetest.Append(t, filepath.Join(home, "projects", "-w", strings.Replace(storetest.PaidID, "1", "2", 1)+".jsonl"), storetest.Paid(1, "begin"))
	storetest.Soon(t, func() string {
		if a.Index.Hub() == nil {
			return "there is no Hub"
		}
		return ""
	})
	close(release)
	storetest.Soon(t, func() string {
		got, err := lookAtAll(t.Context(), a, "begin")
		if want := (looks{2, 2, 20}); err != nil || got != want {
			return fmt.Sprintf("got %+v, %v; want %+v", got, err, want)
		}
		return ""
	})
}

// TestManyCallers has callers of all kinds come and go at any time, while a
// session grows: nobody gets the end of another, every answer is one that was
// right at some time since the question, and in the end nothing is left.
func TestManyCallers(t *testing.T) {
	idle := goleak.IgnoreCurrent()
	a, file := owned(t, app.Options{Patience: 50 * time.Millisecond})
	ctx, end := context.WithCancel(t.Context())
	var written atomic.Int64 // lines, at least
	written.Store(1)
	var writer, callers sync.WaitGroup
	writer.Go(func() {
		for n := 1; n <= 200 && ctx.Err() == nil; n++ {
			storetest.Append(t, file, storetest.Paid(n, fmt.Sprintf("line %d", n)))
			written.Add(1)
			time.Sleep(time.Millisecond)
		}
	})
	var stayed atomic.Int64 // answers to callers who did not go
	for i := range 100 {
		callers.Go(func() {
			dice := rand.New(rand.NewPCG(1, uint64(i)))
			for round := range 6 {
				mine, leave := context.WithCancel(ctx)
				goes := dice.IntN(2) == 0
				if goes {
					time.AfterFunc(time.Duration(dice.IntN(5000))*time.Microsecond, leave)
				}
				kind := (i + round) % 5
				err := call(mine, a, kind, &written)
				switch {
				case err == nil:
					stayed.Add(1)
				case goes && errors.Is(err, context.Canceled):
				default:
					t.Errorf("caller %d, kind %d, goes %v: %v", i, kind, goes, err)
				}
				leave()
			}
		})
	}
	callers.Wait()
	writer.Wait()
	if stayed.Load() < 300 {
		t.Errorf("only %d answers came", stayed.Load())
	}
	want := looks{messages: 201, hits: 200, output: 2010}
	storetest.Soon(t, func() string {
		got, err := lookAtAll(ctx, a, "line")
		if err != nil || got != want {
			return fmt.Sprintf("in the end it is %+v, %v; want %+v", got, err, want)
		}
		return ""
	})
	end()
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	goleak.VerifyNone(t, idle)
}

// call asks one question, and checks the answer.
func call(ctx context.Context, a *app.App, kind int, written *atomic.Int64) error {
	between := func(got int) error {
		// The line that is written at this moment may be in the answer.
		if got < 1 || int64(got) > written.Load()+1 {
			return fmt.Errorf("%d lines, of %d", got, written.Load())
		}
		return nil
	}
	switch kind {
	case 0: // list
		c, err := a.Catalog.Snapshot(ctx)
		if err != nil {
			return err
		}
		page, err := c.List(ctx, ask.Filter{Now: time.Now()})
		if err != nil {
			return err
		}
		if page.Total != 1 {
			return fmt.Errorf("%d sessions", page.Total)
		}
		return between(page.Sessions[0].MessageCount)
	case 1: // search
		q, err := query.Parse("begin", time.Now())
		if err != nil {
			return err
		}
		page, err := a.Catalog.Search(ctx, ask.Search{Query: q})
		if err != nil {
			return err
		}
		return between(page.HitCount)
	case 2: // usage
		prices, err := money.ReadPrices(ctx, "")
		if err != nil {
			return err
		}
		r, err := a.Catalog.Reports.Usage(ctx, money.UsageOptions{By: "session", Zone: time.UTC, Prices: prices, Now: time.Now()})
		if err != nil {
			return err
		}
		return between(int(r.Totals.Usage.Output) / 10)
	case 3: // show
		t, err := a.Catalog.Find(ctx, storetest.PaidID)
		if err != nil {
			return err
		}
		s, err := a.Catalog.Read(ctx, t)
		if err != nil {
			return err
		}
		defer s.Close()
		return between(len(s.Transcript.Digest.Chain))
	}
	// watch, until nothing is missed any more
	watch, enough := context.WithCancel(ctx)
	defer enough()
	err := a.Live.Watch(watch, follow.WatchOptions{All: true, Now: time.Now, Ready: func(int) { enough() }}, func(follow.Event) error { return nil })
	if ctx.Err() == nil && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// What the Hub is told of files is what it would find by reading them.
func TestKnownIsTrue(t *testing.T) {
	home := t.TempDir()
	if _, err := storetest.Make(home, storetest.S, 1); err != nil {
		t.Fatal(err)
	}
	a, err := app.Open(app.Options{Roots: []string{home}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if err := a.Index.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	store := a.Homes.Stores()[0]
	files, known := 0, 0
	keys, err := store.ProjectKeys()
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		for _, ref := range store.Folder(key).Refs {
			files++
			if k, ok := a.Index.HubOptions().Known(live.File{Root: home, Name: ref.File}); ok {
				known++
				isTrue(t, store, ref.File, k)
			}
		}
	}
	if known < files*9/10 {
		t.Errorf("%d files of %d are known", known, files)
	}
}

// isTrue compares what is known of a file with what it says.
func isTrue(t *testing.T, store *sesskeep.Store, name string, k live.Known) {
	t.Helper()
	tail, err := store.Tail(name, homefs.Mark{})
	if err != nil {
		t.Fatal(err)
	}
	defer tail.Close()
	var stands sesskeep.Standing
	for e, ok := tail.Next(); ok; e, ok = tail.Next() {
		stands.Add(e)
	}
	if offset, lines := tail.Position(); offset != k.Mark.Offset || lines != k.Mark.Lines {
		t.Errorf("%s is known up to %d, line %d; it goes to %d, line %d", name, k.Mark.Offset, k.Mark.Lines, offset, lines)
	}
	if !reflect.DeepEqual(stands, k.Standing) {
		t.Errorf("%s stands at %+v, not at %+v", name, stands, k.Standing)
	}
}
