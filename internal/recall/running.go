package recall

import (
	"context"
	"fmt"

	"sesskeep/internal/follow"
	"sesskeep/internal/stamp"
)

// RunningQuestion asks what runs now.
type RunningQuestion struct{ Paging }

// Running lists the sessions that clients run, the most urgent first.
func (r *Recall) Running(ctx context.Context, who Caller, q RunningQuestion) (Answer, error) {
	at, err := q.position("running")
	if err != nil {
		return Answer{}, err
	}
	a, s, err := r.prepare(ctx, who, "running_sessions", &q.Paging)
	if err != nil || s.empty() {
		return r.nothing(a), err
	}
	page, err := r.Live.Ps(ctx, follow.PsOptions{Now: r.Now, Projects: s.projects, Prices: r.Prices})
	if err != nil {
		return Answer{}, err
	}
	a.say("%s of running clients %s", plural(page.Total, "session"), s.words())
	list, err := r.Catalog.Snapshot(ctx)
	if err != nil {
		return Answer{}, err
	}
	c := list.Coverage
	if r.Live.Unread() != nil {
		c.Complete = false
	}
	a.cover(c)
	next := a.list(at, len(page.Sessions), "", func(i int) []string { return a.describeRunning(&page.Sessions[i]) })
	return a.finish(next), nil
}

// describeRunning returns the lines that describe a running session.
func (a *answer) describeRunning(p *follow.Process) []string {
	state := string(p.State.Word)
	if !p.State.Since.IsZero() {
		state += " since " + a.date(stamp.Time{Time: p.State.Since})
	}
	lines := []string{fmt.Sprintf("%s %s [%s] %s", state, address(string(p.Session), "", "", p.Suffix), a.line(p.Project), cut(a.label(p.Title), 160))}
	if p.State.Waiting != "" {
		lines = append(lines, "  waits for: "+cut(a.line(p.State.Waiting), 200))
	}
	if p.LastLine != "" {
		lines = append(lines, "  last: "+cut(a.label(p.LastLine), 240))
	}
	return lines
}
