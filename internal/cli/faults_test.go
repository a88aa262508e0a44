//go:build linux && (amd64 || arm64)

package cli

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"sesskeep/internal/storetest/readfault"
)

func launchUnderFaults() { readfault.Launch() }

// A plainRun is what a command line gives without a fault.
type plainRun struct {
	cold    bool // it has no index
	result  readfault.Result
	sites   []readfault.Site
	looked  map[string]bool // paths that it asked about, in any way
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
		text += fmt.Sprintf("\n%s: exit code %d, %v\n", args, got.Exit, err) + steady(got.Stdout)
	}
	return text
}

// plain runs a command line without a fault: first without an index, which gives the right
// answer, then as it will be run.
func (w *faultWorld) plain(t testing.TB, line faultLine) plainRun {
	t.Helper()
	p := plainRun{cold: line.cold, changed: map[string]bool{}, looked: map[string]bool{}}
	w.reset(t)
	w.forget(t)
	if line.changes {
		p.before = w.state(t)
	}
	p.result = w.mustRun(t, line)
	for _, site := range p.result.Sites {
		p.looked[site.Path] = true
	}
	for _, path := range w.changed(t) {
		p.changed[path] = true
	}
	if line.changes {
		p.after = w.state(t)
	}
	seen := map[readfault.Site]int{}
	for range 2 {
		w.prepare(t, line)
		got := w.mustRun(t, line)
		if steady(got.Stdout) != steady(p.result.Stdout) {
			t.Errorf("%s: says otherwise the next time:\n%s", line, difference(p.result.Stdout, got.Stdout))
		}
		for _, site := range got.Sites {
			p.looked[site.Path] = true
			if seen[site]++; seen[site] == 2 { // not a file with a random name
				p.sites = append(p.sites, site)
			}
		}
	}
	return p
}

func (w *faultWorld) mustRun(t testing.TB, line faultLine) readfault.Result {
	t.Helper()
	got, err := w.runOrder(t.Context(), line, func(o *readfault.Order) { o.Watch = true })
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return got
}

// prepare puts the world into the state in which a command line is run.
func (w *faultWorld) prepare(t testing.TB, line faultLine) {
	t.Helper()
	w.reset(t)
	if line.cold {
		w.forget(t)
	}
}

// try runs a command line with a fault, or with one of our files damaged, and holds it to
// the law. "" is lawful.
func (w *faultWorld) try(t testing.TB, line faultLine, p plainRun, trouble trouble) string {
	t.Helper()
	w.prepare(t, line)
	trouble.damage(t, w)
	index := w.cache(t)
	got, err := w.run(t.Context(), line, trouble.site)
	if err != nil {
		return fmt.Sprint("does not end well: ", err)
	}
	if trouble.own == "" && got.Hits == 0 {
		return "" // this time it did not come there
	}
	if broken := answers(p.result, got); broken != "" {
		return broken + bothResults(p.result, got)
	}
	if line.changes {
		if trouble.own != "" {
			return "" // whether it can be done depends on what is lost
		}
		return w.wholly(t, line, p, got)
	}
	for _, path := range w.changed(t) {
		if !p.changed[path] && !trouble.concerns(path) {
			return "changes " + path
		}
	}
	if w.cache(t) == index {
		return "" // nothing of it can have stayed
	}
	trouble.mend(t, w)
	again, err := w.run(t.Context(), line, readfault.Site{})
	if err != nil || again.Exit != p.result.Exit || steady(again.Stdout) != steady(p.result.Stdout) {
		w.forget(t)
		return fmt.Sprintf("is wrong afterwards, without the trouble: %v", err) + bothResults(p.result, again)
	}
	return ""
}

// wholly holds a command that changes something to all or nothing: what it did is nothing
// or everything, what it says agrees, and without the fault it does everything.
func (w *faultWorld) wholly(t testing.TB, line faultLine, p plainRun, got readfault.Result) string {
	t.Helper()
	state := p.before
	if !w.asSaved(t) {
		state = w.state(t)
	}
	switch {
	case state == p.after:
		return ""
	case state != p.before && parts[line.command] && got.Exit == 6:
		// What is several acts is done for some of them, and says so.
	case state != p.before && continued[line.command] && got.Exit != 0 && strings.Contains(got.Stderr, "is not finished"):
		return w.finishes(t, p)
	case state != p.before:
		return "is half done:" + difference(p.before, state) + bothResults(p.result, got)
	case got.Exit == p.result.Exit && got.Stdout == p.result.Stdout:
		return "does nothing and does not say so" + bothResults(p.result, got)
	}
	again, err := w.run(t.Context(), line, readfault.Site{})
	if state := w.state(t); err != nil || state != p.after {
		return fmt.Sprintf("cannot be done afterwards, without the fault: %v", err) + difference(p.after, state) + bothResults(p.result, again)
	}
	return ""
}

// finishes holds a purge that stopped in the middle, and said so, to its word: what continues it
// does the rest.
func (w *faultWorld) finishes(t testing.TB, p plainRun) string {
	t.Helper()
	again, err := w.run(t.Context(), faultLine{args: []string{"project", "purge", "--continue"}}, readfault.Site{})
	if state := w.state(t); err != nil || state != p.after {
		return fmt.Sprintf("cannot be finished afterwards: %v", err) + difference(p.after, state) + bothResults(p.result, again)
	}
	return ""
}

// continued are the commands that write down what is left before they begin.
var continued = map[string]bool{"project purge": true, "session purge": true}

// parts are the commands that act on several homes or sessions, one after the other.
var parts = map[string]bool{"keep on": true, "keep off": true, "clean": true}

// answers holds what a command says under a fault to the law: it is the same, or it says
// what could not be read.
func answers(plain, got readfault.Result) string {
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

var telling = regexp.MustCompile(`input/output error|disk I/O error|unable to open database|can(not| ?not) be read|could not be read|damage|malformed|` +
	`not a (regular file|database)|is a directory|is missing|is lost|(is|are) not there|not to be trusted|no longer there|checksum`)

// tells reports whether a line says that something could not be read.
func tells(line string) bool { return telling.MatchString(line) }

func bothResults(plain, got readfault.Result) string {
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
