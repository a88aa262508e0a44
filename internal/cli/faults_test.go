//go:build linux && (amd64 || arm64)

package cli

import (
	"fmt"
	"strings"
	"testing"

	"sesskeep/internal/storetest/readfault"
)

func launchUnderFaults() { readfault.Launch() }

// A plainRun is what a command line gives without a fault.
type plainRun struct {
	result  readfault.Result
	sites   []readfault.Site
	changed map[string]bool
	before  string // the state, before and after it
	after   string
}

// state is what a command that changes something is about: both homes, and what lists say
// of labels, the trash and the copies.
func (w *faultWorld) state(t testing.TB) string {
	t.Helper()
	text := w.homes(t)
	for _, args := range []string{
		"ls --all --source all --columns tags,note,starred,archived --jq .sessions[]|[.id,.title,.tags,.note,.starred,.archived,.source]",
		"trash ls",
	} {
		got, err := w.run(t.Context(), faultLine{args: strings.Fields(args), apart: true}, readfault.Site{})
		if err != nil || got.Exit != 0 {
			t.Errorf("%s: exit code %d, %v: %s", args, got.Exit, err, got.Stderr)
		}
		text += "\n" + steady(got.Stdout)
	}
	return text
}

// plain runs a command line without a fault.
func (w *faultWorld) plain(t testing.TB, line faultLine) plainRun {
	t.Helper()
	var p plainRun
	w.prepare(t, line)
	if line.changes {
		p.before = w.state(t)
	}
	first, err := w.run(t.Context(), line, readfault.Site{})
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	p.changed = map[string]bool{}
	for _, path := range w.changed(t) {
		p.changed[path] = true
	}
	if line.changes {
		p.after = w.state(t)
	}
	w.prepare(t, line)
	p.result, err = w.run(t.Context(), line, readfault.Site{})
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	if steady(first.Stdout) != steady(p.result.Stdout) {
		t.Errorf("%s: says this, then that:\n%s\n%s", line, first.Stdout, p.result.Stdout)
	}
	seen := map[readfault.Site]bool{}
	for _, site := range first.Sites {
		seen[site] = true
	}
	for _, site := range p.result.Sites {
		if seen[site] {
			p.sites = append(p.sites, site)
		}
	}
	return p
}

// prepare puts the world into the state in which a command line is run.
func (w *faultWorld) prepare(t testing.TB, line faultLine) {
	t.Helper()
	w.reset(t)
	if line.cold {
		w.forget(t)
	}
}

// try runs a command line with a fault and holds it to the law. "" is lawful.
func (w *faultWorld) try(t testing.TB, line faultLine, p plainRun, site readfault.Site) string {
	t.Helper()
	w.prepare(t, line)
	index := w.cache(t)
	got, err := w.run(t.Context(), line, site)
	if err != nil {
		return fmt.Sprint("does not end well: ", err)
	}
	if got.Hits == 0 {
		return "" // this time it did not come there
	}
	if broken := answers(p.result, got, w.unplaced(site.Path)); broken != "" {
		return broken + show(p.result, got)
	}
	if line.changes {
		return w.wholly(t, line, p, got)
	}
	for _, path := range w.changed(t) {
		if !p.changed[path] {
			return "changes " + path
		}
	}
	if w.cache(t) == index {
		return "" // nothing of it can have stayed
	}
	again, err := w.run(t.Context(), line, readfault.Site{})
	if err != nil || again.Exit != p.result.Exit || steady(again.Stdout) != steady(p.result.Stdout) {
		w.forget(t)
		return fmt.Sprintf("is wrong afterwards, without the fault: %v", err) + show(p.result, again)
	}
	return ""
}

// wholly holds a command that changes something to all or nothing: what it did is nothing
// or everything, what it says agrees, and without the fault it does everything.
func (w *faultWorld) wholly(t testing.TB, line faultLine, p plainRun, got readfault.Result) string {
	t.Helper()
	state := w.state(t)
	switch {
	case state == p.after:
		return ""
	case state != p.before:
		return "is half done:" + difference(p.before, state) + show(p.result, got)
	case got.Exit == p.result.Exit && got.Stdout == p.result.Stdout:
		return "does nothing and does not say so" + show(p.result, got)
	}
	again, err := w.run(t.Context(), line, readfault.Site{})
	if state := w.state(t); err != nil || state != p.after {
		return fmt.Sprintf("cannot be done afterwards, without the fault: %v", err) + difference(p.after, state) + show(p.result, again)
	}
	return ""
}

// answers holds what a command says under a fault to the law: it is the same, or it says
// what could not be read.
func answers(plain, got readfault.Result, path string) string {
	if strings.Contains(got.Stderr, "\ngoroutine ") {
		return "panics"
	}
	if got.Exit == plain.Exit && steady(got.Stdout) == steady(plain.Stdout) {
		return ""
	}
	said := map[string]bool{}
	for line := range strings.Lines(plain.Stdout + plain.Stderr) {
		said[line] = true
	}
	for line := range strings.Lines(got.Stdout + got.Stderr) {
		if !said[line] && tells(line) {
			return ""
		}
	}
	return "answers otherwise and does not say why"
}

// tells reports whether a line says that something could not be read.
func tells(line string) bool {
	return strings.Contains(line, "input/output error") || strings.Contains(line, "disk I/O error")
}

func show(plain, got readfault.Result) string {
	return fmt.Sprintf("\n  exit %d → %d\n%s  stderr: %s", plain.Exit, got.Exit, difference(plain.Stdout, got.Stdout), got.Stderr)
}

// difference shows the lines that only one of two texts has.
func difference(a, b string) string {
	var out strings.Builder
	for _, side := range []struct{ mark, this, other string }{{"-", a, b}, {"+", b, a}} {
		has := map[string]bool{}
		for line := range strings.Lines(side.other + "\n") {
			has[strings.TrimSpace(line)] = true
		}
		n := 0
		for line := range strings.Lines(side.this) {
			if line = strings.TrimSpace(line); !has[line] && n < 8 {
				fmt.Fprintf(&out, "  %s %.300s\n", side.mark, line)
				n++
			}
		}
	}
	return out.String()
}
