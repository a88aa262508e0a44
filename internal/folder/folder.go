package folder

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/export"
	"sesskeep/internal/freshness"
	"sesskeep/internal/money"
	"sesskeep/internal/redact"
	"sesskeep/internal/talk"
	"sesskeep/internal/view"
)

// Writer writes sessions into folders.
type Writer struct {
	Catalog *catalog.Catalog
	Talk    *talk.Talk
	Index   *freshness.Index
}

// Options say what is written, and where to.
type Options struct {
	Dir    string // folder; created if it is missing
	Filter ask.Filter
	// Addresses are the sessions to write instead of those that match the filter.
	Addresses []string
	Document  talk.ExportOptions // how each session is written
	Prices    *money.Prices
	// Progress is called after each session; it may be nil.
	Progress func(done, total int)
}

// Outcome is the result of writing a folder.
type Outcome struct {
	Dir       string         `json:"dir"`       // the folder
	Written   int            `json:"written"`   // sessions that were written
	Unchanged int            `json:"unchanged"` // sessions whose document is up to date
	Failed    []Failure      `json:"failed"`    // sessions that could not be written
	Secrets   []redact.Count `json:"secrets"`   // what marks stand for in the documents written now
	Coverage  ask.Coverage   `json:"coverage"`  // how much the sessions were chosen from
}

// Failure is a session that could not be written.
type Failure struct {
	ID     string `json:"id"`     // id of the session
	Reason string `json:"reason"` // why
}

// Write brings a folder up to date: it writes every session that is new or changed since. A
// folder with files that it did not write is [errcode.Conflict].
func (w *Writer) Write(ctx context.Context, o Options) (Outcome, error) {
	out := Outcome{Dir: o.Dir, Failed: []Failure{}, Secrets: []redact.Count{}}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return out, err
	}
	root, err := os.OpenRoot(o.Dir)
	if err != nil {
		return out, err
	}
	defer root.Close()
	l, err := readList(root)
	if err != nil {
		return out, err
	}
	sessions, coverage, err := w.sessions(ctx, o)
	if err != nil {
		return out, err
	}
	out.Coverage = coverage
	p := &pass{writer: w, root: root, list: &l, options: o, out: &out}
	for i := range sessions {
		if err := p.session(ctx, &sessions[i]); err != nil {
			return out, err
		}
		if o.Progress != nil {
			o.Progress(i+1, len(sessions))
		}
	}
	if out.Written == 0 && l.Version == version && len(l.Sessions) > 0 {
		return out, nil
	}
	if o.Document.Format == export.HTML {
		if err := p.site(); err != nil {
			return out, err
		}
	}
	return out, l.save(root)
}

// Follow brings a folder up to date whenever sessions change, until the context ends. report is
// called after the first round, and after each one that wrote something or failed. The index
// must be kept up to date; see [freshness.Index.Stay].
func (w *Writer) Follow(ctx context.Context, o Options, report func(Outcome)) error {
	var generation uint64
	for first := true; ; first = false {
		newer, err := w.Index.Newer(ctx, generation)
		if err != nil {
			return err
		}
		generation = newer
		out, err := w.Write(ctx, o)
		if err != nil {
			return err
		}
		if first || out.Written > 0 || len(out.Failed) > 0 {
			report(out)
		}
		select { // a session that works changes many times a second
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// pause is how long Follow waits between two rounds.
const pause = 2 * time.Second

// sessions lists the sessions to write, with their costs.
func (w *Writer) sessions(ctx context.Context, o Options) ([]catalog.Session, ask.Coverage, error) {
	f := o.Filter
	f.Cursor = ""
	if len(o.Addresses) > 0 {
		f = ask.Filter{Source: ask.AllSources, Archived: ask.ArchivedToo}
	}
	page, err := w.Catalog.List(ctx, f)
	if err != nil {
		return nil, ask.Coverage{}, err
	}
	sessions := page.Sessions
	if len(o.Addresses) > 0 {
		if sessions, err = w.named(ctx, sessions, o.Addresses); err != nil {
			return nil, ask.Coverage{}, err
		}
		page.Coverage = ask.Coverage{Complete: true} // all of them were found
	}
	sessions = slices.DeleteFunc(sessions, func(s catalog.Session) bool { return s.IsAgent || s.MessageCount == 0 })
	if o.Prices != nil {
		err = w.Catalog.AddCosts(ctx, sessions, o.Prices)
	}
	return sessions, page.Coverage, err
}

// named returns those of the sessions that addresses name.
func (w *Writer) named(ctx context.Context, sessions []catalog.Session, addresses []string) ([]catalog.Session, error) {
	wanted := map[string]bool{}
	for _, address := range addresses {
		t, err := w.Catalog.Find(ctx, address)
		if err != nil {
			return nil, err
		}
		if t.Leaf != "" || t.Message != "" {
			return nil, errcode.New(errcode.Invalid, fmt.Errorf("%s: a folder has whole sessions; write a conversation or a stretch of one to a file", address))
		}
		wanted[t.Store.Root()+"\x00"+t.Ref.File] = true
	}
	return slices.DeleteFunc(sessions, func(s catalog.Session) bool { return !wanted[s.Root+"\x00"+s.Ref.File] }), nil
}

// pass is one call of Write.
type pass struct {
	writer  *Writer
	root    *os.Root
	list    *list
	options Options
	out     *Outcome
}

// session writes a session if its document is not up to date.
func (p *pass) session(ctx context.Context, s *catalog.Session) error {
	key := s.Key.String()
	state, err := stateOf(s, &p.options)
	if err != nil {
		return err
	}
	e, known := p.list.Sessions[key]
	if known && e.State == state {
		if _, err := p.root.Stat(e.File); err == nil {
			p.out.Unchanged++
			return nil
		}
	}
	if !known {
		e.File = p.fileOf(s)
	}
	e.State = state
	if err := p.document(ctx, s, &e); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		p.out.Failed = append(p.out.Failed, Failure{s.ID, err.Error()})
		return nil
	}
	p.list.Sessions[key] = e
	p.out.Written++
	return nil
}

// stateOf returns a hash of everything that a document is made from: the session's row in the
// lists, and the options.
func stateOf(s *catalog.Session, o *Options) (string, error) {
	d := &o.Document
	data, err := json.Marshal([]any{
		s.FileSize, s.LastActivityAt, s.Title, s.Tags, s.GitBranch, s.Origin, s.AgentSessions, s.Cost, s.Agents,
		d.Format, d.All, d.NoThinking, d.NoTools, d.Agents, d.Replay, d.Plain,
	})
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8]), err
}

// fileOf names the document of a session: its project, day and title, and the start of its id.
// A name that is taken has the whole id.
func (p *pass) fileOf(s *catalog.Session) string {
	dir := cmp.Or(NameOf(path.Base(filepath.ToSlash(s.ProjectPath))), "no-project")
	day := s.CreatedAt.UTC().Format(time.DateOnly)
	if s.CreatedAt.IsZero() {
		day = s.LastActivityAt.UTC().Format(time.DateOnly)
	}
	title := NameOf(p.redacted(s.Title))
	ending := "." + p.options.Document.Format.Ending()
	name := func(id string) string {
		parts := slices.DeleteFunc([]string{day, title, id}, func(part string) bool { return part == "" })
		return path.Join(dir, strings.Join(parts, "-")+ending)
	}
	file := name(s.ID[:min(8, len(s.ID))])
	for _, e := range p.list.Sessions {
		if e.File == file {
			return name(NameOf(s.Key.String()))
		}
	}
	return file
}

// redacted returns a text without secrets, or the text itself if the options keep secrets.
func (p *pass) redacted(text string) string {
	rules, err := p.writer.Talk.Rules()
	if p.options.Document.Plain || err != nil {
		return text
	}
	return rules.Document().Text(text)
}

// document writes the document of a session.
func (p *pass) document(ctx context.Context, s *catalog.Session, e *entry) error {
	t, err := p.writer.Catalog.TargetOf(s)
	if err != nil {
		return err
	}
	o := p.options.Document
	o.Front = p.front(s)
	words := collector{}
	if o.Format == export.HTML {
		o.OnPart = words.part
	}
	o.OnHidden = func(secrets []redact.Count) { p.out.Secrets = add(p.out.Secrets, secrets) }
	if err := p.root.MkdirAll(path.Dir(e.File), 0o755); err != nil {
		return err
	}
	err = replace(p.root, e.File, func(f *os.File) error { return p.writer.Talk.Export(ctx, f, t, o) })
	if err != nil {
		return fmt.Errorf("write %s: %w", e.File, err)
	}
	if o.Format == export.HTML {
		e.Words, e.Facts = words.String(), p.facts(s)
	}
	return nil
}

// front returns the front matter of a Markdown document.
func (p *pass) front(s *catalog.Session) []export.Fact {
	list := []export.Fact{
		{Name: "id", Value: s.ID}, {Name: "title", Value: s.Title}, {Name: "project", Value: s.ProjectPath},
		{Name: "branch", Value: s.GitBranch}, {Name: "created", Value: when(s.CreatedAt.Time)}, {Name: "updated", Value: when(s.LastActivityAt.Time)},
	}
	if s.Cost != nil {
		list = append(list, export.Fact{Name: "cost", Value: s.Cost.String()})
	}
	if len(s.Tags) > 0 {
		list = append(list, export.Fact{Name: "tags", Value: strings.Join(s.Tags, ", ")})
	}
	return slices.DeleteFunc(list, func(f export.Fact) bool { return f.Value == "" })
}

func when(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// add adds counts by family.
func add(list, more []redact.Count) []redact.Count {
	for _, c := range more {
		i := slices.IndexFunc(list, func(have redact.Count) bool { return have.Family == c.Family })
		if i < 0 {
			list = append(list, c)
			continue
		}
		list[i].Values += c.Values
	}
	return list
}

// collector collects the words that a site searches: those of prompts and answers.
type collector map[string]bool

// maxWords is how many words of one session a site searches.
const maxWords = 5000

func (c collector) part(p *view.Part) {
	if p.Kind != view.PromptPart && p.Kind != view.TextPart {
		return
	}
	for word := range wordsOf(p.Text) {
		if len(c) >= maxWords {
			return
		}
		c[word] = true
	}
}
