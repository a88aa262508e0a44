package index

import "context"

// Call is one use of a tool.
type Call struct {
	Place  *Place
	Tool   string
	At     int64
	Failed bool
}

// Calls visits every call of a tool that matches. The copies of a call that
// forks have are left out.
func (x *Index) Calls(ctx context.Context, f Filter, visit func(c *Call)) error {
	var p unpacker
	f.Model = ""
	where, args := f.spending()
	seen := map[uint64]bool{}
	return x.places(ctx, "tally", "calls", where, args, func(place *Place, body []byte) error {
		return p.calls(body, func(c *Call, id uint64) {
			if seen[id] || !f.covers(c.At) {
				return
			}
			seen[id] = true
			c.Place = place
			visit(c)
		})
	})
}

// Figure counts the transcripts of a source in a project.
type Figure struct {
	Source      Source
	Project     string
	ProjectPath string
	Rows        int
	Prompts     int
	Messages    int
	Size        int64
}

// Figures counts the rows that match; an empty Source is all.
func (x *Index) Figures(ctx context.Context, f Filter) ([]Figure, error) {
	where, args := f.where()
	if f.Source != "" && f.Source != "all" {
		where, args = where+" AND r.source = ?", append(args, f.Source)
	}
	rows, err := x.read.QueryContext(ctx, `SELECT r.source, p.short, p.path, count(*), sum(r.prompts), sum(r.messages), sum(r.size)
		FROM row r JOIN project p ON p.id = r.project WHERE `+where+` GROUP BY r.source, p.id`, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []Figure
	for rows.Next() {
		var g Figure
		if err := rows.Scan(&g.Source, &g.Project, &g.ProjectPath, &g.Rows, &g.Prompts, &g.Messages, &g.Size); err != nil {
			return nil, err
		}
		list = append(list, g)
	}
	return list, rows.Err()
}
