package mask

import (
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/homes"
	"sesskeep/internal/liveness"
	"sesskeep/internal/mention"
	"sesskeep/internal/redact"
	"sesskeep/internal/shelf"
	"sesskeep/internal/traces"
)

// Verb is the verb of a masking in the journal.
const Verb = "mask"

// Options configure a Masker.
type Options struct {
	Homes   *homes.Set
	Catalog *catalog.Catalog
	Journal *acts.Journal
	Live    *liveness.Checker
	Redact  redact.Options // what a user calls a secret, beside what looks like one
	// Fresh waits until the index has everything that is in the homes, and Compact then
	// removes from it what is gone.
	Fresh, Compact func(ctx context.Context) error
	// Runs counts the runs of sesskeep that have logs of a session.
	Runs func(ctx context.Context, id sesskeep.SessionID) (int, error)
}

// Masker masks sessions.
type Masker struct{ Options }

// New makes a Masker. The path of the user's home and the user's name are no secrets of a
// transcript: programs need them.
func New(o Options) *Masker {
	o.Redact.Home, o.Redact.User = "", ""
	return &Masker{o}
}

// Masked is what masking a session changes, or has changed.
type Masked struct {
	Root     string         `json:"root"`            // directory of the session's home
	Session  string         `json:"sessionId"`       // id of the session
	Title    string         `json:"title,omitempty"` // title of the session
	Secrets  []redact.Count `json:"secrets"`         // secrets, by family
	Files    []File         `json:"files"`           // files of the home that change
	Copies   int            `json:"copyCount"`       // versions of kept copies that change
	Thinking int            `json:"thinkingCount"`   // blocks of signed thinking that are removed
	Notes    []string       `json:"notes"`           // remarks for people
	Act      int            `json:"actId,omitempty"` // number of the act, for undo
	DryRun   bool           `json:"dryRun"`          // true if nothing was changed
}

// File is a file that changes.
type File struct {
	Name     string `json:"file"`                    // path in the home
	Matches  int    `json:"matchCount"`              // how often a secret stands in it
	Thinking int    `json:"thinkingCount,omitempty"` // blocks of signed thinking that are removed
}

// Empty reports whether there is nothing to mask.
func (m *Masked) Empty() bool { return len(m.Files) == 0 && m.Copies == 0 }

// session is one session that is masked.
type session struct {
	*Masker
	home   *homes.Home
	store  *sesskeep.Store // what is on the disk; nil: the home is gone
	id     sesskeep.SessionID
	names  []string // of the session's files
	shared []string // of files that other sessions use too
	editor *editor
}

// Session masks a session. One that is in use is [errcode.ErrLive].
func (m *Masker) Session(ctx context.Context, d acts.Doing, address string) (Masked, error) {
	if err := m.Journal.Start(ctx, d, Verb, address); err != nil {
		return Masked{}, err
	}
	s, out, err := m.open(ctx, address)
	if err != nil {
		return out, err
	}
	if err := s.Live.Sessions().Check(ctx, s.home, s.id); err != nil {
		return out, &sesskeep.Error{Op: Verb, Name: string(s.id), Err: err}
	}
	if err := s.learn(ctx); err != nil {
		return out, err
	}
	err = shelf.Retry(ctx, func() error {
		if err := s.count(ctx, &out); err != nil || d.DryRun || out.Empty() {
			out.DryRun = d.DryRun
			return err
		}
		var err error
		out.Act, err = s.change(ctx, d, &out)
		return err
	})
	return out, err
}

// find finds the session at an address.
func (m *Masker) find(ctx context.Context, address string) (*homes.Home, sesskeep.SessionID, error) {
	if err := m.Fresh(ctx); err != nil {
		return nil, "", err
	}
	t, err := m.Catalog.Find(ctx, address)
	if err != nil {
		return nil, "", err
	}
	id, err := t.Session(address)
	return m.Homes.At(t.Store.Root()), id, err
}

// open finds a session and its files.
func (m *Masker) open(ctx context.Context, address string) (*session, Masked, error) {
	out := Masked{Secrets: []redact.Count{}, Files: []File{}, Notes: []string{}}
	h, id, err := m.find(ctx, address)
	if err != nil {
		return nil, out, err
	}
	rules, err := redact.New(m.Redact)
	if err != nil {
		return nil, out, err
	}
	s := &session{Masker: m, home: h, store: h.Disk(), id: id, editor: newEditor(rules.Document())}
	of := mention.Set{Sessions: []sesskeep.SessionID{id}}.Finder()
	s.editor.ours = func(line []byte) bool { return traces.Prompt(of, line) }
	out.Root, out.Session = h.Store.Root(), string(id)
	slugs, err := s.rows(ctx, &out)
	if err != nil || s.store == nil {
		return s, out, err
	}
	f, err := s.store.Family(id, slugs...)
	if err != nil && !errors.Is(err, sesskeep.ErrNotFound) { // a session of which only a copy is left
		return nil, out, err
	}
	s.names = slices.Compact(f.Files())
	for i, name := range s.names {
		s.editor.plans[name] = path.Dir(name) == "plans"
		if f.Main != nil && name == f.Main.File { // first, so that its secrets get the lowest numbers
			s.names[0], s.names[i] = name, s.names[0]
		}
	}
	return s, out, s.findShared()
}

// rows notes what the index knows of the session, and returns the names of its plans.
func (s *session) rows(ctx context.Context, out *Masked) (slugs []string, err error) {
	rows, err := s.Catalog.Rows(ctx, ask.Filter{Source: "all", Archived: ask.ArchivedToo})
	if err != nil {
		return nil, err
	}
	var forks []string
	for i := range rows {
		r := &rows[i]
		switch {
		case r.Root != out.Root:
		case r.Ref.Session == s.id:
			if r.Slug != "" && !slices.Contains(slugs, r.Slug) {
				slugs = append(slugs, r.Slug)
			}
			if !r.IsAgent {
				out.Title = r.Title
			}
		case r.ForkedFrom == string(s.id) && !r.IsAgent:
			forks = append(forks, r.ID)
		}
	}
	if len(forks) > 0 {
		out.Notes = append(out.Notes, "forks repeat lines of this session and are not changed: "+strings.Join(forks, ", "))
	}
	if n, err := s.Runs(ctx, s.id); err == nil && n > 0 {
		out.Notes = append(out.Notes, `the logs of runs of sesskeep are not changed; "sesskeep run rm" removes them`)
	}
	return slugs, nil
}

// findShared lists the files that several sessions use.
func (s *session) findShared() error {
	entries, err := s.store.Files().ReadDir("paste-cache")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Type().IsRegular() {
			s.shared = append(s.shared, "paste-cache/"+e.Name())
		}
	}
	if _, err := s.store.Files().Info("history.jsonl"); err == nil {
		s.shared = append(s.shared, "history.jsonl")
	}
	return nil
}

// source is what a file of the home becomes.
func (s *session) source(name string) shelf.Source {
	return func() (io.ReadCloser, error) {
		f, err := s.store.Files().Open(name)
		if err != nil {
			return nil, err
		}
		info, err := f.Stat()
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		r, w := io.Pipe()
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, err := s.editor.edit(w, io.NewSectionReader(f, 0, info.Size()), name)
			w.CloseWithError(errors.Join(err, f.Close()))
		}()
		return &edited{r, done}, nil
	}
}

// edited is a reader of a file as the editor changes it. An editor edits one file at a time.
type edited struct {
	*io.PipeReader
	done chan struct{}
}

// Close ends the edit, and waits for that.
func (e *edited) Close() error {
	err := e.PipeReader.Close()
	<-e.done
	return err
}
