package api_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sesskeep/internal/access"
	"sesskeep/internal/api"
)

// listening is a server as it runs for users, with all its bounds.
func (w *world) listening(change ...func(*api.Server)) (address string) {
	w.t.Helper()
	door := api.Door{Address: "127.0.0.1:0"}
	l, err := door.Listen()
	w.must(err)
	server := api.New(api.Options{App: w.app, Tokens: w.tokens, Hosts: l.Hosts, Version: "test"})
	for _, f := range change {
		f(server)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- l.Run(ctx, server) }()
	w.t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			w.t.Errorf("the server ended with %v", err)
		}
	})
	return strings.TrimPrefix(l.URL, "http://")
}

// soak is how long tests of endurance go on; "make soak" says longer.
func soak(t *testing.T, usual time.Duration) (_ time.Duration, long bool) {
	t.Helper()
	text := os.Getenv("SESSKEEP_SOAK")
	if text == "" {
		return usual, false
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return d, true
}

// Who opens more connections than there may be, and never says what is wanted, is in
// nobody's way: every other request is answered before a slow one runs out of time.
func TestSlowloris(t *testing.T) {
	w := newWorld(t)
	address := w.listening()
	took, long := soak(t, 2*time.Second)
	sockets := api.MaxConns + 150
	if long {
		sockets = 2000
	}
	quiet := w.latencies(address, 50, time.Time{})
	ctx, stop := context.WithCancel(t.Context())
	var slow sync.WaitGroup
	var opened, dropped atomic.Int64
	for range sockets {
		slow.Go(func() {
			for ctx.Err() == nil {
				if drip(ctx, address, &opened) {
					dropped.Add(1)
				}
				select { // and comes again
				case <-ctx.Done():
				case <-time.After(2 * time.Second):
				}
			}
		})
	}
	for end := time.Now().Add(time.Minute); opened.Load() < int64(sockets) && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
	if n := opened.Load(); n < int64(sockets) {
		t.Errorf("%d of %d slow connections could be opened", n, sockets)
	}
	busy := w.latencies(address, 50, time.Now().Add(took))
	stop()
	slow.Wait()
	if worst := busy[len(busy)-1]; worst > 4*time.Second {
		t.Errorf("a request waited %v for those that say nothing", worst)
	}
	if dropped.Load() == 0 {
		t.Error("no slow connection was dropped")
	}
	t.Logf("%d requests beside %d slow sockets (%d dropped): p50 %v, p99 %v; alone p50 %v, p99 %v", len(busy), sockets, dropped.Load(),
		paginateSlice(busy, 50), paginateSlice(busy, 99), paginateSlice(quiet, 50), paginateSlice(quiet, 99))
}

// drip sends a request that never ends, a byte at a time, and reports whether the
// server has dropped it.
func drip(ctx context.Context, address string, opened *atomic.Int64) bool {
	c, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return false
	}
	defer c.Close()
	opened.Add(1)
	if _, err := io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: "+address+"\r\nX-Slow: "); err != nil {
		return true
	}
	for {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(100 * time.Millisecond):
		}
		if _, err := c.Write([]byte("x")); err != nil {
			return true
		}
	}
}

// latencies are the times of requests over connections of their own, sorted: at
// least n, and until then.
func (w *world) latencies(address string, n int, until time.Time) (list []time.Duration) {
	w.t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 20 * time.Second}
	for len(list) < n || time.Now().Before(until) {
		began := time.Now()
		r, err := client.Get("http://" + address + "/healthz")
		if err != nil {
			w.t.Fatalf("request %d: %v", len(list), err)
		}
		r.Body.Close()
		list = append(list, time.Since(began))
		time.Sleep(10 * time.Millisecond) // slower than what one caller may ask
	}
	slices.Sort(list)
	return list
}

// paginateSlice is the value that so many of a hundred are not above.
func paginateSlice(sorted []time.Duration, percent int) time.Duration {
	return sorted[(len(sorted)-1)*percent/100].Round(10 * time.Microsecond)
}

// G-14: a reader that takes nothing is disconnected, of events and of a document, and
// those that read are not.
func TestStalledReader(t *testing.T) {
	w := newWorld(t)
	w.app.Stay()
	w.must(w.app.Index.Ready(t.Context()))
	loud, calm := w.newSession("5e550000-0000-4000-8000-0000000000aa"), w.newSession("5e550000-0000-4000-8000-0000000000cc")
	large := w.largeSession(24 << 20)
	address := w.listening(func(s *api.Server) { s.Hurry(time.Second) })
	reading := w.listenAt(t.Context(), "http://"+address, "?session="+calm.id)
	for _, path := range []string{"/events", "/sessions/" + large + "/export?format=jsonl"} {
		c, err := net.Dial("tcp", address)
		w.must(err)
		defer c.Close()
		w.must(c.(*net.TCPConn).SetReadBuffer(4 << 10))
		_, err = fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", path, address, w.token[access.Read])
		w.must(err)
	}
	w.awaitRunning(address, 3+1) // the reader, both, and the question itself
	filler := strings.Repeat("x", 3<<10)
	for range 5000 { // more than the system keeps for a connection
		loud.long(filler)
	}
	w.awaitRunning(address, 1+1)
	calm.line()
	if _, last := wait(t, reading, calm.n); last == "" {
		t.Error("who reads was cut off too")
	}
}

// largeSession writes a session of so many bytes, and gives its id.
func (w *world) largeSession(size int) string {
	w.t.Helper()
	const id = "5e550000-0000-4000-8000-0000000000bb"
	s := w.newSession(id)
	filler := strings.Repeat("y", 64<<10)
	for n := 0; n < size; n += len(filler) {
		s.long(filler)
	}
	for end := time.Now().Add(time.Minute); w.ask(access.Read, "GET", "/sessions/"+id, "").status != 200; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("%s is never found", filepath.Base(s.f.Name()))
		}
	}
	return id
}

// awaitRunning waits until a server is answering so many requests.
func (w *world) awaitRunning(address string, want int) {
	w.t.Helper()
	got := ""
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		r, err := http.NewRequestWithContext(w.t.Context(), "GET", "http://"+address+"/metrics", nil)
		w.must(err)
		r.Header.Set("Authorization", "Bearer "+w.token[access.Read])
		answer, err := http.DefaultClient.Do(r)
		w.must(err)
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		w.must(err)
		_, after, _ := strings.Cut(string(text), "\nsesskeep_http_requests_running ")
		got, _, _ = strings.Cut(after, "\n")
		if got == strconv.Itoa(want) {
			return
		}
	}
	w.t.Fatalf("%s requests run, want %d", got, want)
}
