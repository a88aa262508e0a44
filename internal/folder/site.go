package folder

import (
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"

	"sesskeep/internal/catalog"
	"sesskeep/internal/export/page"
	"sesskeep/internal/price"
)

// facts are what the list of a site shows of a session.
type facts struct {
	Title   string       `json:"title"`
	Project string       `json:"project,omitempty"`
	Branch  string       `json:"branch,omitempty"`
	Active  string       `json:"active"` // day and time, in UTC
	Prompts int          `json:"prompts"`
	Cost    price.Amount `json:"cost"` // cost of the session and its agents
}

func (p *pass) facts(s *catalog.Session) *facts {
	f := &facts{
		Title: p.redacted(s.Title), Project: p.redacted(s.ProjectPath), Branch: p.redacted(s.GitBranch),
		Active: s.LastActivityAt.UTC().Format("2006-01-02 15:04"), Prompts: s.PromptCount,
	}
	if s.Cost != nil {
		f.Cost = s.Cost.Amount()
	}
	if s.Agents != nil {
		f.Cost += s.Agents.Cost.Amount()
	}
	return f
}

// site writes index.html: the sessions, most recently active first, their costs by project
// and by month, and a search over their words that needs no server.
func (p *pass) site() error {
	var list []entry
	for _, e := range p.list.Sessions {
		if e.Facts != nil {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.Facts.Active, a.Facts.Active), cmp.Compare(a.File, b.File))
	})
	return replace(p.root, "index.html", func(f *os.File) error {
		_, err := f.Write(index(list))
		return err
	})
}

// index returns the page that lists the sessions of a site.
func index(list []entry) []byte {
	var rows []page.SiteRow
	projects, months := map[string]price.Amount{}, map[string]price.Amount{}
	words := map[string][]int{}
	for i, e := range list {
		f := e.Facts
		rows = append(rows, page.SiteRow{
			File: e.File, Title: cmp.Or(f.Title, "(no prompt)"), Project: f.Project, Branch: f.Branch, Active: f.Active, Prompts: f.Prompts, Cost: f.Cost.String(),
		})
		projects[f.Project] += f.Cost
		months[f.Active[:min(7, len(f.Active))]] += f.Cost
		for word := range strings.FieldsSeq(e.Words) {
			words[word] = append(words[word], i)
		}
	}
	data, err := json.Marshal(words) // strings and numbers: it cannot fail
	if err != nil {
		data = []byte("{}")
	}
	return page.Site(rows, sums(projects), sums(months), data)
}

// sums returns amounts sorted by name.
func sums(amounts map[string]price.Amount) (list []page.SiteSum) {
	for _, name := range slices.Sorted(maps.Keys(amounts)) {
		list = append(list, page.SiteSum{Name: cmp.Or(name, "(no project)"), Cost: amounts[name].String()})
	}
	return list
}
