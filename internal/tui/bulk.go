package tui

import (
	"fmt"
	"strconv"
	"strings"

	"sesskeep/internal/acts"
	"sesskeep/internal/draw"
	"sesskeep/internal/errcode"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"

	tea "charm.land/bubbletea/v2"
)

// bulk is the page about a deed that is done to many sessions: before it, what
// would happen and a question; after it, what could not be done.
type bulk struct {
	world   *pages.World
	act     pages.Act
	list    pages.List
	input   pages.Input
	known   bool // what would happen, or what has
	over    bool // it is done
	outcome acts.Outcome
	failed  []acts.Result
	err     error
}

// bulkMsg is what would happen.
type bulkMsg struct {
	outcome acts.Outcome
	err     error
}

func newBulk(w *pages.World, d pages.Act) *bulk { return &bulk{world: w, act: d} }

// outcomeOf is the page about what could not be done.
func outcomeOf(w *pages.World, d pages.Act, out acts.Outcome) *bulk {
	b := &bulk{world: w, act: d, over: true}
	b.apply(bulkMsg{outcome: out})
	return b
}

// Start tries it without doing it.
func (b *bulk) Start() tea.Cmd {
	if b.over {
		return nil
	}
	w, act := b.world, b.act.Run
	return func() tea.Msg {
		out, err := act(w.Ctx, acts.Doing{Actor: w.Actor, DryRun: true})
		return bulkMsg{out, err}
	}
}

func (b *bulk) apply(msg bulkMsg) {
	b.known, b.outcome, b.err = true, msg.outcome, msg.err
	for _, r := range msg.outcome.Results {
		if r.Err() != nil {
			b.failed = append(b.failed, r)
		}
	}
	b.list.Resize(len(b.failed))
}

func (b *bulk) Title() string {
	if b.over {
		return "some were not " + b.act.Done
	}
	return b.act.Doing + " " + draw.Plural(b.act.Count, "session")
}

func (b *bulk) Typing() bool           { return !b.over }
func (b *bulk) Actions() []keys.Action { return nil }

func (b *bulk) Do(a keys.Action) (tea.Cmd, bool) { return nil, b.list.Do(a) }

func (b *bulk) Hints() []pages.Hint {
	return []pages.Hint{{Key: "enter", Word: "continue"}, {Key: "esc", Word: "cancel"}, {Key: "up", Word: "up"}, {Key: "down", Word: "down"}}
}

func (b *bulk) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case bulkMsg:
		b.apply(msg)
	case tea.KeyPressMsg:
		return b.typed(msg)
	}
	return nil
}

func (b *bulk) typed(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "esc":
		return pages.Back()
	case "up":
		b.list.Do(keys.Up)
	case "down":
		b.list.Do(keys.Down)
	case "enter":
		return b.enter()
	default:
		b.input.Update(msg)
	}
	return nil
}

// enter begins where the number was typed that will change.
func (b *bulk) enter() tea.Cmd {
	switch {
	case !b.known:
		return pages.Note("still checking")
	case b.outcome.Changed == 0:
		return pages.Back()
	case strings.TrimSpace(b.input.Text()) != strconv.Itoa(b.outcome.Changed):
		return pages.Note(fmt.Sprintf("type %d to continue", b.outcome.Changed))
	}
	d := b.act
	d.Agreed = true
	return pages.Send(chosenMsg{b, pages.ActMsg{Act: d}})
}

func (b *bulk) View(width, height int) []string {
	sc := b.world.Screen
	var text string
	switch {
	case b.err != nil:
		text = "It cannot be done: " + term.Line(b.err.Error()) + "."
	case !b.known:
		text = "Checking what would change" + pages.GlyphsOf(sc).Ellipsis
	default:
		text = b.summary()
	}
	lines := strings.Split(term.Wrap("\n"+text, max(1, width-4), "  "), "\n")
	if !b.over && b.known && b.outcome.Changed > 0 {
		lines = append(lines, "", fmt.Sprintf("  %s %s", sc.Paint(term.Bold, fmt.Sprintf("Type %d to continue:", b.outcome.Changed)), b.input.View(sc, 12)))
	}
	if len(b.failed) > 0 {
		lines = append(lines, "")
		cols := failedColumns.Fit(width)
		lines = append(lines, b.list.View(max(0, height-len(lines)), func(i int, chosen bool) string {
			return cols.Row(sc, chosen, func(title string) term.Cell { return b.cell(&b.failed[i], title) })
		})...)
	}
	for i, line := range lines {
		lines[i] = pages.Cut(sc, line, width)
	}
	return lines[:min(len(lines), height)]
}

var failedColumns = pages.Columns{
	{Title: "id", Width: 8, Style: term.Yellow},
	{Title: "title", Width: 20, From: 50},
	{Title: "why", Stretch: true, Width: 1, Style: term.Red},
}

func (b *bulk) cell(r *acts.Result, title string) term.Cell {
	switch title {
	case "id":
		return term.Cell{Text: r.ID[:min(8, len(r.ID))]}
	case "title":
		return term.Cell{Text: r.Title}
	}
	return term.Cell{Text: reason(r.Err())}
}

// summary says what would happen, or what has.
func (b *bulk) summary() string {
	if b.over {
		return outcomeWords(b.act.Done, b.outcome) + ":"
	}
	out := b.outcome
	if out.Changed == 0 {
		return "Nothing to do: " + skippedWords(out) + "."
	}
	words := []string{draw.Plural(out.Changed, "session") + " will be " + b.act.Done}
	agents := 0
	for i := range out.Results {
		agents += out.Results[i].Agents
	}
	if agents = max(agents, b.act.Agents); agents > 0 {
		words = append(words, draw.Plural(agents, "agent")+" follow")
	}
	if out.Size > 0 {
		words = append(words, term.Bytes(out.Size))
	}
	if skipped := skippedWords(out); skipped != "" {
		words = append(words, skipped)
	}
	return strings.Join(words, ", ") + "."
}

// skippedWords count what would not be done: 1 live session will be skipped.
func skippedWords(out acts.Outcome) string {
	live := 0
	for i := range out.Results {
		if out.Results[i].Code == errcode.Held {
			live++
		}
	}
	var words []string
	if live > 0 {
		words = append(words, draw.Plural(live, "live session")+" will be skipped")
	}
	if n := out.Failed - live; n > 0 {
		words = append(words, fmt.Sprintf("%s cannot be changed", term.Count(n)))
	}
	if n := out.Total - out.Changed - out.Failed; n > 0 {
		words = append(words, fmt.Sprintf("%s already so", term.Count(n)))
	}
	return strings.Join(words, ", ")
}
