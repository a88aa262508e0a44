// Package document is the page on which a session is written as a document, to keep or to pass
// on, with a preview of the secrets that it hides.
package document

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/catalog"
	"sesskeep/internal/export"
	"sesskeep/internal/folder"
	"sesskeep/internal/keys"
	"sesskeep/internal/redact"
	"sesskeep/internal/talk"
	"sesskeep/internal/tui/pages"
)

// Page says what is written, and what that would hide.
type Page struct {
	world *pages.World
	row   catalog.Session
	leaf  string // the conversation; "": the active one
	share bool   // the document is for others: HTML, and always redacted

	fields []field
	at     int
	file   pages.Input
	named  string // the file as it was suggested

	asked   int // number of the last preview that was asked for
	stop    context.CancelFunc
	hidden  *talk.Hidden // nil: it is being worked out
	err     error        // why there is no preview
	link    *pages.Link  // the link that was made; nil: none
	writing bool
}

// field is a line whose value is one of some words.
type field struct {
	name  string
	words []string
	value int
}

// The lines, in their order. The name of the file comes last.
const (
	fieldFormat = iota
	fieldThinking
	fieldTools
	fieldAgents
	fieldSecrets // of a document to keep
	fieldAs      // of a page to pass on: a file, or a link
)

// The words of the lines.
var (
	formats  = []string{"html", "markdown", "text", "json"}
	yesNo    = []string{"yes", "no"}
	noYes    = []string{"no", "yes"}
	secrets  = []string{"hidden", "left in"}
	asWhat   = []string{"file", "link for 1 day", "link for 7 days", "link for 30 days"}
	linkDays = []int{0, 1, 7, 30}
)

// NewExport returns the page that writes a conversation of a session as a document.
func NewExport(w *pages.World, row catalog.Session, leaf string) *Page {
	return newPage(w, row, leaf, false)
}

// NewShare returns the page that writes it as a page for others.
func NewShare(w *pages.World, row catalog.Session, leaf string) *Page {
	return newPage(w, row, leaf, true)
}

func newPage(w *pages.World, row catalog.Session, leaf string, share bool) *Page {
	p := &Page{world: w, row: row, leaf: leaf, share: share, stop: func() {}}
	p.fields = []field{
		fieldFormat: {"Format", formats, 0}, fieldThinking: {"Thinking", yesNo, 0}, fieldTools: {"Tool calls", yesNo, 0}, fieldAgents: {"Sub-agents", noYes, 0},
		fieldSecrets: {"Secrets", secrets, 0}, fieldAs: {"As", asWhat, 0},
	}
	return p
}

// previewMsg is what a document would hide.
type previewMsg struct {
	number int
	hidden talk.Hidden
	file   string // a name for the file
	err    error
}

// Start works out the first preview.
func (p *Page) Start() tea.Cmd { return p.preview() }

// Close ends what is being worked out.
func (p *Page) Close() { p.stop() }

// preview works out what a document with these options would hide. One that is under way ends.
func (p *Page) preview() tea.Cmd {
	p.stop()
	p.asked++
	p.hidden, p.err, p.link = nil, nil, nil
	var ctx context.Context
	ctx, p.stop = context.WithCancel(p.world.Ctx)
	w, row, leaf, o, number := p.world, p.row, p.leaf, p.options(), p.asked
	return func() tea.Msg {
		t, err := target(w, &row, leaf)
		if err != nil {
			return previewMsg{number: number, err: err}
		}
		hidden, err := w.App.Talk.Preview(ctx, nil, t, o)
		return previewMsg{number, hidden, folder.FileName(hidden.Title, t.Ref.ID()), err}
	}
}

func target(w *pages.World, row *catalog.Session, leaf string) (catalog.Target, error) {
	t, err := w.App.Catalog.TargetOf(row)
	t.Leaf = leaf
	return t, err
}

// options are what the lines say.
func (p *Page) options() (o talk.ExportOptions) {
	o.Format = export.Format(p.word(fieldFormat))
	o.NoThinking, o.NoTools = p.word(fieldThinking) == "no", p.word(fieldTools) == "no"
	o.Agents = p.word(fieldAgents) == "yes"
	o.Plain = p.word(fieldSecrets) == "left in"
	if p.share {
		o.Format, o.Plain = export.HTML, false
	}
	return o
}

func (p *Page) word(i int) string { return p.fields[i].words[p.fields[i].value] }

// lines are the numbers of the lines that are shown; the file is one after the last field.
func (p *Page) lines() []int {
	list := []int{fieldFormat, fieldThinking, fieldTools, fieldAgents, fieldSecrets}
	if p.share {
		list = []int{fieldThinking, fieldTools, fieldAgents}
		if p.world.ShareLink != nil {
			list = append(list, fieldAs)
		}
	}
	if p.days() == 0 {
		list = append(list, len(p.fields))
	}
	return list
}

// days is for how many days a link is made; 0: a file is written.
func (p *Page) days() int { return linkDays[p.fields[fieldAs].value] }

// onFile reports whether the name of the file is being typed.
func (p *Page) onFile() bool { return p.current() == len(p.fields) }

func (p *Page) current() int {
	lines := p.lines()
	return lines[min(p.at, len(lines)-1)]
}

// Title says what the page does.
func (p *Page) Title() string {
	if p.share {
		return "share"
	}
	return "export"
}

// Typing reports that letters are text here.
func (p *Page) Typing() bool { return true }

// Actions are none: keys are those of a form.
func (p *Page) Actions() []keys.Action { return nil }

// Do takes no key of the table.
func (p *Page) Do(keys.Action) (tea.Cmd, bool) { return nil, false }

// Hints are the keys of the form.
func (p *Page) Hints() []pages.Hint {
	verb := "write"
	if p.days() > 0 {
		verb = "make the link"
	}
	list := []pages.Hint{{Key: "enter", Word: verb}, {Key: "down", Word: "next line"}, {Key: "esc", Word: "back"}}
	if !p.onFile() {
		list = append(list, pages.Hint{Key: "right", Word: "change"})
	}
	return list
}

// Update takes keys, and what was worked out and written.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case previewMsg:
		if msg.number == p.asked {
			p.previewed(msg)
		}
	case writtenMsg:
		return p.written(msg)
	case tea.KeyPressMsg:
		return p.key(msg)
	case tea.PasteMsg:
		if p.onFile() {
			p.file.Update(msg)
		}
	}
	return nil
}

// previewed shows a preview, and names the file unless the user did.
func (p *Page) previewed(msg previewMsg) {
	p.err = msg.err
	if msg.err != nil {
		return
	}
	p.hidden = &msg.hidden
	if p.file.Text() == p.named {
		p.named = msg.file + "." + p.options().Format.Ending()
		p.file.Set(p.named)
	}
}

func (p *Page) key(msg tea.KeyPressMsg) tea.Cmd {
	switch name := msg.String(); {
	case name == "esc":
		return pages.Back()
	case name == "enter":
		return p.write()
	case name == "down" || name == "tab":
		p.at = min(p.at+1, len(p.lines())-1)
	case name == "up" || name == "shift+tab":
		p.at = max(min(p.at, len(p.lines())-1)-1, 0)
	case p.onFile():
		p.file.Update(msg)
	case name == "right" || name == "space" || name == "left":
		return p.turn(name)
	}
	return nil
}

// turn takes the next or the last of the words of a line.
func (p *Page) turn(key string) tea.Cmd {
	f := &p.fields[p.current()]
	step := 1
	if key == "left" {
		step = len(f.words) - 1
	}
	f.value = (f.value + step) % len(f.words)
	if p.current() == fieldAs {
		return nil // the document stays what it is
	}
	return p.preview()
}

// path is where the document is written.
func (p *Page) path() string {
	name := strings.TrimSpace(p.file.Text())
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(p.world.Dir, name)
}

// life is for how long a link is valid.
func (p *Page) life() time.Duration { return time.Duration(p.days()) * 24 * time.Hour }

// summary says how many secrets of each family a document hides.
func summary(h *talk.Hidden, plain bool) string {
	switch {
	case plain:
		return "Nothing is hidden: the document will hold every secret of the session."
	case len(h.Secrets) == 0:
		return "No secrets were found. Best effort: read it before you pass it on."
	}
	values, word := redact.Total(h.Secrets), "secrets are"
	if values == 1 {
		word = "secret is"
	}
	return fmt.Sprintf("%d %s hidden: %s. Best effort: read it before you pass it on.", values, word, redact.Summary(h.Secrets))
}
