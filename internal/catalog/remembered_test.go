package catalog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"sesskeep/internal/index"
	"sesskeep/internal/money"
)

// An answer is found once, until the index changes. One that failed is found again, by everybody who
// waited for it.
func TestRemembered(t *testing.T) {
	x, err := index.Open("")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	var r remembered[int]
	found := 0
	ask := func(name string, err error) (int, error) {
		return r.of(t.Context(), x, name, func() (int, error) {
			found++
			return found, err
		})
	}
	failure := errors.New("failed")
	for _, c := range []struct {
		name string
		err  error
		want int
	}{{"a", nil, 1}, {"a", nil, 1}, {"b", failure, 2}, {"b", nil, 3}, {"b", nil, 3}, {"a", nil, 1}} {
		if got, err := ask(c.name, c.err); got != c.want || err != c.err {
			t.Errorf("%s is %d, %v, want %d, %v", c.name, got, err, c.want, c.err)
		}
	}
	r.commit++ // as if the index had another number now
	if got, _ := ask("a", nil); got != 4 {
		t.Errorf("an answer of another commit is still %d", got)
	}
	for n := range 3 * maxRemembered {
		if _, err := ask(string(rune('A'+n)), nil); err != nil || len(r.answers) > maxRemembered {
			t.Fatalf("%d answers are kept, %v", len(r.answers), err)
		}
	}
}

// Callers that ask the same at the same time get one answer, and one that gives up leaves the others
// theirs.
func TestRememberedTogether(t *testing.T) {
	x, err := index.Open("")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	var r remembered[int]
	asked, release := make(chan struct{}), make(chan struct{})
	first := make(chan error)
	go func() {
		_, err := r.of(t.Context(), x, "a", func() (int, error) {
			close(asked)
			<-release
			return 0, context.Canceled
		})
		first <- err
	}()
	<-asked
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.of(gone, x, "a", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that gave up waits: %v", err)
	}
	second := make(chan int)
	go func() {
		n, err := r.of(t.Context(), x, "a", func() (int, error) { return 7, nil })
		if err != nil {
			t.Error(err)
		}
		second <- n
	}()
	close(release)
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("the first caller gets %v", err)
	}
	if n := <-second; n != 7 {
		t.Errorf("the second caller gets %d", n)
	}
}

// A report is as new as the index, though the same one was asked before.
func TestUsageRemembered(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "projects", "-w", "11111111-0000-4000-8000-000000000001.jsonl")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	c := open(t, home, "")
	for n := 1; n <= 3; n++ {
		f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		_, err = fmt.Fprintf(f, `{"type":"assistant","uuid":"u%[1]d","cwd":"/w","timestamp":"2026-11-15T10:00:00.000Z","message":{"id":"m%[1]d","role":"assistant","model":"x","content":[{"type":"text","text":"x"}],"usage":{"input_tokens":10}}}`+"\n", n)
		if err := errors.Join(err, f.Close(), c.index.Refresh(t.Context())); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			used, err := c.Reports.Usage(t.Context(), money.UsageOptions{})
			if err != nil || used.Totals.Usage.Input != int64(10*n) {
				t.Errorf("after %d lines %d tokens, %v", n, used.Totals.Usage.Input, err)
			}
			stats, err := c.Reports.Stats(t.Context(), money.StatsOptions{})
			if err != nil || len(stats.Projects) != 1 {
				t.Errorf("after %d lines %v, %v", n, stats.Projects, err)
			}
		}
	}
}
