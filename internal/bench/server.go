package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"sesskeep/client"
)

// asShown is the oldest client whose sessions have their own titles: for those of older ones
// the summaries in the other files of their folder are asked for.
var asShown = []int{2, 1, 30}

// older reports whether a version of the client is older than another one.
func older(version string, than []int) bool {
	for i, part := range strings.Split(version, ".") {
		n, err := strconv.Atoi(part)
		if err != nil || i == len(than) || n > than[i] {
			return false
		}
		if n < than[i] {
			return true
		}
	}
	return false
}

// oldSessions lists sessions that an old client wrote last.
func (s *served) oldSessions(ctx context.Context) (ids []string, err error) {
	for o := (client.ListSessionsOptions{Paging: client.Paging{Limit: 500}}); ; o.Paging.Offset += o.Paging.Limit {
		page, err := s.ListSessions(ctx, "", o)
		if err != nil {
			return nil, err
		}
		for i := range page.Sessions {
			if older(page.Sessions[i].ClientVersion, asShown) {
				ids = append(ids, page.Sessions[i].ID)
			}
		}
		if len(page.Sessions) < o.Paging.Limit {
			return ids, nil
		}
	}
}

// opened measures the blocks of sessions of old clients, each for the first time and again.
func (s *served) opened(ctx context.Context) {
	ids, err := s.oldSessions(ctx)
	if err == nil && len(ids) == 0 {
		err = errors.New("the corpus has no session of such a client")
	}
	if err != nil {
		fmt.Printf("%-44s %v\n", "open a session of an old client", err)
		return
	}
	n, next := min(40, len(ids)), 0
	blocks := func() error {
		_, err := s.Blocks(ctx, "", ids[next%n], client.BlocksOptions{})
		next++
		return err
	}
	s.times("open a session of an old client", n, blocks)
	next = 0
	first := ids[0]
	s.times("the same session again", 40, func() error {
		_, err := s.Blocks(ctx, "", first, client.BlocksOptions{})
		return err
	})
}

// changed measures reports that are asked for after a line was appended, which is why
// nothing that was remembered answers them.
func (b *bench) changed(ctx context.Context, s *served) {
	name := b.files[len(b.files)/2]
	info, err := os.Stat(name)
	if err != nil {
		return
	}
	defer os.Chtimes(name, info.ModTime(), info.ModTime())
	defer os.Truncate(name, info.Size())
	for _, report := range []struct {
		name string
		ask  func() error
	}{
		{"all projects, after a change", func() error { _, err := s.ListProjects(ctx, client.ListProjectsOptions{}); return err }},
		{"usage by day, after a change", func() error { _, err := s.Usage(ctx, client.UsageOptions{}); return err }},
		{"statistics, after a change", func() error { _, err := s.Stats(ctx, client.StatsOptions{}); return err }},
	} {
		var list []time.Duration
		var failed error
		before := spent(s.cmd.Process.Pid)
		for range 20 {
			failed = errors.Join(failed, appendLine(name))
			time.Sleep(500 * time.Millisecond) // until the server has it
			began := time.Now()
			failed = errors.Join(failed, report.ask())
			list = append(list, time.Since(began))
		}
		s.report(report.name, list, before, failed)
	}
}

// appendLine appends a prompt to a transcript.
func appendLine(name string) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, `{"type":"user","uuid":"bench-%d","message":{"role":"user","content":"appended"}}`+"\n", time.Now().UnixNano())
	return errors.Join(err, f.Close())
}

// bulk tags sessions over HTTP, a hundred with one request.
func (b *bench) bulk(ctx context.Context, s *served) {
	ids := b.sessionIDs()
	n, tag := min(100, len(ids)), 0
	s.times(fmt.Sprintf("tag %d sessions with one request", n), 5, func() error {
		tag++
		done, err := s.Bulk(ctx, "", client.BulkRequest{SessionIDs: ids[:n], Operation: client.Operation{Action: "update", Tags: []string{"bench" + strconv.Itoa(tag)}}})
		if err == nil && len(done.Failed) > 0 {
			err = errors.New("some were refused")
		}
		return err
	})
}

// load sends a thousand requests of all kinds from 32 clients, and prints what memory the
// server took for them and has a minute later.
func (b *bench) load(ctx context.Context) error {
	s, err := b.serve(b.home)
	if err != nil {
		return err
	}
	defer s.end()
	ids := b.sessionIDs()
	asks := []func(i int) error{
		func(i int) error {
			_, err := s.ListSessions(ctx, "", client.ListSessionsOptions{Paging: client.Paging{Limit: 50, Offset: 50 * (i % 20)}})
			return err
		},
		func(int) error { _, err := s.CountSessions(ctx, "", client.CountSessionsOptions{}); return err },
		func(i int) error {
			_, err := s.Blocks(ctx, "", ids[i%len(ids)], client.BlocksOptions{})
			return err
		},
		func(int) error { _, err := s.Search(ctx, "", client.SearchOptions{Q: dictionaryWord()}); return err },
		func(int) error { _, err := s.ListProjects(ctx, client.ListProjectsOptions{}); return err },
		func(int) error { _, err := s.Usage(ctx, client.UsageOptions{}); return err },
	}
	idle := resident(s.cmd.Process.Pid)
	for _, clients := range []int{1, 32} {
		if err := mixed(asks, 1000, clients); err != nil {
			return err
		}
		now, most := resident(s.cmd.Process.Pid), peak(s.cmd.Process.Pid)
		time.Sleep(time.Minute)
		fmt.Printf("%-44s %8.0f MB before, %.0f after, %.0f at most, %.0f a minute later\n", fmt.Sprintf("memory, 1,000 requests of %d clients", clients),
			float64(idle)/1e6, float64(now)/1e6, float64(most)/1e6, float64(resident(s.cmd.Process.Pid))/1e6)
	}
	return nil
}

// patiently asks again when a caller has asked too much.
func patiently(ask func() error) error {
	for {
		err := ask()
		var problem *client.Problem
		if !errors.As(err, &problem) || problem.Status != http.StatusTooManyRequests {
			return err
		}
		time.Sleep(time.Second)
	}
}

// mixed asks n questions of all kinds, by some clients at once.
func mixed(asks []func(i int) error, n, clients int) error {
	var all sync.WaitGroup
	failed := make([]error, clients)
	for c := range clients {
		all.Go(func() {
			for i := c; i < n && failed[c] == nil; i += clients {
				failed[c] = patiently(func() error { return asks[i%len(asks)](i) })
			}
		})
	}
	all.Wait()
	return errors.Join(failed...)
}
