package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

func treeCommand(sh *shell) *cobra.Command {
	cmd := addressCommand(sh, "tree", "Draw the branches of a session", func(ctx context.Context, address string) error {
		return runTree(ctx, sh, address)
	})
	cmd.Long = `Draw a session as a tree: a line a prompt, a line for what answered it, and branches
where a prompt was edited, retried or taken back. The conversation a resume would go
on with stays at the left edge.

  ○ prompt   ● answers   ⑂ branches here   ✂ compacted before`
	cmd.Example = "  sesskeep session tree c9cf\n  sesskeep session tree c9cf --json"
	return cmd
}

func runTree(ctx context.Context, sh *shell, address string) error {
	target, t, err := sh.read(ctx, address)
	if err != nil {
		return err
	}
	defer t.Close()
	return sh.print(ctx, listing{
		value:  app.TreeOf(target.Ref.ID(), &t.Digest, t.Tree),
		items:  "turns",
		render: func(w io.Writer) error { return drawTree(w, sh, t) },
	})
}

// drawer draws the turns of a tree, one or two lines each.
type drawer struct {
	sh     *shell
	t      *sesskeep.Transcript
	out    *bufio.Writer
	active map[int]bool // turns of the active conversation
	glyphs treeGlyphs
}

type treeGlyphs struct{ prompt, answer, fork, cut, side, bar, here string }

func drawTree(w io.Writer, sh *shell, t *sesskeep.Transcript) error {
	d := &drawer{sh: sh, t: t, out: bufio.NewWriter(w), active: map[int]bool{},
		glyphs: treeGlyphs{"○", "●", "⑂", "✂", "├─", "│ ", "◄ a resume goes on here"}}
	if sh.screen.ASCII {
		d.glyphs = treeGlyphs{"o", "*", "Y", "%", "|-", "| ", "< a resume goes on here"}
	}
	if t.Active >= 0 {
		for _, turn := range t.Path(t.Conversations[t.Active]) {
			d.active[turn] = true
		}
	}
	var roots []int
	for turn := range t.Turns {
		if t.Turns[turn].Parent < 0 {
			roots = append(roots, turn)
		}
	}
	d.below(roots, "")
	d.notes()
	return d.out.Flush()
}

// below draws the turns below a branch point. All but one are drawn as side
// branches; the one that goes on keeps the column.
func (d *drawer) below(turns []int, indent string) {
	for len(turns) > 0 {
		on := d.goesOn(turns)
		for _, turn := range turns {
			if turn != on {
				d.side(turn, indent)
			}
		}
		turns = d.turn(on, indent, indent)
	}
}

// goesOn is the child that keeps the column: of the active conversation, or
// the newest.
func (d *drawer) goesOn(turns []int) int {
	for _, turn := range turns {
		if d.active[turn] {
			return turn
		}
	}
	return turns[len(turns)-1]
}

// deepest is where side branches stop moving to the right.
const deepest = 20

func (d *drawer) side(turn int, indent string) {
	inner := indent + d.glyphs.bar
	if len(indent) > deepest*len(d.glyphs.bar) {
		inner = indent
	}
	next := d.turn(turn, indent+d.glyphs.side, inner)
	d.below(next, inner)
}

// turn draws a prompt with the answers that follow it up to the next prompt or
// branch, and gives the turns after those.
func (d *drawer) turn(turn int, first, indent string) []int {
	t := d.t
	steps, calls := 0, 0
	last := turn
	if t.Turns[turn].Prompt || t.Turns[turn].Head < 0 {
		d.line(first, turn, d.glyphs.prompt, d.text(turn))
		first = indent
	} else {
		steps, calls = 1, d.calls(turn)
	}
	for {
		children := t.Turns[last].Children
		if len(children) != 1 || t.Turns[children[0]].Prompt {
			break
		}
		last = children[0]
		steps, calls = steps+1, calls+d.calls(last)
	}
	if steps > 0 {
		text := plural(steps, "answer")
		if calls > 0 {
			text += ", " + plural(calls, "call")
		}
		d.line(first, last, d.glyphs.answer, text)
	}
	return t.Turns[last].Children
}

func (d *drawer) text(turn int) string {
	if head := d.t.Turns[turn].Head; head >= 0 {
		return d.t.Chain[head].Text
	}
	return "(no prompt)"
}

func (d *drawer) calls(turn int) int {
	n := 0
	for _, i := range d.t.Turns[turn].Lines {
		if l := &d.t.Chain[i]; l.Role == sesskeep.Answer && l.Tool != "" {
			n++
		}
	}
	return n
}

func (d *drawer) line(indent string, turn int, glyph, text string) {
	t, s := d.t, d.sh.screen
	lines := t.Turns[turn].Lines
	uuid, when, marks := "", "     ", ""
	if len(lines) > 0 {
		l := &t.Chain[lines[0]]
		if head := t.Turns[turn].Head; head >= 0 {
			l = &t.Chain[head]
		}
		uuid = term.Line(head(l.UUID, 8))
		if l.Time != 0 {
			when = l.When().In(d.sh.Now().Location()).Format("15:04")
		}
	}
	if t.Turns[turn].Compacted {
		marks += d.glyphs.cut + " "
	}
	if len(t.Turns[turn].Children) > 1 {
		marks += d.glyphs.fork + " "
	}
	here := ""
	if len(t.Turns[turn].Children) == 0 && d.active[turn] {
		here = "  " + d.glyphs.here
	}
	fixed := term.Width(indent+glyph+marks+uuid+here) + len(when) + 4
	text = term.Line(text)
	if s.Width > 0 {
		text = term.Truncate(text, max(10, s.Width-fixed))
	}
	fmt.Fprintf(d.out, "%s%s %s %s%s  %s%s\n", s.Paint(term.Dim, indent), glyph, s.Paint(term.Dim, when),
		s.Paint(term.Magenta, marks), text, s.Paint(term.Yellow, uuid), s.Paint(term.Green, here))
}

// notes says what the tree could not place, or had to guess.
func (d *drawer) notes() {
	var notes []string
	add := func(n int, what string) {
		if n > 0 {
			notes = append(notes, plural(n, what))
		}
	}
	notes = append(notes, plural(len(d.t.Conversations), "conversation"))
	add(len(d.t.Inline), "inline agent")
	add(len(d.t.Detached), "detached line")
	add(len(d.t.Duplicates), "repeated line")
	add(len(d.t.Repaired), "repaired link")
	fmt.Fprintln(d.out, d.sh.screen.Paint(term.Dim, strings.Join(notes, d.sh.gap())))
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return term.Count(n) + " " + what + "s"
}
