package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"sesskeep/client"
	"sesskeep/internal/storetest"
)

// served is a server that runs with the flags a user types.
type served struct {
	*client.Client
	cmd *exec.Cmd
}

// serve starts a server over a home, and waits until it has read everything.
func (b *bench) serve(home string) (*served, error) {
	command := func(args ...string) *exec.Cmd {
		cmd := b.command(args...)[0]
		cmd.Env = append(cmd.Env, "CLAUDE_CONFIG_DIR="+home, "XDG_STATE_HOME="+filepath.Join(b.cache, "state"), "XDG_DATA_HOME="+filepath.Join(b.cache, "data"))
		return cmd
	}
	out, err := command("token", "create", "--role", "manage", "--json").Output()
	if err != nil {
		return nil, err
	}
	var token struct{ Token string }
	if err := json.Unmarshal(out, &token); err != nil {
		return nil, err
	}
	cmd := command("serve", "--listen", "127.0.0.1:0")
	said, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), "serving at "); ok {
			go func() { _, _ = io.Copy(io.Discard, said) }() // ends with the server
			s := &served{client.New(url, token.Token), cmd}
			return s, s.awaitIdle()
		}
	}
	return nil, errors.Join(errors.New("the server did not start"), lines.Err(), cmd.Wait())
}

// awaitIdle waits until the server has sessions and nothing left to do.
func (s *served) awaitIdle() error {
	for range 120 {
		before := spent(s.cmd.Process.Pid)
		time.Sleep(2 * time.Second)
		n, err := s.CountSessions(context.Background(), "", client.CountSessionsOptions{})
		if err != nil {
			return err
		}
		if n.Total > 0 && !n.Behind && spent(s.cmd.Process.Pid)-before < 100*time.Millisecond {
			return nil
		}
	}
	return errors.New("the server is never done with reading")
}

func (s *served) end() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	_ = s.cmd.Wait() // however it ends
}

// times asks again and again, and prints what share of the answers came when, and
// what one cost the server.
func (s *served) times(name string, n int, ask func() error) {
	s.firstByteTimes(name, n, func() (func(), error) { return func() {}, ask() })
}

// crowd is times of several clients at once.
func (s *served) crowd(name string, clients int, ask func() error) {
	const each = 20
	time.Sleep(2 * time.Second) // see firsts
	var mu sync.Mutex
	var list []time.Duration
	var failed error
	var all sync.WaitGroup
	before := spent(s.cmd.Process.Pid)
	for range clients {
		all.Go(func() {
			for range each {
				began := time.Now()
				err := ask()
				took := time.Since(began)
				mu.Lock()
				list, failed = append(list, took), errors.Join(failed, err)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	s.report(name, list, before, failed)
}

// beside is times of a question while several clients keep asking another one.
func (s *served) beside(name string, clients int, others, ask func() error) {
	var all sync.WaitGroup
	var ended atomic.Bool
	for range clients {
		all.Go(func() {
			for !ended.Load() {
				_ = others() // has a row of its own
			}
		})
	}
	s.times(name, 100, ask)
	ended.Store(true)
	all.Wait()
}

// firstByteTimes is times for answers whose rest, which does not count, comes afterwards.
func (s *served) firstByteTimes(name string, n int, ask func() (rest func(), err error)) {
	time.Sleep(2 * time.Second) // what one caller may ask at once is there again
	var list []time.Duration
	before := spent(s.cmd.Process.Pid)
	for range n {
		began := time.Now()
		rest, err := ask()
		if err != nil {
			fmt.Printf("%-44s %v\n", name, err)
			return
		}
		list = append(list, time.Since(began))
		rest()
	}
	s.report(name, list, before, nil)
}

// report prints what share of the answers came when, and what one cost the server.
func (s *served) report(name string, list []time.Duration, before time.Duration, failed error) {
	if failed != nil {
		fmt.Printf("%-44s %v\n", name, failed)
		return
	}
	slices.Sort(list)
	at := func(percent int) float64 { return list[(len(list)-1)*percent/100].Seconds() * 1000 }
	cpu := (spent(s.cmd.Process.Pid) - before).Seconds() * 1000 / float64(len(list))
	fmt.Printf("%-44s %8.2f %8.2f %8.2f %8.2f\n", name, at(50), at(95), at(100), cpu)
}

// api measures answers over HTTP.
func (b *bench) api() error {
	defer os.RemoveAll(b.cache)
	return errors.Join(b.lists(), b.export(), b.load(context.Background()))
}

// lists measures what a dashboard asks for.
func (b *bench) lists() error {
	s, err := b.serve(b.home)
	if err != nil {
		return err
	}
	defer s.end()
	ctx := context.Background()
	fmt.Printf("\n%s over HTTP: %d transcripts, %.0f MB\n\n%-44s %8s %8s %8s %8s\n", b.dir, len(b.files), float64(b.bytes)/1e6, "", "p50 ms", "p95 ms", "max ms", "CPU ms")
	page := func(o client.ListSessionsOptions) func() error {
		return func() error {
			p, err := s.ListSessions(ctx, "", o)
			if err == nil && slices.ContainsFunc(p.Sessions, func(s client.Session) bool { return s.State == nil || s.Cost == nil && s.Usage != nil }) {
				err = errors.New("a row has no state, or no cost of what it used")
			}
			return err
		}
	}
	s.times("a page of 50 sessions", 200, page(client.ListSessionsOptions{}))
	s.times("a page of 50, the 20th", 200, page(client.ListSessionsOptions{Paging: client.Paging{Offset: 950}}))
	s.times("a page of 500 sessions", 60, page(client.ListSessionsOptions{Paging: client.Paging{Limit: 500}}))
	s.times("a count", 300, func() error { _, err := s.CountSessions(ctx, "", client.CountSessionsOptions{}); return err })
	s.times("all projects", 100, func() error { _, err := s.ListProjects(ctx, client.ListProjectsOptions{}); return err })
	search := func(q func() string) func() error {
		return func() error { _, err := s.Search(ctx, "", client.SearchOptions{Q: q()}); return err }
	}
	s.times("a search: a needle never asked for", len(b.needles), search(func() string { return b.needle(0) }))
	s.times("a search: six characters of a needle", 60, search(func() string { return b.needle(6) }))
	s.times("a search: a phrase of common words", 60, search(func() string { return quoted(commonPhrase()) }))
	s.times("a search: what tools did to a file", 60, search(func() string { return "file:parser.go" }))
	s.times("a search: a common word", 60, search(func() string { return storetest.Words()[0] }))
	for _, clients := range []int{1, 8, 32} {
		s.crowd(fmt.Sprintf("a search: a dictionary word, %d at once", clients), clients, search(dictionaryWord))
	}
	s.beside("a count while 8 search for dictionary words", 8, search(dictionaryWord),
		func() error { _, err := s.CountSessions(ctx, "", client.CountSessionsOptions{}); return err })
	s.times("a conversation, its end", 100, func() error { return s.lastPage(ctx) })
	s.opened(ctx)
	b.changed(ctx, s)
	b.bulk(ctx, s)
	fmt.Printf("%-44s %8.0f MB\n", "memory of the server", float64(peak(s.cmd.Process.Pid))/1e6)
	return nil
}

// lastPage reads the end of the session active last.
func (s *served) lastPage(ctx context.Context) error {
	recent, err := s.RecentSessions(ctx, client.RecentSessionsOptions{Paging: client.Paging{Limit: 1}})
	if err == nil && len(recent.Sessions) > 0 {
		_, err = s.Blocks(ctx, "", recent.Sessions[0].ID, client.BlocksOptions{})
	}
	return err
}

// largeSession is how many bytes the session has that is exported.
const largeSession = 100 << 20

// export measures the first byte of a large document, and what it takes in memory
// to write all of it.
func (b *bench) export() error {
	const id = "0b160000-0000-4000-8000-000000000001"
	home := filepath.Join(b.cache, "large")
	if err := writeLarge(filepath.Join(home, "projects", "-large", id+".jsonl"), id); err != nil {
		return err
	}
	s, err := b.serve(home)
	if err != nil {
		return err
	}
	defer s.end()
	before := peak(s.cmd.Process.Pid)
	for _, format := range []string{"jsonl", "markdown", "json"} {
		var whole time.Duration
		s.firstByteTimes("first byte of 100 MB as "+format, 7, func() (func(), error) {
			began := time.Now()
			doc, err := s.ExportSession(context.Background(), "", id, client.ExportSessionOptions{Format: format})
			if err != nil {
				return nil, err
			}
			_, err = io.ReadFull(doc, make([]byte, 1))
			return func() {
				_, _ = io.Copy(io.Discard, doc)
				doc.Close()
				whole = time.Since(began)
			}, err
		})
		fmt.Printf("%-44s %8.2f s\n", "all of it", whole.Seconds())
	}
	fmt.Printf("%-44s %8.0f MB, before it %.0f MB\n", "memory of the server", float64(peak(s.cmd.Process.Pid))/1e6, float64(before)/1e6)
	return nil
}

// writeLarge writes a session of prompts and answers.
func writeLarge(path, id string) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriter(f)
	text := strings.Repeat(strings.Join(storetest.Words(), " ")+" ", 4)
	uuid := func(n int) string { return fmt.Sprintf("%08d-0000-4000-8000-000000000000", n) }
	for n, size, parent := 1, 0, "null"; size < largeSession; n++ {
		role, content := "user", fmt.Sprintf("%q", text)
		if n%2 == 0 {
			role, content = "assistant", fmt.Sprintf(`[{"type":"text","text":%q}]`, text)
		}
		k, err := fmt.Fprintf(w, `{"parentUuid":%s,"cwd":"/large","sessionId":%q,"version":"2.1.325","type":%q,"message":{"role":%q,"content":%s},"uuid":%q,"timestamp":%q}`+"\n",
			parent, id, role, role, content, uuid(n), time.Unix(1_790_000_000+int64(n), 0).UTC().Format(time.RFC3339))
		if err != nil {
			return err
		}
		size, parent = size+k, `"`+uuid(n)+`"`
	}
	return w.Flush()
}
