package catalog

import (
	"cmp"
	"context"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/money"
	"sesskeep/internal/paging"
)

// PricedProject is a project as programs see it, with what was used in it lately. Path
// and SessionCount stand for those of the Project.
type PricedProject struct {
	ask.Project
	Path         string         `json:"path" doc:"Working directory; the name of its directory below projects/ while no session says where it worked"`
	SessionCount int            `json:"sessionCount" doc:"Rows that are not archived, as the list of the path with a dash for every slash has them: those of all projects with that form together"`
	Usage30d     sesskeep.Usage `json:"usage30d" doc:"Tokens of the last 30 days, agents included"`
	Cost30d      money.Cost     `json:"cost30d" doc:"Cost of these tokens"`
}

// PricedProjectPage is a page of projects.
type PricedProjectPage struct {
	Projects []PricedProject `json:"projects" doc:"Most recently active first"`
	Total    int             `json:"total" doc:"Number of projects on all pages"`
	HasMore  bool            `json:"hasMore" doc:"True if there are more pages"`
	Next     string          `json:"next,omitempty" doc:"Cursor of the next page"`
	Behind   bool            `json:"behind,omitempty" doc:"True while the index has not read everything: there may be more"`
	Hidden   map[string]int  `json:"hidden" doc:"Archived sessions of these projects, which sessionCount leaves out"`
	ask.Covered
}

// lately is how far back a PricedProject looks.
const lately = 30 * 24 * time.Hour

// ListProjectsPriced is ListProjects with what was used in each project lately.
func (c *Snapshot) ListProjectsPriced(ctx context.Context, s paging.Slice, prices *money.Prices, now time.Time) (PricedProjectPage, error) {
	list, err := c.ListProjects(ctx, s)
	if err != nil {
		return PricedProjectPage{}, err
	}
	page := PricedProjectPage{Total: list.Total, HasMore: list.HasMore, Next: list.Next, Hidden: map[string]int{}}
	var covered ask.Coverage
	if page.Projects, covered, err = c.priceProjects(ctx, list.Projects, prices, now); err != nil {
		return page, err
	}
	page.Covered = ask.NewCovered(list.Coverage.Join(covered))
	page.Behind = page.AtLeast
	for i := range list.Projects {
		if n := list.Projects[i].Counts.Archived; n > 0 {
			page.Hidden["archived"] += n
		}
	}
	return page, nil
}

// OnePricedProject is a project with what was used in it lately.
type OnePricedProject struct {
	PricedProject
	ask.Covered
}

// ProjectPriced is Project with what was used in it lately.
func (c *Snapshot) ProjectPriced(ctx context.Context, id string, prices *money.Prices, now time.Time) (OnePricedProject, error) {
	p, err := c.Project(ctx, id)
	if err != nil {
		return OnePricedProject{}, err
	}
	list, covered, err := c.priceProjects(ctx, []ask.Project{p.Project}, prices, now)
	if err != nil {
		return OnePricedProject{}, err
	}
	return OnePricedProject{list[0], ask.NewCovered(p.Coverage.Join(covered))}, nil
}

func (c *Snapshot) priceProjects(ctx context.Context, list []ask.Project, prices *money.Prices, now time.Time) ([]PricedProject, ask.Coverage, error) {
	all, covered, err := c.projects(ctx)
	if err != nil {
		return nil, covered, err
	}
	counts := map[string]int{}
	for i := range all {
		counts[all[i].ID] = all[i].SessionCount
	}
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].ID
	}
	report, err := c.catalog.Reports.Usage(ctx, money.UsageOptions{
		By: "project", Prices: prices, Now: now, Filter: ask.Filter{Projects: ids, Since: now.Truncate(time.Minute).Add(-lately)},
	})
	if err != nil {
		return nil, report.Coverage, err
	}
	spent := map[string]money.Spending{}
	for i := range report.Rows {
		spent[report.Rows[i].Key] = report.Rows[i].Spending
	}
	priced := make([]PricedProject, len(list))
	for i, p := range list {
		used, ok := spent[p.ID]
		if !ok {
			used = money.Nothing()
		}
		priced[i] = PricedProject{p, cmp.Or(p.Path, p.DirName), c.countDashed(&p, counts), used.Usage, used.Cost}
	}
	return priced, covered.Join(report.Coverage), nil
}

// countDashed counts the sessions of all projects that the dashed form of a path means:
// clients of cli-bridge can ask for no less. Counts are those of each project.
func (c *Snapshot) countDashed(p *ask.Project, counts map[string]int) (n int) {
	same, err := c.ProjectsNamed(cmp.Or(dashed(p.Path), p.DirName))
	if err != nil { // several directories: there is no list of them
		return p.SessionCount
	}
	for i := range same {
		n += counts[same[i].ID]
	}
	return n
}
