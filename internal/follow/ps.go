package follow

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/live"
	"sesskeep/internal/money"
	"sesskeep/internal/stamp"
)

// Process is a session that a client runs, or ran and left in the middle of
// something.
type Process struct {
	Session     sesskeep.SessionID `json:"id"`
	State       live.State         `json:"state"`
	PID         int                `json:"pid,omitempty"`
	Project     string             `json:"project,omitempty"` // short name
	ProjectPath string             `json:"projectPath,omitempty"`
	Title       string             `json:"title,omitempty"`
	LastLine    string             `json:"lastLine,omitempty"` // of what was said last, how it begins
	Model       string             `json:"model,omitempty"`
	// Context is how many tokens of context the last answer had, Window how many the
	// model can have. Both are 0 before the first answer, Window also where it is
	// not known.
	Context int64       `json:"contextTokens,omitempty"`
	Window  int64       `json:"contextWindow,omitempty"`
	Cost    *money.Cost `json:"cost,omitempty"` // nil: not known yet
	Started stamp.Time  `json:"startedAt,omitzero"`
	Version string      `json:"clientVersion,omitempty"`
	Kind    string      `json:"clientKind,omitempty"`
	Agents  int         `json:"agentCount"` // that were at work lately
	Root    string      `json:"root"`
	Machine string      `json:"machine,omitempty"` // app fills it in
	File    string      `json:"file,omitempty"`
	Run     string      `json:"runId,omitempty"` // the run of ours that it is; app fills it in
	Suffix  string      `json:"-"`               // what its address needs at the end; app fills it in
}

// ProcessPage is a list of processes.
type ProcessPage struct {
	Sessions []Process `json:"sessions"`
	Total    int       `json:"total"`
}

// Ended is the process of a session that is over, for callers that showed it
// while it ran.
func Ended(root, id string) Process {
	return Process{Session: sesskeep.SessionID(id), Root: root, State: live.State{Word: live.Ended}}
}

// PsOptions say which processes are listed.
type PsOptions struct {
	Now      func() time.Time // nil: the machine's clock
	Projects []ask.Project    // nil: all
	// Left lists sessions too whose client went away in the middle of something,
	// less than a day ago.
	Left   bool
	Prices *money.Prices
}

// leftSince is how long a session that was left counts.
const leftSince = 24 * time.Hour

// Ps lists the sessions that clients run, the most urgent first.
func Ps(ctx context.Context, s *Sources, o PsOptions) (ProcessPage, error) {
	o.Now = clock(o.Now)
	return newPs(s, o, func() ([]live.Session, error) {
		now, err := live.Now(s.hub(o.Now))
		return now.Sessions(), err
	}).list(ctx)
}

// PsWatch gives the list at once and after every change, until ctx ends or give
// returns an error.
func PsWatch(ctx context.Context, s *Sources, o PsOptions, give func(ProcessPage) error) error {
	o.Now = clock(o.Now)
	return s.withHub(ctx, o.Now, func(ctx context.Context, hub *live.Hub) error {
		p := newPs(s, o, func() ([]live.Session, error) { return hub.Sessions(), nil })
		for {
			sub := hub.Subscribe(live.Interest{Ranges: true})
			err := p.follow(ctx, sub, give)
			sub.Close()
			if err != nil {
				return err
			}
		}
	})
}

// ps is a listing of processes. It remembers what reading costs.
type ps struct {
	src   *Sources
	o     PsOptions
	seen  func() ([]live.Session, error)
	names *names
	said  map[live.File]lastSaid // of the sessions listed
	was   map[live.File]lastSaid // of those listed before
	costs map[sesskeep.Key]money.SessionCost
	asked time.Time // when costs were
}

func newPs(src *Sources, o PsOptions, seen func() ([]live.Session, error)) *ps {
	return &ps{src: src, o: o, seen: seen, names: newNames(src), said: map[live.File]lastSaid{}}
}

// calm is how long changes are gathered before the list is made again.
const calm = 100 * time.Millisecond

// follow lists whenever something happened. It returns nil when the Hub gave up
// on us, to be asked again.
func (p *ps) follow(ctx context.Context, sub *live.Subscription, give func(ProcessPage) error) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	due := true
	for {
		select {
		case _, ok := <-sub.Events():
			if !ok {
				return ctx.Err()
			}
			if !due {
				due = true
				timer.Reset(calm)
			}
		case <-timer.C:
			due = false
			page, err := p.list(ctx)
			if err == nil {
				err = give(page)
			}
			if err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (p *ps) list(ctx context.Context) (ProcessPage, error) {
	sessions, err := p.seen()
	if err != nil {
		return ProcessPage{}, err
	}
	// One that is only written by somebody is left out: without a Hub it takes a
	// read every transcript to find it.
	sessions = slices.DeleteFunc(sessions, func(s live.Session) bool {
		return !s.State.Runs() || s.Run == "" && (s.Client == nil || !s.Client.Alive)
	})
	p.was, p.said = p.said, map[live.File]lastSaid{}
	p.keep(sessions)
	if len(sessions) > 0 {
		p.price(ctx, sessions)
		if p.names.index == nil {
			p.names.load(ctx)
		}
	}
	page := ProcessPage{Sessions: []Process{}}
	for i := range sessions {
		s := &sessions[i]
		p.names.registered(s)
		if p.names.within(p.o.Projects, s.Key, s.File) {
			page.Sessions = append(page.Sessions, p.process(ctx, s))
		}
	}
	if p.o.Left {
		left, err := p.left(ctx)
		if err != nil {
			return page, err
		}
		page.Sessions = append(page.Sessions, left...)
	}
	slices.SortStableFunc(page.Sessions, func(a, b Process) int {
		return cmp.Or(urgency(a.State.Word)-urgency(b.State.Word), b.State.Since.Compare(a.State.Since))
	})
	page.Total = len(page.Sessions)
	return page, ctx.Err()
}

func urgency(w live.Word) int { return slices.Index(live.Words, w) }

func (p *ps) process(ctx context.Context, s *live.Session) Process {
	m := Event{Root: s.Root, Key: s.Key, File: s.File}
	p.names.fill(&m)
	out := Process{
		Session: s.Key.Session, State: s.State, PID: s.State.PID, Root: s.Root, File: s.File,
		Project: m.Project, ProjectPath: m.ProjectPath, Title: p.names.of(s.Key).title,
	}
	if c := s.Client; c != nil {
		out.Started, out.Version, out.Kind = stamp.Time{Time: c.Started}, c.Version, c.Kind
	}
	if c, ok := p.costs[s.Key]; ok {
		total := c.Total().Cost
		out.Cost = &total
	}
	for _, a := range s.Agents {
		if !a.Finished && !a.ID.Helper() && p.o.Now().Sub(a.Written) < lately {
			out.Agents++
		}
	}
	p.fill(ctx, &out, s.Written)
	out.Title = cmp.Or(out.Title, m.Title) // the client's own name for it, after its directory
	return out
}

// lately is how long ago an agent was at work that counts.
const lately = 10 * time.Minute

// keep forgets what sessions are called that run no more.
func (p *ps) keep(sessions []live.Session) {
	ids := map[sesskeep.Key]bool{}
	for i := range sessions {
		ids[sessions[i].Key] = true
	}
	maps.DeleteFunc(p.names.sessions, func(id sesskeep.Key, _ *name) bool { return !ids[id] })
}

// fill adds what only the end of the transcript says.
func (p *ps) fill(ctx context.Context, out *Process, written time.Time) {
	file := live.File{Root: out.Root, Name: out.File}
	last, ok := p.was[file]
	if store := p.src.store(out.Root); store != nil && out.File != "" {
		if !ok || !last.written.Equal(written) {
			last = readLast(ctx, store, out.File)
			last.written = written
		}
		p.said[file] = last
	}
	out.LastLine, out.Model, out.Context, out.Window = last.text, last.model, last.context, p.src.window(out.Root, out.Session, &last)
	if out.Title == "" {
		out.Title = last.prompt
	}
}

// left are the sessions whose client went away, as the index knows them.
func (p *ps) left(ctx context.Context) ([]Process, error) {
	now := p.o.Now()
	f := ask.Filter{States: []string{string(live.Unclean)}, Since: now.Add(-leftSince), Now: now}
	for i := range p.o.Projects {
		f.Projects = append(f.Projects, p.o.Projects[i].ID)
	}
	rows, err := p.src.Rows(ctx, f)
	var list []Process
	for i := range rows {
		r := &rows[i].Row
		out := Process{
			Session: r.Ref.Session, Root: r.Root, File: r.Ref.File, Project: r.Project, ProjectPath: r.ProjectPath,
			Title: cmp.Or(r.Title, r.LastUserMessage), Version: r.ClientVersion,
			State: rows[i].State,
		}
		p.fill(ctx, &out, r.Ref.Modtime)
		list = append(list, out)
	}
	return list, err
}

// pricesHold is how long costs are shown before they are asked for again.
const pricesHold = 10 * time.Second

// price asks what sessions cost. Where the index is not up to date by now, that
// stays unknown.
func (p *ps) price(ctx context.Context, sessions []live.Session) {
	now := p.o.Now()
	if p.o.Prices == nil || !p.asked.IsZero() && now.Sub(p.asked) < pricesHold {
		return
	}
	p.asked = now
	ids := make([]string, len(sessions))
	for i := range sessions {
		ids[i] = string(sessions[i].Key.Session)
	}
	if costs, ok := p.src.Costs(ctx, ids, p.o.Prices); ok {
		p.costs = costs
	}
}
