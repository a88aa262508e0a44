package tui

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/demo"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/tui/pagetest"

	tea "charm.land/bubbletea/v2"
)

// gathersNothing are the pages that no part of the homes can falsify, each with the reason.
var gathersNothing = map[keys.Action]string{
	keys.TrashPage:    "the trash is our own directory; what cannot be read of it is an error",
	keys.ActivityPage: "the journal is read whole, or the page has an error",
	keys.Runs:         "it lists runs that cannot be read",
	keys.Inbox:        "the list of runs has those that cannot be read",
}

// No page gives a part as the whole. While a first reading is under way each says so, counts only
// so far, and becomes whole by itself; a home that cannot be read is named.
func TestNoPageGivesAPartAsTheWhole(t *testing.T) {
	release := make(chan bool)
	m, a := openPart(t, release, demoHome(t))
	everyPage(t, m, "reading ", " so far")
	close(release)
	finish(t, a)
	everyPage(t, m, "", "")

	loop := filepath.Join(t.TempDir(), "loop")
	if err := os.MkdirAll(loop, 0o700); err != nil {
		t.Fatal(err)
	}
	projects := filepath.Join(loop, "projects")
	if err := os.Symlink("projects", projects); err != nil {
		t.Fatal(err)
	}
	m, a = openPart(t, nil, demoHome(t), loop)
	finish(t, a)
	everyPage(t, m, "too many levels of symbolic links", ", not all")
	if err := os.Remove(projects); err != nil {
		t.Fatal(err)
	}
	if err := a.Index.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	everyPage(t, m, "", "")
}

// finish waits until everything is read that can be.
func finish(t *testing.T, a *app.App) {
	t.Helper()
	for {
		if err := a.Index.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := a.Index.Finish(t.Context()); err != nil {
			t.Fatal(err)
		}
		if c := a.Index.Coverage(); c.Complete || c.Reading == nil && c.UnreadableCount > 0 {
			return
		}
	}
}

func demoHome(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "demo")
	if err := demo.Write(dir, pagetest.Now); err != nil {
		t.Fatal(err)
	}
	return dir
}

// openPart makes an interface. Its first reading stops in the middle until release is closed;
// nil: it does not stop.
func openPart(t *testing.T, release chan bool, roots ...string) (*model, *app.App) {
	t.Helper()
	held := make(chan bool, 1)
	o := app.Options{Roots: roots, Cache: t.TempDir(), Alive: demo.Alive, Patience: time.Millisecond}
	if release != nil {
		o.Progress = func(files, total int, _ int64) {
			if files > 0 && files < total {
				select {
				case held <- true:
				default:
				}
				<-release
			}
		}
	}
	a, err := app.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	m := newModel(ctx, Options{
		App: a, Screen: term.Screen{TTY: true}, Now: func() time.Time { return pagetest.Now },
		Scope: func(*catalog.Snapshot) (*ask.Project, error) { return nil, nil },
	})
	m.Update(tea.WindowSizeMsg{Width: 140, Height: 40})
	drive(m, m.from(m.top(), m.top().Start()))
	if release != nil {
		<-held
	}
	return m, a
}

// nothing is a sentence that says that there is nothing.
var nothing = regexp.MustCompile(`\b(No|Nothing|None)\b[^.│\n]*\.`)

// everyPage goes to every page there is, lets the clock tick, and looks for the words in the foot
// and behind the title; empty: for none.
func everyPage(t *testing.T, m *model, foot, title string) {
	t.Helper()
	for page := range rootPages {
		m.pulse.nth++
		_, cmd := m.Update(tickMsg{m.pulse.nth})
		drive(m, cmd)
		m.Update(pages.ActionMsg{Action: page})
		drive(m, m.from(m.top(), m.top().Start()))
		picture := m.draw()
		_, gathers := m.top().(pages.Gatherer)
		if gathers == (gathersNothing[page] != "") {
			t.Errorf("%s gathers: %v, and in the table: %q", page, gathers, gathersNothing[page])
		}
		lines := strings.Split(picture, "\n")
		head, remarks := lines[0], lines[len(lines)-len(m.foot())]
		switch {
		case foot == "" && (strings.Contains(remarks, "read") || strings.Contains(head, "so far") || strings.Contains(head, "not all")):
			t.Errorf("%s is whole, and does not look so:\n%s", page, picture)
		case !strings.Contains(remarks, foot), gathers && !strings.Contains(head, title):
			t.Errorf("%s hides that it is a part:\n%s", page, picture)
		case foot != "" && gathers:
			for _, claim := range nothing.FindAllString(picture, -1) {
				if !strings.Contains(claim, "so far") {
					t.Errorf("%s says %q of a part:\n%s", page, claim, picture)
				}
			}
		}
	}
}
