package tui

import (
	"fmt"
	"strconv"
	"strings"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/draw"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
)

const (
	wordsFrom = 90 // columns of a list that are enough for the words of states
	listHead  = 2  // lines above the rows
)

// Gathers says that the page counts what is in the homes.
func (s *sessions) Gathers() {}

func (s *sessions) Title() string {
	gap := pages.GlyphsOf(s.world.Screen).Gap
	where := "all projects"
	if p := s.world.Scope.Project; p != nil && !s.world.Scope.All {
		where = s.world.ProjectName(p.ID)
	}
	if !s.loaded {
		return where
	}
	text := where + gap + draw.Plural(s.page.Total, "session")
	if hidden := hiddenWords(s.page.Hidden); hidden != "" {
		text += gap + hidden + " hidden"
	}
	return text
}

// hiddenWords counts what a list leaves out: 96 agents and 3 helpers.
func hiddenWords(hidden map[string]int) string {
	var words []string
	for _, source := range []ask.Source{ask.FromUser, ask.FromAgent, ask.FromHelper} {
		if n := hidden[string(source)]; n > 0 {
			words = append(words, draw.Plural(n, string(source)))
		}
	}
	if n := hidden["archived"]; n > 0 {
		words = append(words, term.Count(n)+" archived")
	}
	return strings.Join(words, " and ")
}

func (s *sessions) View(width, height int) []string {
	s.wide, s.left = width >= pages.PreviewFrom, width
	if !s.wide || s.hidden {
		return s.viewList(width, height)
	}
	left := width * 11 / 20
	s.left = left
	rows := s.viewList(left-1, height)
	beside := s.preview.view(width-left-2, height)
	wall := s.world.Screen.Paint(term.Dim, pages.GlyphsOf(s.world.Screen).Wall)
	out := make([]string, height)
	for i := range out {
		out[i] = pages.Fill(s.world.Screen, pages.At(rows, i), left) + wall + " " + pages.At(beside, i)
	}
	return out
}

func (s *sessions) viewList(width, height int) []string {
	lines := []string{s.heading(width)}
	if len(s.shown) == 0 {
		return append(lines, strings.Split(term.Wrap("\n"+s.emptiness(), width-2, "  "), "\n")...)
	}
	cols := s.columns(width)
	s.titleRoom = cols.Width("title")
	lines = append(lines, cols.Header(s.world.Screen))
	return append(lines, s.list.View(height-listHead, func(i int, chosen bool) string {
		r := &s.page.Sessions[s.shown[i]]
		return cols.Row(s.world.Screen, chosen, func(title string) term.Cell { return s.cell(r, title, width >= wordsFrom) })
	})...)
}

// heading names the page and says what the list is sifted by.
func (s *sessions) heading(width int) string {
	sc := s.world.Screen
	name := sc.Paint(term.Bold, "2 Sessions")
	if s.archive {
		name = sc.Paint(term.Bold, "0 Archive")
	}
	if n := s.marks.Len(); n > 0 {
		name += "  " + pages.Marked(sc, n)
	}
	rows := len(s.shown)
	if s.page.HasMore && len(s.words) == 0 {
		rows = s.page.Total
	}
	position := fmt.Sprintf("%s/%s", term.Count(min(s.list.At+1, rows)), term.Count(rows))
	right := sc.Paint(term.Dim, "by "+ask.Sorts[s.world.Scope.Sort]+"  "+position)
	if s.ranked && s.query != "" && !s.editing {
		how := ""
		if s.partial {
			how = " (partial)"
		}
		order := "best first"
		if s.recent {
			order = "newest first"
		}
		right = sc.Paint(term.Dim, order+how+"  "+position)
	}
	switch {
	case s.editing:
		name += "  /" + s.input.View(sc, width-term.Width(right)-16)
	case s.query != "":
		name += "  " + sc.Paint(term.Yellow, "/"+term.Line(s.query))
	case len(s.words) > 0:
		name += "  " + sc.Paint(term.Yellow, "/"+term.Line(s.input.Text()))
	}
	return pages.Spread(sc, " "+name, right+" ", width)
}

func (s *sessions) columns(width int) pages.Columns {
	state, project, branchFrom := 1, 0, 76
	if width >= wordsFrom {
		state = 11
	}
	if s.world.Scope.Project == nil || s.world.Scope.All {
		// The project says more than the branch, so the branch is dropped first.
		project, branchFrom = min(18, width/5), 96
	}
	return pages.Columns{
		{Title: "", Width: state},
		{Title: "title", Stretch: true, Width: 1},
		{Title: "project", Width: project, Style: term.Cyan, From: 56},
		{Title: "branch", Width: 14, Style: term.Blue, From: branchFrom},
		{Title: "msgs", Width: 5, Right: true, From: 50},
		{Title: "agents", Width: 6, Right: true, From: 66},
		{Title: "active", Width: 6, Right: true, Style: term.Dim},
	}.Fit(width)
}

func (s *sessions) cell(r *catalog.Session, title string, words bool) term.Cell {
	switch title {
	case "title":
		return term.Cell{Text: s.named(r), Style: agentStyle(r)}
	case "project":
		return term.Cell{Text: s.world.ProjectName(r.Project)}
	case "branch":
		return term.Cell{Text: r.GitBranch}
	case "msgs":
		return term.Cell{Text: term.Count(r.MessageCount)}
	case "agents":
		if n := catalog.AgentCount(r); n > 0 {
			return term.Cell{Text: strconv.Itoa(n)}
		}
		return term.Cell{}
	case "active":
		return term.Cell{Text: term.Ago(r.LastActivityAt.Time, s.world.Now())}
	}
	return pages.StateCell(s.world.Screen, r, words)
}

// named is the title of a row, with what was added to it, or as it is typed.
func (s *sessions) named(r *catalog.Session) string {
	sc, key := s.world.Screen, r.Key
	if p := s.world.Prompt; p != nil && p.Row != nil && *p.Row == key && !r.IsAgent {
		sc.Color = false
		return p.Input.View(sc, s.titleRoom)
	}
	text := pages.Signs(sc, r) + catalog.NameOf(r)
	if s.marks.Has(key) {
		text = pages.MarkGlyph(sc) + " " + text
	}
	for _, tag := range r.Tags {
		text += " #" + tag
	}
	return text
}

// agentStyle sets agents back among the sessions they work for.
func agentStyle(r *catalog.Session) term.Style {
	if r.Source != ask.FromUser {
		return term.Dim
	}
	return term.Plain
}

// emptiness says why there is nothing, and what to do about it.
func (s *sessions) emptiness() string {
	key := func(a keys.Action) string { return pages.KeyName(s.world.Screen, keys.Find(a).Keys[0]) }
	hidden := hiddenWords(s.page.Hidden)
	switch {
	case s.err != nil:
		return "Cannot list sessions: " + term.Line(s.err.Error())
	case !s.loaded && s.query != "":
		return "Searching" + pages.GlyphsOf(s.world.Screen).Ellipsis
	case !s.loaded || s.projects == 0 && s.reading:
		return "Reading transcripts" + pages.GlyphsOf(s.world.Screen).Ellipsis
	case s.archive && s.query == "" && len(s.words) == 0 && s.page.Total == 0:
		return s.world.SoFar("Nothing is archived here.") + fmt.Sprintf(" In a list of sessions %s archives one.", key(keys.Archive))
	case s.projects == 0 && s.world.Part().String() != "":
		return "Nothing can be listed so far: " + term.Line(s.world.Part().String())
	case s.projects == 0:
		return "No Claude Code data found. Set CLAUDE_CONFIG_DIR, name a folder with --claude-dir, or try --demo."
	}
	text := "No sessions match."
	if s.query == "" && len(s.words) == 0 {
		text = "No sessions here."
	}
	text = s.world.SoFar(text)
	if hidden != "" && s.query == "" {
		text += fmt.Sprintf(" Hidden: %s. %s shows them.", hidden, key(keys.Agents))
	}
	if s.world.Scope.Project != nil && !s.world.Scope.All {
		text += fmt.Sprintf(" %s looks in all projects.", key(keys.All))
	}
	if s.query != "" || len(s.words) > 0 {
		text += fmt.Sprintf(" %s clears the filter.", key(keys.Back))
	}
	return text
}
