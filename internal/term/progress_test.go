package term_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/term"
)

// clock is a time that only moves when told.
type clock struct{ t time.Time }

func (c *clock) now() time.Time          { return c.t }
func (c *clock) advance(d time.Duration) { c.t = c.t.Add(d) }

func TestProgress(t *testing.T) {
	for _, c := range []struct {
		name   string
		screen term.Screen
		done   int
		total  int
		bytes  int64
		want   string
	}{
		{"bar", term.Screen{TTY: true, Width: 80}, 5_466, 8_410, 2_120_000_000,
			"Reading ▕██████▍   ▏ 5,466/8,410 files  212 MB/s  ETA 5s"},
		{"ascii", term.Screen{TTY: true, Width: 80, ASCII: true}, 1, 2, 0,
			"Reading [#####     ] 1/2 files  ETA 10s"},
		{"no total", term.Screen{TTY: true, Width: 80}, 1_240, 0, 0, "Reading 1,240 files"},
		{"narrow", term.Screen{TTY: true, Width: 20}, 5_466, 8_410, 0, "Reading ▕██████▍…"},
		{"all", term.Screen{TTY: true}, 2, 2, 0, "Reading ▕██████████▏ 2/2 files"},
		{"more than all", term.Screen{TTY: true}, 3, 2, 0, "Reading ▕██████████▏ 3/2 files"},
		{"pipe", term.Screen{}, 1, 2, 0, ""},
	} {
		var out bytes.Buffer
		clk := &clock{time.Unix(0, 0)}
		p := term.NewProgress(term.NewExit(&out), c.screen, "Reading", clk.now)
		clk.advance(10 * time.Second)
		p.Set(c.done, c.total, c.bytes)
		if got := strings.TrimPrefix(out.String(), "\r"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestProgressPace(t *testing.T) {
	var out bytes.Buffer
	clk := &clock{time.Unix(0, 0)}
	p := term.NewProgress(term.NewExit(&out), term.Screen{TTY: true, Width: 80}, "Reading", clk.now)
	for i := range 2000 { // two seconds, of which the first half stays quiet
		p.Set(i, 10_000, 0)
		clk.advance(time.Millisecond)
	}
	if got := strings.Count(out.String(), "\r"); got != 15 {
		t.Errorf("drawn %d times, want 15", got)
	}
	out.Reset()
	p.Done()
	p.Set(2, 3, 0)
	if got := out.String(); strings.Trim(got, " \r") != "" || !strings.HasSuffix(got, " \r") {
		t.Errorf("not erased: %q", got)
	}
}

func TestProgressOfShortWork(t *testing.T) {
	var out bytes.Buffer
	clk := &clock{time.Unix(0, 0)}
	p := term.NewProgress(term.NewExit(&out), term.Screen{TTY: true, Width: 80}, "Reading", clk.now)
	clk.advance(499 * time.Millisecond)
	p.Set(1, 2, 0)
	p.Done()
	if out.Len() > 0 {
		t.Errorf("got %q, want nothing", out.String())
	}
}

// TestAside prints something while the work goes on: the line is gone meanwhile,
// comes back after it, and its rate is that of all the work.
func TestAside(t *testing.T) {
	var b strings.Builder
	now := time.Unix(0, 0)
	p := term.NewProgress(term.NewExit(&b), term.Screen{TTY: true, Width: 80}, "Reading", func() time.Time { return now })
	now = now.Add(time.Second)
	p.Set(1, 10, 1e6)
	err := p.Aside(func() error {
		now = now.Add(time.Second)
		p.Set(2, 10, 2e6)
		b.WriteString("TABLE\n")
		return nil
	})
	now = now.Add(time.Second)
	p.Set(3, 10, 3e6)
	before, after, ok := strings.Cut(b.String(), "TABLE\n")
	if err != nil || !ok || strings.Contains(before, "2/10") || !strings.HasSuffix(before, " \r") {
		t.Errorf("%v, before the table %q", err, before)
	}
	if !strings.Contains(after, "3/10 files  1.0 MB/s") && !strings.Contains(after, "3/10 files  1 MB/s") {
		t.Errorf("after the table %q", after)
	}
}
