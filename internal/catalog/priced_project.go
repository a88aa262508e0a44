package catalog

import (
	"context"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/money"
	"sesskeep/internal/paging"
)

// PricedProject is a project with what was used in it lately.
type PricedProject struct {
	ask.Project
	Usage30d sesskeep.Usage `json:"usage30d" doc:"Tokens of the last 30 days, agents included"`
	Cost30d  money.Cost     `json:"cost30d" doc:"Cost of these tokens"`
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
	page := PricedProjectPage{Total: list.Total, HasMore: list.HasMore, Next: list.Next, Behind: list.AtLeast, Hidden: map[string]int{}, Covered: list.Covered}
	if page.Projects, err = c.priceProjects(ctx, list.Projects, prices, now); err != nil {
		return page, err
	}
	for i := range list.Projects {
		if n := list.Projects[i].Counts.Archived; n > 0 {
			page.Hidden["archived"] += n
		}
	}
	return page, nil
}

// ProjectPriced is Project with what was used in it lately.
func (c *Snapshot) ProjectPriced(ctx context.Context, id string, prices *money.Prices, now time.Time) (PricedProject, error) {
	p, err := c.Project(ctx, id)
	if err != nil {
		return PricedProject{}, err
	}
	list, err := c.priceProjects(ctx, []ask.Project{p}, prices, now)
	if err != nil {
		return PricedProject{}, err
	}
	return list[0], nil
}

func (c *Snapshot) priceProjects(ctx context.Context, list []ask.Project, prices *money.Prices, now time.Time) ([]PricedProject, error) {
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].ID
	}
	report, err := c.catalog.Usage(ctx, money.UsageOptions{
		By: "project", Prices: prices, Now: now, Filter: ask.Filter{Projects: ids, Since: now.Add(-lately)},
	})
	if err != nil {
		return nil, err
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
		priced[i] = PricedProject{p, used.Usage, used.Cost}
	}
	return priced, nil
}
