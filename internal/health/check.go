package health

import (
	"context"
	"sync"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/check"
	"sesskeep/internal/shelf"
)

// CheckOptions choose what is checked.
type CheckOptions struct {
	Target   *catalog.Target // one session; nil: many
	Projects []string        // short names; nil: all
	Shelf    *shelf.Shelf    // whose journal and backups a full check includes; nil: the default ones
	// Progress is called with the progress of the check. It may be nil.
	Progress func(done, total int, bytes int64)
}

// CheckPage is the result of a check.
type CheckPage struct {
	Sessions []CheckedSession `json:"sessions"`     // sessions with findings or notes, or all that were asked for
	Homes    []CheckedHome    `json:"homes"`        // findings that belong to no session
	Checked  int              `json:"checkedCount"` // number of sessions checked
	Damaged  int              `json:"damagedCount"` // number of damaged sessions
	Resumes  ResumeCounts     `json:"resumes"`      // sessions by whether the client would resume them
	Bytes    int64            `json:"fileSize"`     // bytes checked
	ask.Covered
}

// ResumeCounts counts sessions by whether the client would resume them.
type ResumeCounts struct {
	Yes    int `json:"yes"`    // sessions that the client would resume completely
	Partly int `json:"partly"` // sessions that the client would resume in part
	No     int `json:"no"`     // sessions that the client would not resume
}

// CheckedSession is the result for one session.
type CheckedSession struct {
	Root string `json:"root"` // directory of the session's home
	check.Report
	Repairable bool   `json:"repairable"` // true if repair can mend at least one finding
	Suffix     string `json:"-"`          // what its address needs at the end
}

// CheckedHome has the findings beside sessions: left by clients, in the index, in
// our own stores. Its Root is empty for the stores, which belong to no home.
type CheckedHome struct {
	Root     string          `json:"root,omitempty"` // directory of the home; empty for sesskeep's own stores
	Findings []check.Finding `json:"findings"`       // damage
	Notes    []check.Finding `json:"notes"`          // harmless oddities
}

// Wrong counts the findings.
func (p *CheckPage) Wrong() int {
	n := 0
	for i := range p.Sessions {
		n += len(p.Sessions[i].Findings)
	}
	for i := range p.Homes {
		n += len(p.Homes[i].Findings)
	}
	return n
}

// One reports whether the page is about one session, or one agent, alone.
func (p *CheckPage) One() bool {
	return len(p.Sessions) == 1 && (p.Checked == 0 || p.Checked == 1 && p.Sessions[0].File != "")
}

// Check looks for damage in sessions and, if all are checked, in what is beside
// them. It changes nothing.
func (ck *Checker) Check(ctx context.Context, o CheckOptions) (CheckPage, error) {
	page := CheckPage{Sessions: []CheckedSession{}, Homes: []CheckedHome{}}
	list, err := ck.checkList(ctx, o)
	if err != nil {
		return page, err
	}
	if err := ck.checkSessions(ctx, list, o, &page); err != nil {
		return page, err
	}
	page.Covered = ask.NewCovered(ck.catalog.CoverageOfFiles())
	if o.Target != nil || o.Projects != nil {
		return page, nil
	}
	for _, h := range ck.homes.List {
		found, covered, err := ck.checkHome(ctx, h)
		if err != nil {
			return page, err
		}
		page.home(h.Store.Root(), found)
		page.Covered = ask.NewCovered(page.Coverage.Join(covered))
	}
	for _, store := range ck.ownStores(o) {
		found, err := store(ctx)
		if err != nil {
			return page, err
		}
		page.home("", found)
	}
	return page, nil
}

// home adds findings beside sessions.
func (p *CheckPage) home(root string, found []check.Finding) {
	if len(found) == 0 {
		return
	}
	one := CheckedHome{Root: root, Findings: []check.Finding{}, Notes: []check.Finding{}}
	for _, f := range found {
		if f.Code.Note() {
			one.Notes = append(one.Notes, f)
		} else {
			one.Findings = append(one.Findings, f)
		}
	}
	p.Homes = append(p.Homes, one)
}

// checkSessions checks sessions on all processors, and keeps their order.
func (ck *Checker) checkSessions(ctx context.Context, list []toCheck, o CheckOptions, page *CheckPage) error {
	reports := make([]*CheckedSession, len(list))
	var mu sync.Mutex
	done := 0
	err := onAll(ctx, len(list), func(ctx context.Context, i int) error {
		r, err := ck.checkSession(ctx, list[i])
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		lone := list[i].agent() != ""
		page.count(&r.Report, lone)
		if r.worthShowing(lone) || o.Target != nil {
			reports[i] = r
		}
		if done++; o.Progress != nil {
			o.Progress(done, len(list), page.Bytes)
		}
		return nil
	})
	for _, r := range reports {
		if r != nil {
			page.Sessions = append(page.Sessions, *r)
		}
	}
	return err
}

// worthShowing reports whether a session has findings to show. That the session of an
// agent is gone is reported elsewhere.
func (c *CheckedSession) worthShowing(lone bool) bool {
	return len(c.Findings)+len(c.Notes) > 0 || c.Verdict.Resumes != check.Yes && !lone
}

// count adds a report to the totals. An agent that lost its session does not count as
// a session.
func (p *CheckPage) count(r *check.Report, lone bool) {
	p.Bytes += r.Bytes
	if r.Damaged() {
		p.Damaged++
	}
	if lone {
		return
	}
	p.Checked++
	switch r.Verdict.Resumes {
	case check.Yes:
		p.Resumes.Yes++
	case check.Partly:
		p.Resumes.Partly++
	default:
		p.Resumes.No++
	}
}

func (ck *Checker) checkSession(ctx context.Context, c toCheck) (*CheckedSession, error) {
	r, err := check.Session(ctx, c.home.Store.With(c.home.Store.Files().Disk()), c.family, check.Options{Live: c.live, Siblings: c.siblings, Links: c.links})
	one := &CheckedSession{
		Root: c.home.Store.Root(), Report: r, Repairable: r.Repairable(),
		Suffix: ck.catalog.Suffix(c.home.Store.Root(), string(c.family.Key.Session)),
	}
	if agent := c.agent(); agent != "" {
		one.Suffix = "/" + agent + one.Suffix
	}
	return one, err
}
