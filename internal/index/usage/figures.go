package usage

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"sesskeep/internal/ask"
	"sesskeep/internal/index/calls"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/row"
)

// Calls visits every call of a tool that matches. Of the copies that forks have
// it visits one, which failed if any of them did: a copy can lack the result.
func (r *Reporter) Calls(ctx context.Context, wanted ask.Filter, visit func(c *ask.Call)) error {
	f := filter{row.Filter{Filter: wanted}}
	var reader calls.Reader
	f.Model = ""
	where, args := f.spending()
	var list []ask.Call
	seen := map[uint64]int{}
	err := r.db.View(ctx, func(tx *sql.Tx) error {
		return locations(ctx, tx, callRows, "body", where, args, func(location *ask.Location, body []byte) error {
			return reader.Each(body, func(c *calls.Call) {
				if !c.Counted {
					return
				}
				if at, ok := seen[c.ID]; ok {
					list[at].Failed = list[at].Failed || c.Failed
					return
				}
				if f.covers(c.Time) {
					seen[c.ID] = len(list)
					list = append(list, ask.Call{Location: location, Tool: c.Tool, At: c.Time, Failed: c.Failed})
				}
			})
		})
	})
	for i := range list {
		visit(&list[i])
	}
	return err
}

// callRows are the pieces of calls with their rows.
var callRows = fmt.Sprintf("call s JOIN row r ON r.file = s.id >> %d", db.PieceBits)

// Figures counts the rows that match; an empty Source is all. Between Since and
// Until it counts the prompts and messages of that time.
func (r *Reporter) Figures(ctx context.Context, wanted ask.Filter) ([]ask.Figure, error) {
	f := row.Filter{Filter: wanted}
	where, args := f.Where()
	if f.Source == "" {
		f.Source = "all"
	}
	shown, shownArgs := f.Shows("r.source")
	where, args = where+" AND "+shown, append(args, shownArgs...)
	prompts, messages := "r.prompts", "r.messages"
	if since, until, yes := f.Span(); yes {
		var counted, also []any
		prompts, counted = row.LinesWithin(row.PromptLine, since, until)
		messages, also = row.LinesWithin(row.MessageLine, since, until)
		args = slices.Concat(counted, also, args)
	}
	rows, err := r.db.QueryContext(ctx, `SELECT r.source, p.short, p.path, count(*), sum(`+prompts+`), sum(`+messages+`), sum(r.size)
		FROM row r JOIN project p ON p.id = r.project WHERE `+where+` GROUP BY r.source, p.id`, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []ask.Figure
	for rows.Next() {
		var g ask.Figure
		if err := rows.Scan(&g.Source, &g.Project, &g.ProjectPath, &g.Rows, &g.Prompts, &g.Messages, &g.Size); err != nil {
			return nil, err
		}
		list = append(list, g)
	}
	return list, rows.Err()
}
