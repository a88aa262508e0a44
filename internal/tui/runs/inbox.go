package runs

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/draw"
	"sesskeep/internal/keys"
	"sesskeep/internal/launch"
	"sesskeep/internal/runs"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
)

// Inbox is the page with what all runs ask, the oldest first, and one card.
type Inbox struct {
	world *pages.World
	list  pages.List
	card  card
	known []runs.InboxItem
	mine  map[string]bool // prompts that were answered here
}

// NewInbox makes the page.
func NewInbox(w *pages.World) *Inbox {
	return &Inbox{world: w, card: card{world: w}, mine: map[string]bool{}}
}

func (x *Inbox) Start() tea.Cmd { return x.refresh() }

func (x *Inbox) Typing() bool { return false }

func (x *Inbox) Title() string {
	if n := len(x.known); n > 0 {
		return draw.Plural(n, "prompt") + " waiting"
	}
	return "inbox"
}

func (x *Inbox) chosen() *runs.InboxItem {
	if x.list.At < len(x.known) {
		return &x.known[x.list.At]
	}
	return nil
}

// refresh shows the questions that are open now. The chosen one stays chosen; if it was
// answered elsewhere, a note says by whom.
func (x *Inbox) refresh() tea.Cmd {
	old := x.known
	x.known = slices.Clone(x.world.Running.Inbox)
	x.list.Resize(len(x.known))
	for i := range x.known {
		if x.known[i].ID == x.card.id {
			x.list.Choose(i)
		}
	}
	x.card.show(x.chosen())
	var cmds []tea.Cmd
	for i := range old {
		there := slices.ContainsFunc(x.known, func(is runs.InboxItem) bool { return is.ID == old[i].ID })
		if !there && !x.mine[old[i].ID] {
			cmds = append(cmds, whoAnswered(x.world, old[i]))
		}
	}
	return tea.Batch(cmds...)
}

// whoAnswered reports who answered a question.
func whoAnswered(w *pages.World, item runs.InboxItem) tea.Cmd {
	return func() tea.Msg {
		events, _ := w.Runs.Events(item.RunID) // without events there is nothing to report
		for _, e := range slices.Backward(events) {
			if e.Prompt != item.ID || e.Behavior == "" {
				continue
			}
			did := "denied"
			if e.Behavior == launch.Allow {
				did = "allowed"
			}
			return pages.NoteMsg{Text: fmt.Sprintf("%s in %s: %s by %s, %s", item.Tool, item.RunID, did, e.By, e.Time.Local().Format("15:04:05"))}
		}
		return pages.NoteMsg{Text: item.Tool + " in " + item.RunID + " waits no longer"}
	}
}

func (x *Inbox) Actions() []keys.Action {
	if x.chosen() == nil {
		return []keys.Action{keys.Runs}
	}
	return append(actionsFor(x.chosen()), keys.Open, keys.Runs)
}

// Word calls the keys by what they do here.
func (x *Inbox) Word(a keys.Action) string {
	if a == keys.Open {
		return "open the run"
	}
	return word(x.chosen(), a)
}

func (x *Inbox) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case pages.RunningMsg:
		return x.refresh()
	case answeredMsg:
		x.mine[msg.id] = true
		return pages.Note(msg.said)
	case pages.ClickMsg:
		if row, ok := x.list.Row(msg.Y - 1); ok {
			x.list.Choose(row)
			x.card.show(x.chosen())
		}
	}
	return nil
}

func (x *Inbox) Do(a keys.Action) (tea.Cmd, bool) {
	item := x.chosen()
	if item == nil {
		return nil, false
	}
	if x.card.scroll(a) {
		return nil, true
	}
	if x.list.Do(a) {
		x.card.show(x.chosen())
		return nil, true
	}
	if a == keys.Open && !item.Foreign {
		return pages.Open(NewOne(x.world, item.RunID)), true
	}
	if cmd, ok := x.card.do(item, a); ok {
		return cmd, true
	}
	return nil, false
}

// listRows is how many prompts are listed above the card.
const listRows = 5

func (x *Inbox) View(width, height int) []string {
	sc := x.world.Screen
	lines := []string{pages.Spread(sc, " "+sc.Paint(term.Bold, "Inbox"), sc.Paint(term.Dim, fmt.Sprintf("%d waiting ", len(x.known))), width)}
	item := x.chosen()
	if item == nil {
		return append(lines, wrapped(x.emptiness(), width)...)
	}
	rows := min(listRows, len(x.known))
	lines = append(lines, x.list.View(rows, func(i int, chosen bool) string { return x.row(&x.known[i], chosen, width) })...)
	lines = append(lines, "")
	return append(lines, x.card.view(item, width, max(1, height-len(lines)))...)
}

func (x *Inbox) row(item *runs.InboxItem, chosen bool, width int) string {
	sc := x.world.Screen
	mark, style := " ", term.Plain
	if chosen {
		mark, style = sc.Paint(term.Bold|term.Cyan, pages.GlyphsOf(sc).Chosen), term.Bold
	}
	since := term.Duration(x.world.Now().Sub(item.Since.Time).Truncate(time.Second)) + " "
	text := sc.Paint(term.Yellow, pages.Fill(sc, item.RunID, 5)) + " " + sc.Paint(style, term.Line(item.Tool)) + "  " +
		sc.Paint(term.Dim, term.Line(join("  ", filepath.Base(item.Dir), item.Title)))
	return mark + pages.Spread(sc, text, sc.Paint(term.Dim, since), width-1)
}

func (x *Inbox) emptiness() string {
	if r := &x.world.Running; x.world.Runs == nil || r.Err != nil || !r.Known {
		return emptiness(x.world)
	}
	return "Nothing waits for you. What running sessions ask shows up here."
}
