package search

import (
	"fmt"
	"strings"
	"unicode"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/query"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
)

const (
	searchHead = 2 // lines above the results
	searchFoot = 1 // and below

	kindWidth = 10 // of the word that says where a hit is
	timeWidth = 11 // of the time of a hit
	timesFrom = 64 // columns of a list that are enough for times
)

func (s *Page) View(width, height int) []string {
	s.wide = width >= pages.PreviewFrom
	lines := []string{s.heading(width), s.remark(width)}
	if strings.TrimSpace(s.input.Text()) == "" {
		return append(lines, searchHelp(s.world.Screen, width, max(0, height-searchHead))...)
	}
	room := max(0, height-searchHead-searchFoot)
	lines = append(lines, s.body(width, room)...)
	if s.got.text == "" || s.got.err != nil {
		return lines
	}
	return append(lines, " "+s.world.Screen.Paint(term.Dim, pages.Cut(s.world.Screen, s.summary(), max(0, width-2))))
}

// body is the results, and beside them what stands around the chosen one.
func (s *Page) body(width, height int) []string {
	lines := make([]string, height)
	if !s.wide || s.hidden || len(s.rows) == 0 {
		copy(lines, s.results(width, height))
		return lines
	}
	left := width * 11 / 20
	rows := s.results(left-1, height)
	beside := s.passage.view(width-left-2, height)
	wall := s.world.Screen.Paint(term.Dim, pages.GlyphsOf(s.world.Screen).Wall)
	for i := range lines {
		lines[i] = pages.Fill(s.world.Screen, pages.At(rows, i), left) + wall + " " + pages.At(beside, i)
	}
	return lines
}

// queryAt is the column where the query begins, headingRest what stands behind it
// at most.
const (
	queryAt     = len(" 7 Search  /")
	headingRest = len("newest first  1,000/1,000") + 4
)

func (s *Page) heading(width int) string {
	sc := s.world.Screen
	right := "best first"
	if s.recent {
		right = "newest first"
	}
	if n := len(s.rows); n > 0 {
		right += fmt.Sprintf("  %s/%s", term.Count(s.list.At+1), term.Count(n))
	}
	if s.waiting {
		right = "searching" + pages.GlyphsOf(sc).Ellipsis
	}
	left := " " + sc.Paint(term.Bold, "7 Search") + "  "
	if s.editing {
		left += "/" + s.input.View(sc, width-queryAt-term.Width(right)-3)
	} else {
		left += sc.Paint(term.Yellow, "/"+term.Line(s.input.Text()))
	}
	return pages.Spread(sc, left, sc.Paint(term.Dim, right)+" ", width)
}

// remark is the line below the query: what is wrong with it, what can be typed,
// or what may not be meant.
func (s *Page) remark(width int) string {
	sc := s.world.Screen
	if s.err != nil {
		return s.pointAt(s.err, width)
	}
	if s.editing {
		if text := s.tab.view(sc, &s.input, width-queryAt); text != "" {
			return strings.Repeat(" ", queryAt) + text
		}
	}
	if len(s.advice) > 0 {
		return " " + sc.Paint(term.Yellow, pages.Cut(sc, term.Line(s.advice[0].Message), width-2))
	}
	return ""
}

// pointAt writes carets below what is wrong, and beside them what that is. In a
// query that is longer than the screen the words have to do.
func (s *Page) pointAt(e *query.Error, width int) string {
	sc := s.world.Screen
	text := term.Line(e.Message)
	_, below, _ := strings.Cut(e.Pointer(), "\n")
	carets := strings.TrimLeft(below, " ")
	from := queryAt + len(below) - len(carets)
	before, after := from-1, width-from-len(carets)-2
	switch {
	case term.Width(e.Query) > width-queryAt-headingRest: // its start may not be seen
	case term.Width(text) <= after:
		return strings.Repeat(" ", from) + sc.Paint(term.Red, carets+" "+pages.Cut(sc, text+hintOf(e), after))
	case term.Width(text) < before && after >= 0:
		return strings.Repeat(" ", before-term.Width(text)) + sc.Paint(term.Red, text+" "+carets)
	}
	return " " + sc.Paint(term.Red, pages.Cut(sc, term.Line(e.Error())+hintOf(e), max(0, width-2)))
}

func hintOf(e *query.Error) string {
	if e.Hint == "" {
		return ""
	}
	return ": " + term.Line(e.Hint)
}

// results draws the sessions with their hits.
func (s *Page) results(width, height int) []string {
	switch {
	case s.got.err != nil:
		return []string{"", "  " + pages.Cut(s.world.Screen, "Cannot search: "+term.Line(s.got.err.Error()), max(0, width-2))}
	case len(s.rows) > 0:
		cols := s.columns(width)
		return s.list.View(height, func(i int, chosen bool) string { return s.row(cols, s.rows[i], chosen, width) })
	case s.got.text != "" && s.got.page.Complete:
		return []string{"", "  Nothing has that in it."}
	case s.got.text != "":
		text := "Nothing so far has that in it."
		if s.partial() {
			text += " " + pages.KeyName(s.world.Screen, "enter") + " in the query reads on."
		}
		return []string{"", "  " + pages.Cut(s.world.Screen, text, max(0, width-2))}
	}
	return nil
}

func (s *Page) columns(width int) pages.Columns {
	return pages.Columns{
		{Title: "title", Stretch: true, Width: 1, Style: term.Bold},
		{Title: "project", Width: 18, Style: term.Cyan, From: 60},
		{Title: "branch", Width: 14, Style: term.Blue, From: 76},
		{Title: "active", Width: 6, Right: true, Style: term.Dim},
	}.Fit(width)
}

// row draws one line of the results.
func (s *Page) row(cols pages.Columns, row hitRow, chosen bool, width int) string {
	r := &s.got.page.Results[row.result]
	if row.hit == headRow {
		return cols.Row(s.world.Screen, chosen, func(title string) term.Cell { return s.cell(&r.Session, title) })
	}
	sc := s.world.Screen
	mark := " "
	if chosen {
		mark = sc.Paint(term.Bold|term.Cyan, pages.GlyphsOf(sc).Chosen)
	}
	if row.hit == len(r.Hits) {
		style := term.Dim
		if chosen {
			style = term.Bold
		}
		return mark + "  " + sc.Paint(style, "+"+term.Count(r.HitCount-len(r.Hits))+" more")
	}
	return mark + "  " + s.hitLine(&r.Hits[row.hit], chosen, width-3)
}

func (s *Page) cell(r *catalog.Session, title string) term.Cell {
	switch title {
	case "title":
		return term.Cell{Text: catalog.NameOf(r)}
	case "project":
		return term.Cell{Text: s.world.ProjectName(r.Project)}
	case "branch":
		return term.Cell{Text: r.GitBranch}
	}
	return term.Cell{Text: term.Ago(r.LastActivityAt.Time, s.world.Now())}
}

// hitLine says where a hit is, when that was, and what was found.
func (s *Page) hitLine(h *ask.Hit, chosen bool, width int) string {
	sc, style := s.world.Screen, term.Dim
	if chosen {
		style = term.Bold
	}
	where := string(h.Kind)
	if h.AgentID != "" {
		where += "*" // an agent wrote it
	}
	where = term.Pad(term.Line(where), kindWidth)
	if width >= timesFrom {
		when := ""
		if !h.Time.IsZero() {
			when = h.Time.In(s.world.Now().Location()).Format("01-02 15:04")
		}
		where += term.Pad(when, timeWidth) + "  "
	}
	line := sc.Paint(style, where)
	if h.Leaf != "" {
		line += sc.Paint(term.Magenta, "branch :"+term.Line(h.Leaf[:min(8, len(h.Leaf))])+"  ")
	}
	return line + snippet(sc, h, width-term.Width(line))
}

// snippet is the text around a hit with what was found marked. The first mark is
// never cut off: what stands before it gives way.
func snippet(sc term.Screen, h *ask.Hit, width int) string {
	runes := []rune(h.Text)
	from := 0
	if len(h.Marks) > 0 {
		first := min(h.Marks[0][0], len(runes))
		before := max(4, width/3)
		if first+h.Marks[0][1] > width-4 && first > before {
			from = first - before
		}
	}
	var b strings.Builder
	if from > 0 && runes[0] != '…' || from > 1 {
		b.WriteString(pages.GlyphsOf(sc).Ellipsis)
	}
	at := from
	for _, m := range h.Marks {
		start, end := min(m[0], len(runes)), min(m[0]+m[1], len(runes))
		if start < at {
			continue
		}
		b.WriteString(flat(string(runes[at:start])))
		b.WriteString(markText(sc, flat(string(runes[start:end]))))
		at = end
	}
	b.WriteString(flat(string(runes[at:])))
	return pages.Cut(sc, b.String(), max(0, width))
}

// markText marks what was found, in colour or by signs.
func markText(sc term.Screen, text string) string {
	switch {
	case sc.Color:
		return sc.Paint(term.Bold|term.Red, text)
	case sc.ASCII:
		return "[" + text + "]"
	}
	return "«" + text + "»"
}

// flat is clean text on one line. Unlike term.Line it keeps a space at the ends,
// because pieces of one text are put together.
func flat(text string) string {
	var b strings.Builder
	space := false
	for _, r := range term.Clean(text) {
		if unicode.IsSpace(r) {
			space = true
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	if space {
		b.WriteByte(' ')
	}
	return b.String()
}

// searchForms are what a query can have besides keys.
var searchForms = [][2]string{
	{"half line", "both words on one line, also inside other words"},
	{`"half line"`, "exactly this text"},
	{"-retry  -is:error", "without it"},
	{"watch OR tail reader", "(watch or tail) and reader"},
	{"/read(String|Line)/", "a regular expression"},
}

// searchHelp lists what can be typed, cut to the height.
func searchHelp(sc term.Screen, width, height int) []string {
	const indent = 3
	line := func(example, text string) string {
		return strings.Repeat(" ", indent) + sc.Paint(term.Cyan, pages.Fill(sc, example, 24)) + pages.Cut(sc, text, max(0, width-indent-24))
	}
	heading := func(text string) string { return " " + sc.Paint(term.Bold, pages.Cut(sc, text, max(0, width-1))) }
	lines := []string{heading("Everything that was said, thought, run and printed is searched.")}
	for _, f := range searchForms {
		lines = append(lines, line(f[0], f[1]))
	}
	lines = append(lines, "", heading("Keys (Tab completes their names):"))
	list := query.Keys()
	if len(lines)+len(list) <= height {
		for _, k := range list {
			lines = append(lines, line(k.Example, k.Help))
		}
		return lines
	}
	columns := max(1, (width-indent)/24)
	for i := 0; i < len(list); i += columns {
		var b strings.Builder
		for _, k := range list[i:min(len(list), i+columns)] {
			b.WriteString(pages.Fill(sc, k.Example, 24))
		}
		lines = append(lines, strings.Repeat(" ", indent)+sc.Paint(term.Cyan, strings.TrimRight(b.String(), " ")))
	}
	return lines[:min(len(lines), height)]
}
