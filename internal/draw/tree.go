package draw

import (
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/term"
)

// Tree is a session's tree as lines: one for a prompt, one for its answer, and side
// branches where a prompt was edited, retried or undone. The conversation that a
// resume would continue keeps the left edge.
type Tree struct {
	t      *sesskeep.Transcript
	screen term.Screen
	where  *time.Location
	active map[int]bool // turns of the active conversation
	glyphs treeGlyphs
	rows   []TreeRow
}

// TreeRow is one line of a tree: a prompt, or a run of answers.
type TreeRow struct {
	First, Turn int // the first and the last turn it stands for; Turn names it
	Prompt      bool
	Indent      string
	Text        string
}

type treeGlyphs struct{ prompt, answer, fork, cut, side, bar, here string }

// NewTree lays out the tree of a transcript.
func NewTree(t *sesskeep.Transcript, screen term.Screen, where *time.Location) *Tree {
	d := &Tree{t: t, screen: screen, where: where, active: map[int]bool{},
		glyphs: treeGlyphs{"○", "●", "⑂", "✂", "├─", "│ ", "◄ resume continues here"}}
	if screen.ASCII {
		d.glyphs = treeGlyphs{"o", "*", "Y", "%", "|-", "| ", "< resume continues here"}
	}
	if t.Tree.Active >= 0 {
		for _, turn := range t.Tree.Path(t.Tree.Conversations[t.Tree.Active]) {
			d.active[turn] = true
		}
	}
	var roots []int
	for turn := range t.Tree.Turns {
		if t.Tree.Turns[turn].Parent < 0 {
			roots = append(roots, turn)
		}
	}
	d.below(roots, "")
	return d
}

// Rows are the lines of the tree, from the top.
func (d *Tree) Rows() []TreeRow { return d.rows }

// Active reports whether a resume would continue below a turn.
func (d *Tree) Active(turn int) bool { return d.active[turn] }

// below draws the turns below a fork. All but one are drawn as side branches; the one
// that continues keeps the column.
func (d *Tree) below(turns []int, indent string) {
	for len(turns) > 0 {
		on := d.continues(turns)
		for _, turn := range turns {
			if turn != on {
				d.side(turn, indent)
			}
		}
		turns = d.turn(on, indent, indent)
	}
}

// continues returns the child that keeps the column: of the active conversation, or
// the newest.
func (d *Tree) continues(turns []int) int {
	for _, turn := range turns {
		if d.active[turn] {
			return turn
		}
	}
	return turns[len(turns)-1]
}

// deepest is where side branches stop moving to the right.
const deepest = 20

func (d *Tree) side(turn int, indent string) {
	inner := indent + d.glyphs.bar
	if len(indent) > deepest*len(d.glyphs.bar) {
		inner = indent
	}
	next := d.turn(turn, indent+d.glyphs.side, inner)
	d.below(next, inner)
}

// turn draws a prompt with the answers that follow it up to the next prompt or
// branch, and gives the turns after those.
func (d *Tree) turn(turn int, first, indent string) []int {
	t := d.t
	steps, calls := 0, 0
	last := turn
	if t.Tree.Turns[turn].Prompt || t.Tree.Turns[turn].Head < 0 {
		d.rows = append(d.rows, TreeRow{First: turn, Turn: turn, Prompt: true, Indent: first, Text: d.text(turn)})
		first = indent
	} else {
		steps, calls = 1, d.calls(turn)
	}
	answer := turn
	for {
		children := t.Tree.Turns[last].Children
		if len(children) != 1 || t.Tree.Turns[children[0]].Prompt {
			break
		}
		last = children[0]
		if steps == 0 {
			answer = last
		}
		steps, calls = steps+1, calls+d.calls(last)
	}
	if steps > 0 {
		text := Plural(steps, "answer")
		if calls > 0 {
			text += ", " + Plural(calls, "call")
		}
		d.rows = append(d.rows, TreeRow{First: answer, Turn: last, Indent: first, Text: text})
	}
	return t.Tree.Turns[last].Children
}

func (d *Tree) text(turn int) string {
	if head := d.t.Tree.Turns[turn].Head; head >= 0 {
		return d.t.Digest.Chain[head].Text
	}
	return "(no prompt)"
}

func (d *Tree) calls(turn int) int {
	n := 0
	for _, i := range d.t.Tree.Turns[turn].Lines {
		if l := &d.t.Digest.Chain[i]; l.Role == sesskeep.RoleAnswer && l.Tool != "" {
			n++
		}
	}
	return n
}

// Line draws a row in width cells; 0 is as many as it takes.
func (d *Tree) Line(row TreeRow, width int) string {
	turn, s := &d.t.Tree.Turns[row.Turn], d.screen
	glyph, uuid, when, marks := d.glyphs.answer, "", "     ", ""
	if row.Prompt {
		glyph = d.glyphs.prompt
	}
	if len(turn.Lines) > 0 {
		l := &d.t.Digest.Chain[turn.Lines[0]]
		if turn.Head >= 0 {
			l = &d.t.Digest.Chain[turn.Head]
		}
		uuid = term.Line(l.UUID[:min(8, len(l.UUID))])
		if l.Time != 0 {
			when = l.When().In(d.where).Format("15:04")
		}
	}
	if turn.Compacted {
		marks += d.glyphs.cut + " "
	}
	if len(turn.Children) > 1 {
		marks += d.glyphs.fork + " "
	}
	here := ""
	if len(turn.Children) == 0 && d.active[row.Turn] {
		here = "  " + d.glyphs.here
	}
	fixed := term.Width(row.Indent+glyph+marks+uuid+here) + len(when) + 4
	text := term.Line(row.Text)
	if width > 0 {
		text = s.Truncate(text, max(10, width-fixed))
	}
	return s.Paint(term.Dim, row.Indent) + glyph + " " + s.Paint(term.Dim, when) + " " +
		s.Paint(term.Magenta, marks) + text + "  " + s.Paint(term.Yellow, uuid) + s.Paint(term.Green, here)
}

// Notes says how many conversations there are, and what the tree could not
// place or had to guess.
func (d *Tree) Notes() string {
	var notes []string
	add := func(n int, what string) {
		if n > 0 {
			notes = append(notes, Plural(n, what))
		}
	}
	notes = append(notes, Plural(len(d.t.Tree.Conversations), "conversation"))
	add(len(d.t.Tree.Inline), "inline agent")
	add(len(d.t.Tree.Detached), "detached line")
	add(len(d.t.Tree.Duplicates), "repeated line")
	add(len(d.t.Tree.Repaired), "repaired link")
	return strings.Join(notes, GlyphsOf(d.screen).Gap)
}
