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
	"sesskeep/internal/stamp"
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
	ask.Covered
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
	Projects     []string // short names; nil: all
	Zone         *time.Location
	Prices       *money.Prices
}

// Work summarises what was done between two times.
func (tk *Talk) Work(ctx context.Context, o WorkOptions) (Work, error) {
	w := Work{Since: stamp.Time{Time: o.Since}, Until: stamp.Time{Time: o.Until}, Zone: o.Zone.String()}
	filter := ask.Filter{Source: "all", Projects: o.Projects, Since: o.Since, Until: o.Until, Sort: "-created"}
	page, err := tk.catalog.List(ctx, filter)
	if err != nil {
		return w, err
	}
	d := digest{app: tk, since: o.Since, until: o.Until, projects: map[string]*projectDigest{}, lines: seenLines{}, calls: seenLines{}}
	known, err := d.ask(ctx)
	if err != nil {
		return w, err
	}
	slices.SortStableFunc(page.Sessions, originalsFirst)
	for i := range page.Sessions {
		if err := d.add(ctx, &page.Sessions[i]); err != nil {
			return w, err
		}
	}
	filter.Sort = ""
	var priced ask.Coverage
	if w.Cost, priced, err = d.price(ctx, filter, o); err != nil {
		return w, err
	}
	w.Covered = ask.NewCovered(page.Coverage.Join(known).Join(priced))
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
	known        map[location]*knownWork
	lines, calls seenLines // by uuid, and by the ids of calls
}

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

// addSession adds a session that a person talked to: when the lines were written, and the
// prompts among them.
func (p *projectDigest) addSession(r *catalog.Session, times []time.Time, prompts []string) {
	w := &SessionWork{ID: r.ID, Title: catalog.NameOf(r), Address: r.Address(), Prompts: prompts, Cost: money.Cost{UnpricedModels: []string{}}}
	if r.Key != (sesskeep.Key{}) {
		w.Key = r.Key.String()
	}
	for _, at := range times {
		w.see(at)
	}
	p.sessions[r.Key] = w
	p.Prompts += len(prompts)
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
func (d *digest) price(ctx context.Context, f ask.Filter, o WorkOptions) (money.Cost, ask.Coverage, error) {
	r, err := d.app.catalog.Reports.Usage(ctx, money.UsageOptions{By: "session", Filter: f, Zone: o.Zone, Prices: o.Prices})
	if err != nil {
		return money.Cost{}, r.Coverage, err
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		p := d.project(row.Project, row.ProjectPath)
		p.Cost = p.Cost.Add(row.Cost)
		if s := p.sessions[d.app.homes.SessionKey(row.Root, row.Key)]; s != nil {
			s.Cost = row.Cost
		}
	}
	return r.Totals.Cost, r.Coverage, nil
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
