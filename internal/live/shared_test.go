package live

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Two hundred users share one Hub and one inotify instance, and all of them are
// told everything.
func TestManySubscribers(t *testing.T) {
	p := newPlace(t)
	p.write(mainFile(sid1), says("user", "old"))
	before, counted := inotifies(t)
	var shared Shared
	var ready, done sync.WaitGroup
	const users = 200
	ready.Add(users)
	hubs := make([]*Hub, users)
	want := strings.Fields("a b c d e f g h i j k l m n o p")
	for i := range users {
		done.Go(func() {
			err := shared.Use(t.Context(), p.options(), func(_ context.Context, h *Hub) error {
				hubs[i] = h
				s := h.Subscribe(Interest{Lines: true})
				defer s.Close()
				ready.Done()
				var got []string
				for ev := range s.Events() {
					if ev.Kind == Reset {
						return fmt.Errorf("user %d was reset", i)
					}
					got = append(got, strings.Fields(texts(ev))...)
					if len(got) >= len(want) {
						break
					}
				}
				if !slices.Equal(got, want) {
					return fmt.Errorf("user %d got %v", i, got)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	ready.Wait()
	if now, _ := inotifies(t); counted && now != before+1 {
		t.Errorf("%d inotify instances, want %d", now, before+1)
	}
	for _, text := range want {
		p.append(mainFile(sid1), says("user", text))
	}
	done.Wait()
	for i, h := range hubs {
		if h != hubs[0] {
			t.Fatalf("user %d has a Hub of its own", i)
		}
	}
	if now, _ := inotifies(t); counted && now != before || shared.Current() != nil {
		t.Errorf("%d inotify instances are left, %d before", now, before)
	}
}

// inotifies counts the inotify instances of this process, where it can.
func inotifies(t *testing.T) (n int, ok bool) {
	t.Helper()
	list, err := filepath.Glob("/proc/self/fdinfo/*")
	if err != nil || len(list) == 0 {
		t.Log("this system has no /proc/self/fdinfo: instances are not counted")
		return 0, false
	}
	for _, name := range list {
		link, err := os.Readlink(strings.Replace(name, "fdinfo", "fd", 1))
		if err == nil && strings.Contains(link, "inotify") {
			n++
		}
	}
	return n, true
}

// Users come and go at random. Nobody is ended by another, and there is never
// more than one Hub.
func TestSharedComeAndGo(t *testing.T) {
	p := newPlace(t)
	o := p.options()
	o.Log = filepath.Join(t.TempDir(), "log")
	var shared Shared
	var all sync.WaitGroup
	for seed := range uint64(20) {
		all.Go(func() {
			r := rand.New(rand.NewPCG(seed, 1))
			for range 10 {
				ctx, cancel := context.WithCancel(t.Context())
				if r.IntN(3) == 0 {
					time.AfterFunc(time.Duration(r.IntN(5000))*time.Microsecond, cancel)
				}
				own := errors.New("own")
				err := shared.Use(ctx, o, func(ctx context.Context, h *Hub) error {
					if shared.Current() != h {
						t.Error("another Hub is the current one")
					}
					s := h.Subscribe(Interest{})
					defer s.Close()
					time.Sleep(time.Duration(r.IntN(3000)) * time.Microsecond)
					return own
				})
				if err != own && (ctx.Err() == nil || !errors.Is(err, context.Canceled)) {
					t.Errorf("got %v, own context %v", err, ctx.Err())
				}
				cancel()
			}
		})
	}
	all.Wait()
	if shared.Current() != nil {
		t.Error("it runs on")
	}
}

// A fault ends all users with its error; who comes later gets a new Hub.
func TestSharedFault(t *testing.T) {
	p := newPlace(t)
	p.register(71, sid1, "busy")
	o := p.options()
	var bad atomic.Bool
	o.Alive = func(int, string, string) bool {
		if bad.Load() {
			panic("made up")
		}
		return true
	}
	var shared Shared
	var all sync.WaitGroup
	var ready sync.WaitGroup
	ready.Add(3)
	for range 3 {
		all.Go(func() {
			err := shared.Use(t.Context(), o, func(ctx context.Context, h *Hub) error {
				ready.Done()
				<-ctx.Done()
				return ctx.Err()
			})
			if err == nil || !strings.Contains(err.Error(), "made up") {
				t.Errorf("got %v", err)
			}
		})
	}
	ready.Wait()
	bad.Store(true)
	p.register(72, sid2, "busy")
	all.Wait()
	bad.Store(false)
	if err := shared.Use(t.Context(), o, func(context.Context, *Hub) error { return nil }); err != nil {
		t.Errorf("after a fault: %v", err)
	}
}
