package talk

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/money"
	"sesskeep/internal/reading"
	"sesskeep/internal/stamp"
	"sesskeep/internal/view"
)

// Work is a summary of what was done in a span of time, by project.
type Work struct {
	Since    stamp.Time    `json:"since"`
	Until    stamp.Time    `json:"until"`
	Zone     string        `json:"tz"`
	Projects []ProjectWork `json:"projects"` // most prompts first
	Total    int           `json:"total"`
	Sessions int           `json:"sessionCount"`
	Prompts  int           `json:"promptCount"`
	Cost     money.Cost    `json:"cost"`
}

// ProjectWork is what was done in a project.
type ProjectWork struct {
	Project     string        `json:"project"`
	ProjectPath string        `json:"projectPath"`
	Sessions    []SessionWork `json:"sessions"` // in the order they started
	Prompts     int           `json:"promptCount"`
	Files       []ChangedFile `json:"files"`
	Cost        money.Cost    `json:"cost"`
}

// SessionWork is what was done in a session, its agents included.
type SessionWork struct {
	ID      string     `json:"id"`
	Key     string     `json:"key,omitempty"`
	Title   string     `json:"title"`
	FirstAt stamp.Time `json:"firstAt,omitzero"` // of the lines in that time
	LastAt  stamp.Time `json:"lastAt,omitzero"`
	Prompts []string   `json:"prompts"`
	Cost    money.Cost `json:"cost"`

	Address string `json:"-"`
}

// WorkOptions choose the work: Since and Until are both set.
type WorkOptions struct {
	Since, Until time.Time
	Project      string // short name; empty: all
	Zone         *time.Location
	Prices       *money.Prices
}

// Work summarises what was done between two times.
func (tk *Talk) Work(ctx context.Context, o WorkOptions) (Work, error) {
	w := Work{Since: stamp.Time{Time: o.Since}, Until: stamp.Time{Time: o.Until}, Zone: o.Zone.String()}
	c, err := tk.catalog.Snapshot(ctx)
	if err != nil {
		return w, err
	}
	filter := ask.Filter{Source: "all", Project: o.Project, Since: o.Since, Until: o.Until, Sort: "-created"}
	page, err := c.List(ctx, filter)
	if err != nil {
		return w, err
	}
	d := digest{app: tk, since: o.Since, until: o.Until, projects: map[string]*projectDigest{}, seen: map[seenLine]bool{}}
	slices.SortStableFunc(page.Sessions, originalsFirst)
	for i := range page.Sessions {
		if err := d.add(ctx, &page.Sessions[i]); err != nil {
			return w, err
		}
	}
	filter.Sort = ""
	if w.Cost, err = d.price(ctx, filter, o); err != nil {
		return w, err
	}
	w.Projects = d.list()
	w.Total = len(w.Projects)
	for i := range w.Projects {
		w.Sessions += len(w.Projects[i].Sessions)
		w.Prompts += w.Projects[i].Prompts
	}
	return w, nil
}

// digest collects the work of projects.
type digest struct {
	app          *Talk
	since, until time.Time
	projects     map[string]*projectDigest
	seen         map[seenLine]bool
}

// seenLine identifies a line of a home, in whichever file it is.
type seenLine struct{ root, uuid string }

type projectDigest struct {
	ProjectWork
	sessions map[sesskeep.Key]*SessionWork
	files    map[string]*ChangedFile
}

func (d *digest) project(name, path string) *projectDigest {
	p := d.projects[name]
	if p == nil {
		p = &projectDigest{
			ProjectWork: ProjectWork{Project: name, ProjectPath: path, Cost: money.Cost{UnpricedModels: []string{}}},
			sessions:    map[sesskeep.Key]*SessionWork{}, files: map[string]*ChangedFile{},
		}
		d.projects[name] = p
	}
	return p
}

func (d *digest) covers(t time.Time) bool { return !t.Before(d.since) && t.Before(d.until) }

// add reads a transcript that was written to in that time. For an agent or a helper
// only the files count: no person talked to it.
func (d *digest) add(ctx context.Context, r *catalog.Session) error {
	s, err := d.app.catalog.Read(ctx, catalog.Target{Store: d.app.homes.At(r.Root).Store, Ref: r.Ref})
	if err != nil {
		return err
	}
	defer s.Close()
	return eachConversation(s, func(talk *reading.Session) error { return d.conversation(ctx, r, talk) })
}

// conversation adds a transcript, or an agent inside it.
func (d *digest) conversation(ctx context.Context, r *catalog.Session, s *reading.Session) error {
	lines := d.lines(s.Transcript, r.Root)
	if len(lines) == 0 {
		return nil
	}
	p := d.project(r.Project, r.ProjectPath)
	if r.Source == ask.FromUser && s.Inline == "" {
		work := newSessionWork(r, s.Transcript, lines)
		p.sessions[r.Key] = work
		p.Prompts += len(work.Prompts)
	}
	own := map[string]bool{}
	for _, i := range lines {
		own[s.Transcript.Digest.Chain[i].UUID] = true
	}
	wanted := func(turn int) bool {
		return slices.ContainsFunc(s.Transcript.Tree.Turns[turn].Lines, func(i int) bool { return own[s.Transcript.Digest.Chain[i].UUID] })
	}
	return eachChange(ctx, s, wanted, func(part *view.Part, _ int) {
		if own[part.UUID] {
			addChange(p.files, *part, s.Agent())
		}
	})
}

// lines returns the lines of turns that were written in that time and that no earlier
// transcript had.
func (d *digest) lines(t *sesskeep.Transcript, root string) (list []int) {
	for turn := range t.Tree.Turns {
		for _, i := range t.Tree.Turns[turn].Lines {
			line := seenLine{root, t.Digest.Chain[i].UUID}
			if d.covers(t.Digest.Chain[i].When()) && !d.seen[line] {
				d.seen[line] = line.uuid != ""
				list = append(list, i)
			}
		}
	}
	return list
}

func newSessionWork(r *catalog.Session, t *sesskeep.Transcript, lines []int) *SessionWork {
	w := &SessionWork{ID: r.ID, Title: catalog.NameOf(r), Address: r.Address(), Prompts: []string{}, Cost: money.Cost{UnpricedModels: []string{}}}
	if r.Key != (sesskeep.Key{}) {
		w.Key = r.Key.String()
	}
	for _, i := range lines {
		l := &t.Digest.Chain[i]
		w.see(l.When())
		if l.Role == sesskeep.RolePrompt {
			w.Prompts = append(w.Prompts, sesskeep.OneLine(l.Text))
		}
	}
	return w
}

func (w *SessionWork) see(at time.Time) {
	if w.FirstAt.IsZero() || at.Before(w.FirstAt.Time) {
		w.FirstAt = stamp.Time{Time: at}
	}
	if at.After(w.LastAt.Time) {
		w.LastAt = stamp.Time{Time: at}
	}
}

// price fills in what was spent in that time, and returns the sum. A project spent
// more than its sessions if only agents worked in some of them.
func (d *digest) price(ctx context.Context, f ask.Filter, o WorkOptions) (money.Cost, error) {
	r, err := d.app.catalog.Usage(ctx, money.UsageOptions{By: "session", Filter: f, Zone: o.Zone, Prices: o.Prices})
	if err != nil {
		return money.Cost{}, err
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		p := d.project(row.Project, row.ProjectPath)
		p.Cost = p.Cost.Add(row.Cost)
		if s := p.sessions[d.app.homes.SessionKey(row.Root, row.Key)]; s != nil {
			s.Cost = row.Cost
		}
	}
	return r.Totals.Cost, nil
}

func (d *digest) list() []ProjectWork {
	list := []ProjectWork{}
	for _, p := range d.projects {
		p.Sessions, p.Files = []SessionWork{}, filesOf(p.files)
		for _, s := range p.sessions {
			p.Sessions = append(p.Sessions, *s)
		}
		slices.SortFunc(p.Sessions, func(a, b SessionWork) int {
			return cmp.Or(a.FirstAt.Compare(b.FirstAt.Time), strings.Compare(a.Address, b.Address))
		})
		for i := range p.Files {
			p.Files[i].Patches = nil
		}
		list = append(list, p.ProjectWork)
	}
	slices.SortFunc(list, func(a, b ProjectWork) int {
		return cmp.Or(cmp.Compare(b.Prompts, a.Prompts), cmp.Compare(b.Cost.Amount(), a.Cost.Amount()), strings.Compare(a.Project, b.Project))
	})
	return list
}
