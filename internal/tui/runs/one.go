package runs

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/draw"
	"sesskeep/internal/holder"
	"sesskeep/internal/keys"
	"sesskeep/internal/runs"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/conversation"
	"sesskeep/internal/tui/pages"
)

// One is the page of one run: what it says as it says it, what it asks, and a line to
// say more.
type One struct {
	world  *pages.World
	id     string
	card   card
	stop   context.CancelFunc
	frames chan holder.Frame

	said []*entry
	up   int // lines above the last one on the screen
	high int // lines that there are, when it was last drawn
	room int
}

// entry is something that was said.
type entry struct {
	runs.Said
	lines []string // as it was drawn
	width int      // that lines were drawn for; 0: not drawn yet
}

// mostSaid is how much of what was said is kept; all of it is in the transcript.
const mostSaid = 1000

// NewOne makes the page of a run.
func NewOne(w *pages.World, id string) *One { return &One{world: w, id: id, card: card{world: w}} }

// saidMsg is what a run said; over: there will be no more.
type saidMsg struct {
	said []runs.Said
	over bool
}

func (o *One) Start() tea.Cmd {
	o.card.show(o.asked())
	ctx, stop := context.WithCancel(o.world.Ctx)
	o.stop, o.frames = stop, make(chan holder.Frame, 256)
	go func() {
		defer close(o.frames)
		_ = o.world.Runs.Follow(ctx, o.id, 0, func(f holder.Frame) error { // World.Running reports its end
			select {
			case o.frames <- f:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	return o.next()
}

// Close ends what the page listens to.
func (o *One) Close() {
	o.stop()
	for range o.frames { // until nothing of it runs
	}
}

// next waits for something, and takes what else is there.
func (o *One) next() tea.Cmd {
	frames := o.frames
	return func() tea.Msg {
		var said []runs.Said
		f, ok := <-frames
		for ok {
			said = append(said, runs.SaidIn(&f)...)
			select {
			case f, ok = <-frames:
			default:
				return saidMsg{said: said}
			}
		}
		return saidMsg{said, true}
	}
}

// run is what is known of the run, or nil.
func (o *One) run() *holder.Record {
	for i := range o.world.Running.Runs {
		if r := &o.world.Running.Runs[i]; r.ID == o.id {
			return r
		}
	}
	return nil
}

// asked is what it asks first, or nil.
func (o *One) asked() *runs.InboxItem {
	for i := range o.world.Running.Inbox {
		if item := &o.world.Running.Inbox[i]; item.RunID == o.id {
			return item
		}
	}
	return nil
}

func (o *One) Typing() bool { return false }

func (o *One) Title() string {
	if run := o.run(); run != nil {
		return o.id + " " + what(run)
	}
	return o.id
}

func (o *One) Actions() []keys.Action {
	list := actionsFor(o.asked())
	if run := o.run(); run != nil {
		for _, a := range actionsOf(run) {
			if !contains(list, a) && a != keys.ForgetRun {
				list = append(list, a)
			}
		}
	}
	return append(list, keys.Open)
}

// Word calls the keys by what they do here.
func (o *One) Word(a keys.Action) string {
	switch run := o.run(); {
	case a == keys.Open:
		return "its conversation"
	case a == keys.Message && run != nil && !run.Living():
		return "resume"
	}
	return word(o.asked(), a)
}

func (o *One) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case saidMsg:
		for _, s := range msg.said {
			o.addOutput(s)
		}
		if !msg.over {
			return o.next()
		}
	case pages.RunningMsg:
		o.card.show(o.asked())
	case answeredMsg:
		return pages.Note(msg.said)
	}
	return nil
}

// addOutput adds what the model said. Pieces are joined until the whole text comes, which
// replaces them.
func (o *One) addOutput(s runs.Said) {
	var last *entry
	if n := len(o.said); n > 0 {
		last = o.said[n-1]
	}
	same := last != nil && last.Kind == runs.SaidPiece && last.Message == s.Message
	switch {
	case same && s.Kind == runs.SaidPiece:
		last.Text += s.Text
		last.width = 0
	case same && s.Kind == runs.SaidText:
		*last = entry{Said: s}
	default:
		o.said = append(o.said, &entry{Said: s})
	}
	if len(o.said) > mostSaid {
		o.said = o.said[len(o.said)-mostSaid:]
	}
}

func (o *One) Do(a keys.Action) (tea.Cmd, bool) {
	item, run := o.asked(), o.run()
	if cmd, ok := o.card.do(item, a); ok {
		return cmd, true
	}
	switch {
	case item != nil && o.card.scroll(a), o.scroll(a):
		return nil, true
	case run == nil:
		return nil, false
	case a == keys.Open:
		return conversationOf(o.world, *run), true
	case a == keys.ForgetRun: // where it is listed
		return nil, false
	}
	return act(o.world, run, a)
}

// conversationOf opens the session of a run, once there is a transcript.
func conversationOf(w *pages.World, run holder.Record) tea.Cmd {
	return func() tea.Msg {
		root := run.Root
		if root == "" {
			root = w.App.Resume.Home(w.Ctx, run.Dir)
		}
		row := w.Row(w.App.Homes.SessionKey(root, run.SessionID))
		if row == nil {
			return pages.NoteMsg{Text: "there is no transcript yet"}
		}
		return pages.OpenMsg{Page: conversation.New(w, *row)}
	}
}

func (o *One) scroll(a keys.Action) bool {
	most, page := max(0, o.high-o.room), max(1, o.room-1)
	switch a {
	case keys.Up:
		o.up++
	case keys.Down:
		o.up--
	case keys.PageUp:
		o.up += page
	case keys.PageDown:
		o.up -= page
	case keys.Top:
		o.up = most
	case keys.End:
		o.up = 0
	default:
		return false
	}
	o.up = max(0, min(o.up, most))
	return true
}

func (o *One) View(width, height int) []string {
	lines := o.head(width)
	var asked []string
	if item := o.asked(); item != nil {
		asked = append(asked, "")
		asked = append(asked, o.card.view(item, width, max(3, (height-len(lines))*2/3))...)
	}
	o.room = max(0, height-len(lines)-len(asked))
	body := o.body(width)
	o.high = len(body)
	o.up = max(0, min(o.up, o.high-o.room))
	end := o.high - o.up
	shown := body[max(0, end-o.room):end]
	for len(shown) < o.room && len(asked) > 0 {
		shown = append(shown, "") // what it asks stands at the bottom
	}
	return append(append(lines, shown...), asked...)
}

// head says which run it is, where it is and what it cost.
func (o *One) head(width int) []string {
	sc, run := o.world.Screen, o.run()
	if run == nil {
		return []string{" " + sc.Paint(term.Bold, o.id), ""}
	}
	glyph, style := draw.State(sc, stateWord(run))
	state := sc.Paint(style, glyph+" "+string(run.State))
	if run.Living() {
		state += sc.Paint(term.Dim, " "+term.Duration(o.world.Now().Sub(run.Since.Time).Truncate(time.Second)))
	}
	facts := term.Line(join(pages.GlyphsOf(sc).Gap, run.Dir, run.Model, run.Role, modeWord(string(run.Mode)), draw.Plural(run.Turns, "turn"), money(run)))
	return []string{
		pages.Spread(sc, " "+sc.Paint(term.Yellow, run.ID)+" "+sc.Paint(term.Bold, term.Line(what(run))), state+" ", width),
		" " + sc.Paint(term.Dim, pages.Cut(sc, facts, width-1)), "",
	}
}

func (o *One) body(width int) []string {
	var lines []string
	for _, e := range o.said {
		if e.width != width {
			e.lines, e.width = o.lines(e, width), width
		}
		lines = append(lines, e.lines...)
	}
	run := o.run()
	if len(lines) == 0 {
		text := "Nothing was said yet."
		if run != nil && run.State == "queued" {
			text = "It starts when another run ends."
		}
		lines = []string{" " + o.world.Screen.Paint(term.Dim, text)}
	}
	if run != nil {
		if run.Error != "" {
			lines = append(lines, " "+o.world.Screen.Paint(term.Red, pages.Cut(o.world.Screen, term.Line(run.Error), width-1)))
		}
		if !run.Living() {
			lines = append(lines, " "+o.world.Screen.Paint(term.Dim, pages.Cut(o.world.Screen, term.Line(join(": ", "It has ended", run.Why)), width-1)))
		}
	}
	return lines
}

func (o *One) lines(e *entry, width int) []string {
	sc := o.world.Screen
	switch e.Kind {
	case runs.SaidTool:
		return []string{sc.Paint(term.Dim, pages.Cut(sc, "         "+term.Line(e.Tool+" "+e.Text), width))}
	case runs.SaidPrompt:
		return o.spoken("you", term.Cyan, e.Text, width)
	}
	return o.spoken("claude", term.Magenta, e.Text, width)
}

// spoken is a text beside the name of who said it.
func (o *One) spoken(who string, style term.Style, text string, width int) []string {
	sc := o.world.Screen
	var lines []string
	for i, line := range strings.Split(term.Wrap(term.Clean(text), max(1, width-10), ""), "\n") {
		name := strings.Repeat(" ", 9)
		if i == 0 {
			name = " " + sc.Paint(style, pages.Fill(sc, who, 8))
		}
		lines = append(lines, name+line)
	}
	return append(lines, "")
}
