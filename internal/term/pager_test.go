package term_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/term"
)

func lookup(pairs ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		i := slices.Index(pairs, name)
		if i < 0 {
			return "", false
		}
		return pairs[i+1], true
	}
}

func TestPagerCommand(t *testing.T) {
	for _, c := range []struct {
		name string
		env  []string
		want string
	}{
		{"default", nil, "less|-FRX"},
		{"PAGER", []string{"PAGER", "more -s"}, "more|-s"},
		{"ours first", []string{"PAGER", "more", "SESSKEEP_PAGER", "most"}, "most"},
		{"no shell", []string{"PAGER", "less;reboot $(id)"}, "less;reboot|$(id)"},
		{"empty", []string{"SESSKEEP_PAGER", "", "PAGER", "more"}, ""},
		{"blank", []string{"PAGER", "  "}, ""},
		{"cat", []string{"PAGER", "cat"}, ""},
		{"dumb", []string{"TERM", "dumb"}, ""},
	} {
		if got := strings.Join(term.PagerCommand(lookup(c.env...)), "|"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// script writes an executable that stands for a pager.
func script(t *testing.T, body string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a POSIX shell")
	}
	path := filepath.Join(t.TempDir(), "pager")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func start(t *testing.T, ctx context.Context, out io.Writer, argv ...string) *term.Pager {
	t.Helper()
	p, err := term.StartPager(ctx, out, io.Discard, argv)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPagerShowsEverything(t *testing.T) {
	var out bytes.Buffer
	p := start(t, t.Context(), &out, script(t, `echo "$LESSSECURE $1"; cat`), "$HOME")
	text := strings.Repeat("a line of the transcript\n", 10_000)
	if _, err := io.WriteString(p, text); err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "1 $HOME\n"+text; got != want {
		t.Errorf("got %d bytes, want %d", len(got), len(want))
	}
}

func TestPagerQuitsEarly(t *testing.T) {
	p := start(t, t.Context(), io.Discard, script(t, "read line; exit 3"))
	for range 100 {
		if _, err := io.WriteString(p, strings.Repeat("x\n", 10_000)); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case <-p.Gone():
	case <-time.After(time.Minute):
		t.Fatal("Gone is still open")
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestPagerOutlivesContext(t *testing.T) {
	var out bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	p := start(t, ctx, &out, script(t, "cat; echo still here"))
	io.WriteString(p, "seen\n")
	cancel()
	select {
	case <-p.Gone():
	case <-time.After(time.Minute):
		t.Fatal("the pager did not see the end of its input")
	}
	if n, err := io.WriteString(p, "late\n"); n != 5 || err != nil {
		t.Errorf("late write: %d, %v", n, err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "seen\nstill here\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
