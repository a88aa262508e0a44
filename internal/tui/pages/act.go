package pages

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sesskeep/internal/acts"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/draw"
	"sesskeep/internal/keys"
	"sesskeep/internal/manage"
	"sesskeep/internal/term"

	tea "charm.land/bubbletea/v2"
)

// Act is something that is to be done to sessions. The frame does it beside the
// loop, one after the other: it shows how far it is, what came of it, and how to
// take it back.
type Act struct {
	Doing string // what it does, as in "archiving 3 of 30"
	Done  string // what it did, as in "30 sessions archived"
	Count int    // of sessions
	// Agents is how many agents of them are known of.
	Agents int
	Final  bool // it cannot be undone
	// Agreed says that somebody was asked already: of many sessions the frame asks
	// otherwise.
	Agreed bool
	// Closes is the page that goes once it is done; nil: none.
	Closes Page
	Run    func(ctx context.Context, d acts.Doing) (acts.Outcome, error)
	// Words say what came of it; nil: as of any deed.
	Words func(acts.Outcome) string
}

// Messages about deeds.
type (
	// ActMsg asks the frame to do something.
	ActMsg struct{ Act Act }
	// DoneMsg brings the outcome to all pages.
	DoneMsg struct {
		Act     Act
		Outcome acts.Outcome
	}
)

// StartAct asks the frame to do something.
func StartAct(d Act) tea.Cmd { return Send(ActMsg{d}) }

// Manage does what a key asks for to sessions. An agent goes with its session.
func (w *World) Manage(a keys.Action, rows []catalog.Session) tea.Cmd {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r catalog.Session) bool { return r.IsAgent })
	if len(rows) == 0 {
		return Note("agents follow their session")
	}
	switch a {
	case keys.Rename:
		return w.rename(rows)
	case keys.Tags:
		return w.tags(rows)
	case keys.Note:
		return w.note(rows)
	case keys.Star:
		return w.star(rows)
	case keys.Archive:
		return w.archive(rows)
	}
	return StartAct(w.over(rows, Act{Doing: "trashing", Done: "trashed"}, w.App.Manage.Trash))
}

// selectedAct is an act of app on a selection.
type selectedAct func(ctx context.Context, d acts.Doing, s manage.Selection) (acts.Outcome, error)

// over is a deed about rows.
func (w *World) over(rows []catalog.Session, d Act, act selectedAct) Act {
	s := selectionOf(rows)
	d.Count = len(rows)
	for i := range rows {
		d.Agents += catalog.AgentCount(&rows[i])
	}
	d.Run = func(ctx context.Context, by acts.Doing) (acts.Outcome, error) { return act(ctx, by, s) }
	return d
}

// selectionOf names rows. Many of one home are named by one question, because each
// address is one of its own.
func selectionOf(rows []catalog.Session) (s manage.Selection) {
	root := rows[0].Root
	if len(rows) == 1 || slices.ContainsFunc(rows, func(r catalog.Session) bool { return r.Root != root }) {
		for i := range rows {
			s.Addresses = append(s.Addresses, rows[i].Address())
		}
		return s
	}
	s.Filter = &ask.Filter{In: root, Source: "all"}
	for i := range rows {
		s.Filter.Sessions = append(s.Filter.Sessions, rows[i].ID)
	}
	return s
}

// star gives all of them a star, or takes it from all where each has one.
func (w *World) star(rows []catalog.Session) tea.Cmd {
	on := slices.ContainsFunc(rows, func(r catalog.Session) bool { return !r.Starred })
	d := Act{Doing: "starring", Done: "starred"}
	if !on {
		d = Act{Doing: "taking stars away", Done: "without a star"}
	}
	return StartAct(w.over(rows, d, func(ctx context.Context, by acts.Doing, s manage.Selection) (acts.Outcome, error) {
		return w.App.Manage.Star(ctx, by, s, on)
	}))
}

// archive puts all of them away, or back where each is away.
func (w *World) archive(rows []catalog.Session) tea.Cmd {
	if !slices.ContainsFunc(rows, func(r catalog.Session) bool { return r.ArchivedAt.IsZero() }) {
		return StartAct(w.over(rows, Act{Doing: "unarchiving", Done: "unarchived"}, w.App.Manage.Unarchive))
	}
	return StartAct(w.over(rows, Act{Doing: "archiving", Done: "archived"}, w.App.Manage.Archive))
}

func (w *World) rename(rows []catalog.Session) tea.Cmd {
	if len(rows) > 1 {
		return Note("rename one session at a time")
	}
	row := rows[0]
	p := &Prompt{Label: "rename", Enter: "rename", Row: &row.Key}
	was := term.Line(catalog.NameOf(&row))
	p.Input.Set(was)
	p.Done = func(title string) tea.Cmd {
		if title == was {
			return nil
		}
		return StartAct(w.over(rows, Act{Doing: "renaming", Done: "renamed"}, func(ctx context.Context, by acts.Doing, s manage.Selection) (acts.Outcome, error) {
			return w.App.Manage.Rename(ctx, by, s, manage.RenameOptions{Title: title})
		}))
	}
	return Ask(p)
}

// note asks for a note. A line of it is written \n: the prompt has one line.
func (w *World) note(rows []catalog.Session) tea.Cmd {
	p := &Prompt{Label: "note" + sessionCountSuffix(rows), Enter: "write"}
	was := ""
	if len(rows) == 1 {
		was = term.Line(strings.ReplaceAll(rows[0].Note, "\n", `\n`))
	}
	p.Input.Set(was)
	p.Done = func(text string) tea.Cmd {
		if text == was {
			return nil
		}
		text = strings.ReplaceAll(text, `\n`, "\n")
		d := Act{Doing: "writing the note", Done: "with a new note"}
		if strings.TrimSpace(text) == "" {
			d = Act{Doing: "removing the note", Done: "without a note"}
		}
		return StartAct(w.over(rows, d, func(ctx context.Context, by acts.Doing, s manage.Selection) (acts.Outcome, error) {
			return w.App.Manage.Note(ctx, by, s, text)
		}))
	}
	return Ask(p)
}

// tags asks for the tags that all the rows shall have. Those that only some of
// them have stay with them.
func (w *World) tags(rows []catalog.Session) tea.Cmd {
	shared := slices.Clone(rows[0].OwnTags)
	for i := range rows[1:] {
		shared = slices.DeleteFunc(shared, func(tag string) bool { return !slices.Contains(rows[1+i].OwnTags, tag) })
	}
	return func() tea.Msg {
		known, err := w.App.Catalog.Tags(w.Ctx)
		if err != nil {
			return NoteMsg{err.Error()}
		}
		p := &Prompt{Label: "tags" + sessionCountSuffix(rows), Enter: "set", Done: func(text string) tea.Cmd { return w.retag(rows, shared, text) }}
		for _, k := range known {
			p.Words = append(p.Words, term.Line(k.Tag))
		}
		if len(shared) > 0 {
			p.Input.Set(term.Line(strings.Join(shared, " ")) + " ")
		}
		return PromptMsg{p}
	}
}

func (w *World) retag(rows []catalog.Session, had []string, text string) tea.Cmd {
	want := SplitWords(strings.ReplaceAll(text, "#", " "))
	among := func(list []string) func(string) bool {
		return func(tag string) bool {
			return slices.ContainsFunc(list, func(t string) bool { return strings.EqualFold(t, tag) })
		}
	}
	add := slices.DeleteFunc(slices.Clone(want), among(had))
	remove := slices.DeleteFunc(slices.Clone(had), among(want))
	if len(add)+len(remove) == 0 {
		return nil
	}
	return StartAct(w.over(rows, Act{Doing: "tagging", Done: "tagged"}, func(ctx context.Context, by acts.Doing, s manage.Selection) (acts.Outcome, error) {
		return w.App.Manage.Tag(ctx, by, s, add, remove)
	}))
}

// sessionCountSuffix says how many sessions something is about, where there are several.
func sessionCountSuffix(rows []catalog.Session) string {
	if len(rows) == 1 {
		return ""
	}
	return fmt.Sprintf(" of %s", draw.Plural(len(rows), "session"))
}
