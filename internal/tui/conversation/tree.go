package conversation

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/catalog"
	"sesskeep/internal/draw"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/feed"
	"sesskeep/internal/tui/pages"
)

// treePage draws the branches of a session. Long stretches without a branch are
// folded.
type treePage struct {
	world *pages.World
	row   catalog.Session
	src   *source
	err   error

	tree   *draw.Tree
	rows   []draw.TreeRow
	items  []treeItem
	open   map[int]bool // stretches that are unfolded, by their first row
	list   pages.List
	filter pages.Input
	typed  bool // letters are text
}

// treeItem is a line of the page: a row, or a stretch of them.
type treeItem struct {
	row    int
	folded int // rows it stands for; 0: it is the row itself
}

func NewTree(w *pages.World, row catalog.Session) *treePage {
	return &treePage{world: w, row: row, open: map[int]bool{}}
}

func (p *treePage) Start() tea.Cmd {
	row := p.row
	return func() tea.Msg {
		src, err := openSource(p.world, &row, "")
		return readMsg{src: src, err: err}
	}
}

func (p *treePage) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case readMsg:
		p.opened(msg)
	case pages.ClickMsg:
		if i, ok := p.list.Row(msg.Y - headRows); ok {
			p.list.Choose(i)
		}
	case tea.KeyPressMsg:
		switch msg.String() {
		case "enter":
			p.typed = false
		case "esc":
			p.typed = false
			p.filter.Set("")
			p.sift()
		default:
			p.enterText(msg)
		}
	case tea.PasteMsg:
		p.enterText(msg)
	}
	return nil
}

func (p *treePage) enterText(msg tea.Msg) {
	if p.filter.Update(msg) {
		p.sift()
	}
}

func (p *treePage) opened(msg readMsg) {
	if p.err = msg.err; p.err != nil {
		return
	}
	p.src = msg.src
	p.tree = draw.NewTree(p.src.Transcript, p.world.Screen, p.world.Now().Location())
	p.rows = p.tree.Rows()
	p.sift()
	for i, item := range p.items {
		if turn := p.rows[item.row].Turn; turn == p.src.session.ActiveLeaf() {
			p.list.Choose(i)
		}
	}
}

// foldFrom is how long a stretch without a branch is before it is folded, and
// foldEnds how much of either end stays.
const (
	foldFrom = 16
	foldEnds = 4
)

// sift chooses the rows that the page shows: those with the typed text, or without one all
// of them, with long stretches folded.
func (p *treePage) sift() {
	chosen := -1
	if p.list.At < len(p.items) {
		chosen = p.items[p.list.At].row
	}
	p.items = p.items[:0]
	query := strings.ToLower(strings.TrimSpace(p.filter.Text()))
	for i := 0; i < len(p.rows); {
		if query != "" {
			if strings.Contains(strings.ToLower(p.rows[i].Text), query) {
				p.items = append(p.items, treeItem{row: i})
			}
			i++
			continue
		}
		i = p.stretch(i)
	}
	p.list.Resize(len(p.items))
	for i, item := range p.items {
		if item.row <= chosen {
			p.list.Choose(i)
		}
	}
}

// stretch adds the rows from i on up to a branch or a change of lane, and gives
// the row after them.
func (p *treePage) stretch(i int) int {
	end := i + 1
	for end < len(p.rows) && p.rows[end].Indent == p.rows[i].Indent && len(p.src.Tree.Turns[p.rows[end-1].Turn].Children) == 1 {
		end++
	}
	from, to := i+foldEnds, end-foldEnds
	for n := i; n < end; n++ {
		if n == from && end-i >= foldFrom && !p.open[n] {
			p.items = append(p.items, treeItem{n, to - from})
			n = to - 1
			continue
		}
		p.items = append(p.items, treeItem{row: n})
	}
	return end
}

func (p *treePage) Do(a keys.Action) (tea.Cmd, bool) {
	if p.src == nil {
		return nil, false
	}
	switch a {
	case keys.Filter:
		p.typed = true
	case keys.Back:
		if p.filter.Text() == "" {
			return nil, false
		}
		p.filter.Set("")
		p.sift()
	case keys.Fold:
		p.fold()
	case keys.Open:
		return p.enter(), true
	case keys.Copy:
		if uuid := p.chosen(); uuid != "" {
			return pages.Copy(pages.Address(&p.row, "#"+uuid)), true
		}
	default:
		return nil, p.list.Do(a)
	}
	return nil, true
}

// fold opens the chosen stretch, or closes the one that the chosen row is in.
func (p *treePage) fold() {
	if len(p.items) == 0 {
		return
	}
	item := p.items[p.list.At]
	if item.folded > 0 {
		p.open[item.row] = true
		p.sift()
		return
	}
	closest := -1
	for row := range p.open {
		if row <= item.row {
			closest = max(closest, row)
		}
	}
	delete(p.open, closest)
	p.sift()
}

// chosen is the uuid of the chosen row's first turn.
func (p *treePage) chosen() string {
	if len(p.items) == 0 {
		return ""
	}
	turn := &p.src.Tree.Turns[p.rows[p.items[p.list.At].row].First]
	switch {
	case turn.Head >= 0:
		return p.src.Digest.Chain[turn.Head].UUID
	case len(turn.Lines) > 0:
		return p.src.Digest.Chain[turn.Lines[0]].UUID
	}
	return ""
}

// enter opens the conversation at the chosen turn, or a folded stretch.
func (p *treePage) enter() tea.Cmd {
	if len(p.items) == 0 {
		return nil
	}
	if p.items[p.list.At].folded > 0 {
		p.fold()
		return nil
	}
	return pages.Open(NewAt(p.world, p.row, Target{Message: p.chosen()}))
}

func (p *treePage) View(width, height int) []string {
	sc := p.world.Screen
	switch {
	case p.err != nil:
		return []string{pages.Cut(sc, sc.Paint(term.Red, "Cannot read it: ")+term.Line(p.err.Error()), width)}
	case p.src == nil:
		return []string{sc.Paint(term.Dim, "reading"+pages.GlyphsOf(sc).Ellipsis)}
	}
	head := sc.Paint(term.Dim, pages.Cut(sc, p.tree.Notes(), width))
	if p.typed {
		head = sc.Paint(term.Bold, "/") + p.filter.View(sc, width-2)
	} else if text := p.filter.Text(); text != "" {
		head = pages.Cut(sc, sc.Paint(term.Yellow, "/"+text)+"  "+sc.Paint(term.Dim, draw.Plural(len(p.items), "row")), width)
	}
	lines := []string{head}
	return append(lines, p.list.View(max(1, height-len(lines)), func(i int, chosen bool) string { return p.line(p.items[i], chosen, width) })...)
}

func (p *treePage) line(item treeItem, chosen bool, width int) string {
	sc := p.world.Screen
	sign := " "
	if chosen {
		sign = sc.Paint(term.Bold|term.Cyan, pages.GlyphsOf(sc).Chosen)
	}
	row := p.rows[item.row]
	if item.folded > 0 {
		text := draw.GlyphsOf(sc).More + " " + draw.Plural(item.folded, "row") + " (" + feed.HowToOpen + ")"
		return pages.Cut(sc, sign+sc.Paint(term.Dim, row.Indent+text), width)
	}
	line := p.tree.Line(row, width-1)
	if chosen {
		line = sc.Paint(term.Bold, feed.Unpainted(line))
	}
	return pages.Cut(sc, sign+line, width)
}

func (p *treePage) Title() string { return "tree of " + catalog.NameOf(&p.row) }

func (p *treePage) Actions() []keys.Action {
	switch {
	case p.src == nil:
		return nil
	case len(p.items) == 0:
		return []keys.Action{keys.Filter}
	}
	return []keys.Action{keys.Open, keys.Fold, keys.Filter, keys.Down, keys.Up, keys.Copy}
}

func (p *treePage) Typing() bool { return p.typed }

func (p *treePage) Hints() []pages.Hint {
	return []pages.Hint{{Key: "enter", Word: "keep"}, {Key: "esc", Word: "clear"}}
}

// Close closes the transcript.
func (p *treePage) Close() {
	if p.src != nil {
		p.src.Close()
	}
}
