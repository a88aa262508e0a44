package conversation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/keys"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
)

// rawPage shows lines of a transcript as they are, set out for reading.
type rawPage struct {
	world *pages.World
	src   *source
	lines []int // of the chain
	name  string

	text  string
	ready bool

	shown []string // text wrapped to width
	width int
	list  pages.List
}

// rawMsg is the text to show.
type rawMsg struct{ text string }

// rawLimit is how much of a line is shown. One with an image in it can have
// megabytes of base64.
const rawLimit = 1 << 20

func newRaw(w *pages.World, src *source, lines []int, name string) *rawPage {
	return &rawPage{world: w, src: src, lines: lines, name: name}
}

func (p *rawPage) Start() tea.Cmd {
	src, lines := p.src, p.lines
	return func() tea.Msg {
		var b strings.Builder
		for _, i := range lines {
			fmt.Fprintf(&b, "%s\n", term.Line(src.Digest.Chain[i].Position()))
			e, err := src.entry(i)
			if err != nil {
				fmt.Fprintf(&b, "%s\n\n", term.Line(err.Error()))
				continue
			}
			b.WriteString(pretty(e.Raw) + "\n\n")
		}
		return rawMsg{b.String()}
	}
}

// pretty is JSON with a line a field, made safe for a terminal.
func pretty(raw []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		b.Reset()
		b.Write(raw)
	}
	text := b.Bytes()
	more := ""
	if len(text) > rawLimit {
		more = fmt.Sprintf("\n... %s more (sesskeep show --raw)", term.Bytes(int64(len(text)-rawLimit)))
		text = text[:rawLimit]
	}
	return term.Clean(string(text)) + more
}

func (p *rawPage) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(rawMsg); ok {
		p.text, p.ready, p.width = msg.text, true, 0
	}
	return nil
}

// Do scrolls. The list's chosen row is the first line on the screen.
func (p *rawPage) Do(a keys.Action) (tea.Cmd, bool) {
	last := max(0, p.list.Len-p.list.Height)
	ok := p.list.Do(a)
	p.list.At = min(p.list.At, last)
	return nil, ok
}

func (p *rawPage) View(width, height int) []string {
	sc := p.world.Screen
	if !p.ready {
		return []string{sc.Paint(term.Dim, "reading"+pages.GlyphsOf(sc).Ellipsis)}
	}
	if p.width != width {
		p.width = width
		p.shown = strings.Split(term.Wrap(strings.TrimRight(p.text, "\n"), width, ""), "\n")
	}
	p.list.Resize(len(p.shown))
	p.list.Height = height
	from := min(p.list.At, max(0, len(p.shown)-height))
	return p.shown[from:min(len(p.shown), from+height)]
}

func (p *rawPage) Title() string          { return "raw: " + p.name }
func (p *rawPage) Actions() []keys.Action { return pages.Moves }
func (p *rawPage) Typing() bool           { return false }
