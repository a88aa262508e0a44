package runs

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/keys"
	"sesskeep/internal/runs"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
)

// Form is the page on which a run is described and started.
type Form struct {
	world  *pages.World
	fields []field
	at     int
	places []string // directories of known projects, most recently used first
}

// field is one line of the form.
type field struct {
	name, hint string
	words      []string // it is one of these; nil: any text
	input      pages.Input
}

// The lines of the form, in their order.
const (
	fieldDir = iota
	fieldPrompt
	fieldMode
	fieldModel
	fieldWorktree
	fieldPurpose
	fieldRole
	fieldBudget
)

// placesMsg are the directories of projects.
type placesMsg []string

// NewForm makes the page.
func NewForm(w *pages.World) *Form {
	f := &Form{world: w, at: fieldPrompt, fields: []field{
		fieldDir:      {name: "Directory", hint: "an absolute path"},
		fieldPrompt:   {name: "Prompt", hint: "what it is to do"},
		fieldMode:     {name: "Mode", words: []string{"ask", "plan", "acceptEdits"}},
		fieldModel:    {name: "Model", hint: "as your settings say"},
		fieldWorktree: {name: "Worktree", hint: "none; a name makes a new one"},
		fieldPurpose:  {name: "Purpose", hint: "what it is for, in a few words"},
		fieldRole:     {name: "Role", hint: "what it is, in a word"},
		fieldBudget:   {name: "Budget", hint: "any; it ends when it has cost so many dollars"},
	}}
	f.fields[fieldDir].input.Set(w.Dir)
	f.fields[fieldMode].input.Set("ask")
	return f
}

// modeMeanings say what the modes do.
var modeMeanings = map[string]string{
	"ask": "asks before it changes or runs something", "plan": "only plans", "acceptEdits": "edits files without asking",
}

func (f *Form) Start() tea.Cmd {
	return func() tea.Msg {
		c, err := f.world.Catalog()
		if err != nil {
			return pages.NoteMsg{Text: err.Error()}
		}
		var list placesMsg
		for i := range c.Projects {
			if path := c.Projects[i].Path; !slices.Contains(list, path) {
				list = append(list, path)
			}
		}
		return list
	}
}

func (f *Form) Title() string                    { return "new run" }
func (f *Form) Typing() bool                     { return true }
func (f *Form) Actions() []keys.Action           { return nil }
func (f *Form) Do(a keys.Action) (tea.Cmd, bool) { return nil, false }
func (f *Form) field(i int) string               { return strings.TrimSpace(f.fields[i].input.Text()) }
func (f *Form) Hints() []pages.Hint {
	list := []pages.Hint{{Key: "enter", Word: "start"}, {Key: "down", Word: "next line"}, {Key: "esc", Word: "cancel"}}
	switch {
	case f.fields[f.at].words != nil:
		list = append(list, pages.Hint{Key: "right", Word: "the next one"})
	case f.at == fieldDir && len(f.places) > 0:
		list = append(list, pages.Hint{Key: "tab", Word: "the next project"})
	}
	return list
}

func (f *Form) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case placesMsg:
		f.places = msg
	case startedMsg:
		return tea.Batch(pages.Open(msg.page), pages.Back())
	case tea.KeyPressMsg:
		return f.key(msg)
	case tea.PasteMsg:
		if f.fields[f.at].words == nil {
			f.fields[f.at].input.Update(msg)
		}
	}
	return nil
}

func (f *Form) key(msg tea.KeyPressMsg) tea.Cmd {
	one := &f.fields[f.at]
	switch name := msg.String(); {
	case name == "esc":
		return pages.Back()
	case name == "enter":
		return f.start()
	case name == "down" || name == "tab" && f.at != fieldDir:
		f.at = min(f.at+1, len(f.fields)-1)
	case name == "up" || name == "shift+tab":
		f.at = max(f.at-1, 0)
	case name == "tab":
		f.complete()
	case one.words != nil:
		f.turn(name)
	default:
		one.input.Update(msg)
	}
	return nil
}

// turn takes the next or the last of the words of a line.
func (f *Form) turn(key string) {
	one := &f.fields[f.at]
	step := map[string]int{"right": 1, "space": 1, "left": len(one.words) - 1}[key]
	at := slices.Index(one.words, one.input.Text())
	one.input.Set(one.words[(at+step)%len(one.words)])
}

// complete makes the directory the next project that has what was typed.
func (f *Form) complete() {
	in := &f.fields[fieldDir].input
	at := slices.Index(f.places, in.Text())
	for i := range f.places {
		next := f.places[(at+1+i)%len(f.places)]
		if at >= 0 || strings.Contains(strings.ToLower(next), strings.ToLower(in.Text())) {
			in.Set(next)
			return
		}
	}
}

// start starts what the form says, or says what is missing.
func (f *Form) start() tea.Cmd {
	budget, err := 0.0, error(nil)
	if text := f.field(fieldBudget); text != "" {
		budget, err = strconv.ParseFloat(strings.TrimPrefix(text, "$"), 64)
	}
	switch {
	case f.field(fieldDir) == "":
		f.at = fieldDir
		return pages.Note("say where to work")
	case f.field(fieldPrompt) == "":
		f.at = fieldPrompt
		return pages.Note("the prompt is empty")
	case err != nil || budget < 0:
		f.at = fieldBudget
		return pages.Note("the budget is a number of dollars")
	}
	startRun := start(f.world, runs.Order{
		Dir: f.field(fieldDir), Prompt: f.fields[fieldPrompt].input.Text(), Mode: f.field(fieldMode), Model: f.field(fieldModel),
		Worktree: f.field(fieldWorktree), Purpose: f.field(fieldPurpose), Role: f.field(fieldRole), Limits: runs.Limits{Budget: budget},
	})
	return func() tea.Msg {
		msg := startRun()
		if open, ok := msg.(pages.OpenMsg); ok {
			return startedMsg{open.Page}
		}
		return msg
	}
}

// startedMsg says that the form has done what it is for.
type startedMsg struct{ page pages.Page }

func (f *Form) View(width, height int) []string {
	sc := f.world.Screen
	lines := []string{" " + sc.Paint(term.Bold, "New run"), ""}
	for i := range f.fields {
		one := &f.fields[i]
		mark, style := " ", term.Dim
		if i == f.at {
			mark, style = sc.Paint(term.Bold|term.Cyan, pages.GlyphsOf(sc).Chosen), term.Bold
		}
		line := mark + " " + sc.Paint(style, pages.Fill(sc, one.name, nameWidth))
		room := max(1, width-nameWidth-4)
		text := one.input.Text()
		switch {
		case one.words != nil:
			text += sc.Paint(term.Dim, ": "+modeMeanings[text])
		case i == f.at:
			text = one.input.View(sc, room)
		case text == "":
			text = sc.Paint(term.Dim, one.hint)
		}
		lines = append(lines, line+pages.Cut(sc, text, room))
	}
	return lines[:min(len(lines), height)]
}

// nameWidth is how wide the names of the lines are.
const nameWidth = 11
