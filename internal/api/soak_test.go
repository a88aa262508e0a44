package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sesskeep/client"
	"sesskeep/internal/access"
	"sesskeep/internal/api"
	"sesskeep/internal/app"
	"sesskeep/internal/shelf"
)

// soaking is a server that many follow while much is written, and that may be
// started again.
type soaking struct {
	t       *testing.T
	dir     string
	address string
	secret  string
	stop    func()
	cuts    cuts
}

func (s *soaking) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// start runs the server, the second time at the address it had.
func (s *soaking) start() {
	s.t.Helper()
	home, data := filepath.Join(s.dir, "home"), filepath.Join(s.dir, "data")
	a, err := app.Open(app.Options{Roots: []string{home}, Data: data, Shelf: shelf.New(data, time.Now), Cache: filepath.Join(s.dir, "cache"), Now: time.Now})
	s.must(err)
	a.Stay()
	s.must(a.Index.Ready(s.t.Context()))
	tokens, err := access.Open(filepath.Join(s.dir, "state"), time.Now)
	s.must(err)
	if s.secret == "" {
		s.secret, _, err = tokens.Create(s.t.Context(), access.Read, "")
		s.must(err)
	}
	door := api.Door{Address: s.address}
	listening, err := door.Listen()
	s.must(err)
	s.address = strings.TrimPrefix(listening.URL, "http://")
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- listening.Run(ctx, api.New(api.Options{App: a, Tokens: tokens, Hosts: listening.Hosts}))
	}()
	s.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			s.t.Errorf("the server ended with %v", err)
		}
		_ = a.Close()
	})
	s.t.Cleanup(s.stop)
}

// cuts are the connections of clients, of which one is cut now and then.
type cuts struct {
	mu   sync.Mutex
	open map[net.Conn]bool
	made int
}

func (c *cuts) dial(ctx context.Context, network, address string) (net.Conn, error) {
	raw, err := new(net.Dialer).DialContext(ctx, network, address)
	if err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.open[raw] = true
	}
	return raw, err
}

// run cuts connections, as a network does: in the middle of whatever they say.
func (c *cuts) run(ctx context.Context, every time.Duration) {
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(every/2 + rand.N(every)):
		}
		c.mu.Lock()
		for one := range c.open { // in no order
			delete(c.open, one)
			_ = one.(*net.TCPConn).SetLinger(0)
			_ = one.Close()
			c.made++
			break
		}
		c.mu.Unlock()
	}
}

// follower is one client, and what it has been told.
type follower struct {
	mu      sync.Mutex
	last    map[string]int64 // line by session
	anew    map[string]bool  // sessions of which nothing is known since a reset
	lost    int
	doubled int
	resets  int
	delays  []time.Duration
	refused error
}

func (f *follower) follow(ctx context.Context, c *client.Client) {
	for e, err := range c.Follow(ctx, "", client.EventsOptions{}) {
		f.mu.Lock()
		if err != nil {
			f.refused = err
		} else {
			f.take(e)
		}
		f.mu.Unlock()
	}
}

func (f *follower) take(e *client.Event) {
	if e.Kind == "reset" {
		f.resets++
		for id := range f.last {
			f.anew[id] = true
		}
	}
	for _, line := range e.Entries {
		was, known := f.last[e.SessionID]
		switch {
		case f.anew[e.SessionID]:
			delete(f.anew, e.SessionID) // what came before it is in the file
		case !known && line.Line != 1, line.Line > was+1:
			f.lost += int(line.Line - was - 1)
		case line.Line <= was:
			f.doubled++
		}
		f.last[e.SessionID] = line.Line
		var at struct{ Timestamp time.Time }
		if json.Unmarshal(line.Raw, &at) == nil {
			f.delays = append(f.delays, time.Since(at.Timestamp))
		}
	}
}

// has reports whether everything that was written was told.
func (f *follower) has(lines map[string]int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for id, n := range lines {
		if f.last[id] < n {
			return false
		}
	}
	return true
}

// write appends lines to sessions for a while, twenty a second to each, and tells
// how many each has then.
func (s *soaking) write(sessions int, during time.Duration, lines map[string]int64) {
	s.t.Helper()
	until, tick := time.Now().Add(during), time.NewTicker(50*time.Millisecond)
	defer tick.Stop()
	for time.Now().Before(until) {
		for i := range sessions {
			s.append(fmt.Sprintf("50a40000-0000-4000-8000-%012d", i), lines)
		}
		<-tick.C
	}
}

// hello is the session by which clients learn that they are connected. Of it they
// may miss the first lines.
const hello = "50a40000-0000-4000-8000-ffffffffffff"

// append writes the next line of a session.
func (s *soaking) append(id string, lines map[string]int64) {
	s.t.Helper()
	f, err := os.OpenFile(filepath.Join(s.dir, "home", "projects", "-srv-soak", id+".jsonl"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	s.must(err)
	uuid := func(n int64) string { return fmt.Sprintf("%08d%s", n, id[8:]) }
	n, parent := lines[id]+1, "null"
	if n > 1 {
		parent = `"` + uuid(n-1) + `"`
	}
	_, err = fmt.Fprintf(f, `{"parentUuid":%s,"cwd":"/srv/soak","sessionId":%q,"version":"2.1.325","type":"user","message":{"role":"user","content":"line %d"},"uuid":%q,"timestamp":%q}`+"\n",
		parent, id, n, uuid(n), time.Now().UTC().Format(time.RFC3339Nano))
	s.must(err)
	s.must(f.Close())
	lines[id] = n
}

// Many follow many sessions, are cut off again and again, and are told every line
// once. When the server is started again each is told so by one reset, and from then
// on every line once.
func TestSoak(t *testing.T) {
	during, long := soak(t, 2*time.Second)
	sessions, followers := 6, 5
	if long {
		sessions, followers = 50, 20
	}
	s := &soaking{t: t, dir: t.TempDir(), address: "127.0.0.1:0"}
	s.cuts.open = map[net.Conn]bool{}
	s.must(os.MkdirAll(filepath.Join(s.dir, "home", "projects", "-srv-soak"), 0o700))
	s.start()
	ctx, end := context.WithCancel(t.Context())
	var all sync.WaitGroup
	crowd := make([]*follower, followers)
	for i := range crowd {
		crowd[i] = &follower{last: map[string]int64{}, anew: map[string]bool{hello: true}}
		h := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: s.cuts.dial}}
		all.Go(func() { crowd[i].follow(ctx, client.NewWith("http://"+s.address, s.secret, h)) })
	}
	defer func() { end(); all.Wait() }()
	lines := map[string]int64{}
	s.await(crowd, "all are there", func(f *follower) bool { s.append(hello, lines); return f.has(map[string]int64{hello: 1}) })
	cutting, rest := context.WithCancel(ctx)
	var cutter sync.WaitGroup
	cutter.Go(func() { s.cuts.run(cutting, 2*time.Second/time.Duration(followers)) })
	s.write(sessions, during, lines)
	s.await(crowd, "every line is told", func(f *follower) bool { return f.has(lines) })
	rest()
	cutter.Wait()
	s.report(crowd, lines, "before the restart", 0)
	s.stop()
	s.start()
	s.await(crowd, "each is told of the restart", func(f *follower) bool { f.mu.Lock(); defer f.mu.Unlock(); return f.resets >= 1 })
	s.write(sessions, during/2, lines)
	s.await(crowd, "every line is told again", func(f *follower) bool { return f.has(lines) })
	s.report(crowd, lines, "after it", 1)
}

// await waits until something holds for every follower.
func (s *soaking) await(crowd []*follower, what string, holds func(*follower) bool) {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if !slices.ContainsFunc(crowd, func(f *follower) bool { return !holds(f) }) {
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("within a minute it is not so that %s", what)
		}
	}
}

// report tells what everybody was told, and what they were not.
func (s *soaking) report(crowd []*follower, lines map[string]int64, when string, resets int) {
	s.t.Helper()
	var delays []time.Duration
	total := int64(0)
	for _, n := range lines {
		total += n
	}
	for i, f := range crowd {
		f.mu.Lock()
		delays = append(delays, f.delays...)
		if f.lost > 0 || f.doubled > 0 || f.resets != resets || f.refused != nil {
			s.t.Errorf("%s, client %d: %d lost, %d doubled, %d resets, %v", when, i, f.lost, f.doubled, f.resets, f.refused)
		}
		f.mu.Unlock()
	}
	slices.Sort(delays)
	s.t.Logf("%s: %d lines to each of %d clients, %d cuts: 0 lost; written to told p50 %v, p99 %v", when, total, len(crowd), s.cuts.made, paginateSlice(delays, 50), paginateSlice(delays, 99))
}
