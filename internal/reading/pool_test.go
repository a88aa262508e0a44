package reading_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/reading"
	"sesskeep/internal/storetest"
)

// counted is a home that counts the files it has open and the bytes it read.
type counted struct {
	homefs.FS
	open  atomic.Int64
	bytes atomic.Int64
	read  func() // called after each reading, if it is set
}

type countedFile struct {
	homefs.File
	fs     *counted
	closed atomic.Bool
}

func (c *counted) Open(name string) (homefs.File, error) {
	f, err := c.FS.Open(name)
	if err != nil {
		return nil, err
	}
	c.open.Add(1)
	return &countedFile{File: f, fs: c}, nil
}

func (f *countedFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.File.ReadAt(p, off)
	f.fs.bytes.Add(int64(n))
	if f.fs.read != nil {
		f.fs.read()
	}
	return n, err
}

func (f *countedFile) Close() error {
	if f.closed.Swap(true) {
		return errors.New("closed twice")
	}
	f.fs.open.Add(-1)
	return f.File.Close()
}

// homeFS reads the files of a folder.
type homeFS struct{ root string }

func (h homeFS) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(h.root + "/" + name) }
func (h homeFS) Stat(name string) (fs.FileInfo, error)      { return os.Stat(h.root + "/" + name) }
func (h homeFS) Open(name string) (homefs.File, error)      { return os.Open(h.root + "/" + name) }

// sessions makes a home of n sessions with the same lines.
func sessions(tb testing.TB, n int, lines string) (*counted, *sesskeep.Store, []sesskeep.Ref) {
	tb.Helper()
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "-- projects/-w/%08d-0000-4000-8000-000000000000.jsonl --\n%s", i, talk(lines))
	}
	root := storetest.Home(tb, b.String())
	c := &counted{FS: homeFS{root}}
	store := sesskeep.New(homefs.New(root, c))
	refs := store.Folder("-w").Refs
	if len(refs) != n {
		tb.Fatalf("%d of %d sessions", len(refs), n)
	}
	return c, store, refs
}

// long is a talk of n turns.
func long(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%c%d<%c%d ", "pa"[i%2], 1000+i, "pa"[(i+1)%2], 999+i)
	}
	return b.String()
}

// What is remembered is not read again, and no more is remembered than allowed.
func TestPoolLimit(t *testing.T) {
	disk, store, refs := sessions(t, 6, long(200))
	whole := open(t, &reading.Pool{}, store, refs[0]).Transcript.Memory()
	pool := &reading.Pool{Limit: 3*whole + whole/2}
	cost := func(i int) int64 {
		before := disk.bytes.Load()
		s, err := pool.Open(t.Context(), store, refs[i])
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		return disk.bytes.Load() - before
	}
	for i := range refs {
		if cost(i) < refs[i].Size {
			t.Errorf("session %d was not read", i)
		}
	}
	if cost(3) > 0 || cost(4) > 0 || cost(5) > 0 {
		t.Error("a session that fits in was read again")
	}
	if cost(0) < refs[0].Size {
		t.Error("more was kept than allowed")
	}
	if cost(3) < refs[3].Size {
		t.Error("the one opened longest ago was kept")
	}
}

// A session that somebody has open is never dropped, and no file is open for
// nobody.
func TestPoolHolds(t *testing.T) {
	disk, store, refs := sessions(t, 4, long(50))
	pool := &reading.Pool{Limit: 1}
	held, err := pool.Open(t.Context(), store, refs[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, ref := range refs[1:] {
		s, err := pool.Open(t.Context(), store, ref)
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
	}
	before := disk.bytes.Load()
	again, err := pool.Open(t.Context(), store, refs[0])
	if err != nil || disk.bytes.Load() != before {
		t.Errorf("an open session was read again: %v", err)
	}
	if _, err := held.Parts(t.Context(), 0); err != nil {
		t.Error(err)
	}
	again.Close()
	held.Close()
	held.Close()
	if _, err := held.Parts(t.Context(), 0); !errors.Is(err, reading.ErrClosed) {
		t.Errorf("reading from a closed session: %v", err)
	}
	if n := disk.open.Load(); n != 0 {
		t.Errorf("%d files are open", n)
	}
}

func TestPoolGone(t *testing.T) {
	disk, store, refs := sessions(t, 1, long(4))
	pool := &reading.Pool{}
	s, err := pool.Open(t.Context(), store, refs[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(store.Path(refs[0].File)); err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Open(t.Context(), store, refs[0]); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if parts, err := s.Parts(t.Context(), 0); err != nil || len(parts) == 0 {
		t.Errorf("what was open cannot be read any more: %v", err)
	}
	s.Close()
	if n := disk.open.Load(); n != 0 {
		t.Errorf("%d files are open", n)
	}
}

// A caller that gives up in the middle of a reading leaves it to the next one.
func TestPoolGoesOn(t *testing.T) {
	disk, store, refs := sessions(t, 1, long(20_000))
	// What was written a moment ago is looked at again at both ends.
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(store.Path(refs[0].File), old, old); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	half := make(chan struct{})
	disk.read = func() {
		if disk.bytes.Load() > refs[0].Size/2 && ctx.Err() == nil {
			cancel()
			<-half // until somebody else waits too
		}
	}
	pool := &reading.Pool{}
	next := make(chan error, 1)
	go func() {
		for pool.Waiting(reading.KeyOf(store, refs[0])) < 1 {
			runtime.Gosched()
		}
		go func() {
			for pool.Waiting(reading.KeyOf(store, refs[0])) < 2 {
				runtime.Gosched()
			}
			close(half)
		}()
		s, err := pool.Open(t.Context(), store, refs[0])
		if err == nil {
			if n := len(s.Transcript.Tree.Turns); n != 20_000 {
				err = fmt.Errorf("%d turns", n)
			}
			s.Close()
		}
		next <- err
	}()
	if _, err := pool.Open(ctx, store, refs[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("the first: %v", err)
	}
	if err := <-next; err != nil {
		t.Errorf("the second: %v", err)
	}
	if n := disk.bytes.Load(); n > refs[0].Size*5/4 {
		t.Errorf("%d bytes were read of %d", n, refs[0].Size)
	}
}

// Callers come and go at random while the files grow: nobody gets another one's
// cancellation, everybody else gets a true answer. The race detector looks on.
func TestPoolCallers(t *testing.T) {
	disk, store, refs := sessions(t, 3, long(400))
	pool := &reading.Pool{Limit: 200 << 10}
	var callers sync.WaitGroup
	var served, left atomic.Int64
	for n := range 100 {
		callers.Go(func() {
			rng := rand.New(rand.NewPCG(7, uint64(n)))
			for range 5 {
				ctx, cancel := context.WithCancel(t.Context())
				goes := true
				switch rng.IntN(3) {
				case 0:
					goes = false
				case 1:
					cancel()
				case 2:
					go cancel()
				}
				err := call(ctx, pool, store, refs[rng.IntN(len(refs))], rng)
				switch {
				case err == nil:
					served.Add(1)
				case goes && errors.Is(err, context.Canceled):
					left.Add(1)
				default:
					t.Errorf("caller %d, goes away: %v: %v", n, goes, err)
				}
				cancel()
			}
		})
	}
	for i := range 50 {
		at := 1400 + i
		for _, ref := range refs {
			storetest.Append(t, store.Path(ref.File), line(fmt.Sprint(string("pa"[i%2]), at), fmt.Sprint(string("pa"[(i+1)%2]), at-1)))
		}
	}
	callers.Wait()
	if served.Load() == 0 || left.Load() == 0 {
		t.Errorf("%d were served, %d went away", served.Load(), left.Load())
	}
	for _, ref := range refs {
		if s := open(t, pool, store, ref); len(s.Transcript.Tree.Turns) != 450 || len(s.Transcript.Tree.Conversations) != 1 {
			t.Errorf("%d turns, %d conversations", len(s.Transcript.Tree.Turns), len(s.Transcript.Tree.Conversations))
		} else {
			s.Close()
		}
	}
	if n := disk.open.Load(); n != 0 {
		t.Errorf("%d files are open", n)
	}
}

// call is what a caller does: it opens a session, reads, and looks for more.
func call(ctx context.Context, pool *reading.Pool, store *sesskeep.Store, ref sesskeep.Ref, rng *rand.Rand) error {
	s, err := pool.Open(ctx, store, ref)
	if err != nil {
		return err
	}
	defer s.Close()
	turn := rng.IntN(len(s.Transcript.Tree.Turns))
	parts, err := s.Parts(ctx, turn)
	if err != nil {
		return err
	}
	if want := heads(s, []int{turn}); len(parts) != 1 || parts[0].UUID != want {
		return fmt.Errorf("turn %d is %+v, not %s", turn, parts, want)
	}
	now, change, err := s.More(ctx)
	if err != nil {
		return err
	}
	defer now.Close()
	if change == homefs.Replaced || len(now.Transcript.Tree.Turns) < len(s.Transcript.Tree.Turns) {
		return fmt.Errorf("%s: %d turns after %d", change, len(now.Transcript.Tree.Turns), len(s.Transcript.Tree.Turns))
	}
	return nil
}

// BenchmarkOpenAt opens a session of 50,000 messages at any message.
func BenchmarkOpenAt(b *testing.B) {
	const messages = 50_000
	_, store, refs := sessions(b, 1, long(messages))
	pool := &reading.Pool{}
	open(b, pool, store, refs[0])
	rng := rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		s, err := pool.Open(b.Context(), store, refs[0])
		if err != nil {
			b.Fatal(err)
		}
		at := rng.IntN(messages)
		span, err := s.Span(reading.Window{Message: fmt.Sprintf("%c%d", "pa"[at%2], 1000+at)})
		if err != nil {
			b.Fatal(err)
		}
		if parts, err := s.All(b.Context(), span.Turns()); err != nil || len(parts) < 4 {
			b.Fatal(len(parts), err)
		}
		s.Close()
	}
}
