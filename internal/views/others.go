package views

import (
	"context"
	"iter"

	"sesskeep/internal/sqlview"
)

// projects is the table of working directories.
func (s *source) projects() sqlview.Table {
	return sqlview.Table{
		Name: "projects", About: "A working directory with sessions, in a home.",
		Columns: []sqlview.Column{
			{Name: "project", Type: sqlview.Text, About: "short name, unique among all projects"},
			{Name: "name", Type: sqlview.Text, About: "last element of the path"},
			{Name: "path", Type: sqlview.Text, About: "working directory"},
			{Name: "dir_name", Type: sqlview.Text, About: "directory below projects/ in the home"},
			{Name: "root", Type: sqlview.Text, About: "directory of the home"},
			{Name: "repository", Type: sqlview.Text, About: "for a git worktree: the repository"},
			{Name: "sessions", Type: sqlview.Integer, About: "sessions of users that are not archived"},
			{Name: "agents", Type: sqlview.Integer, About: "agents, likewise"},
			{Name: "last_activity_at", Type: sqlview.Text, About: "time of the last line of any session"},
			{Name: "file_size", Type: sqlview.Integer, About: "bytes of all transcripts"},
		},
		Scan: func(ctx context.Context, _ sqlview.Wanted) iter.Seq2[sqlview.Row, error] {
			list, err := s.index.Projects(ctx, s.opts.Homes.Roots())
			if err != nil {
				return fail(err)
			}
			return func(yield func(sqlview.Row, error) bool) {
				for i := range list {
					p := &list[i]
					row := sqlview.Row{
						p.ID, p.Name, text(p.Path), p.DirName, p.Root, text(p.Repository), int64(p.Counts.User), int64(p.Counts.Agent),
						timeOf(p.LastActivity.Time), p.Size,
					}
					if !yield(row, nil) {
						return
					}
				}
			}
		},
	}
}

// runs is the table of clients that we started.
func (s *source) runs() sqlview.Table {
	return sqlview.Table{
		Name: "runs", About: "A client that `sesskeep run` started.",
		Columns: []sqlview.Column{
			{Name: "id", Type: sqlview.Text, About: "id of the run"},
			{Name: "session", Type: sqlview.Text, About: "session that it started or resumed"},
			{Name: "created_at", Type: sqlview.Text, About: "when it was started"},
			{Name: "ended_at", Type: sqlview.Text, About: "when it ended"},
			{Name: "state", Type: sqlview.Text, About: "what it does, or how it ended"},
			{Name: "why", Type: sqlview.Text, About: "reason for the state"},
			{Name: "title", Type: sqlview.Text, About: "start of the first message"},
			{Name: "dir", Type: sqlview.Text, About: "working directory"},
			{Name: "model", Type: sqlview.Text, About: "model"},
			{Name: "permission_mode", Type: sqlview.Text, About: "permission mode"},
			{Name: "role", Type: sqlview.Text, About: "role that its starter gave it"},
			{Name: "purpose", Type: sqlview.Text, About: "purpose that its starter gave it"},
			{Name: "started_by", Type: sqlview.Text, About: "who started it"},
		},
		Scan: func(ctx context.Context, _ sqlview.Wanted) iter.Seq2[sqlview.Row, error] {
			store, ok := s.opts.Living.Store()
			if !ok {
				return func(func(sqlview.Row, error) bool) {}
			}
			list, err := store.List(ctx)
			if err != nil && len(list) == 0 {
				return fail(err)
			}
			return func(yield func(sqlview.Row, error) bool) {
				for i := range list {
					r := &list[i]
					row := sqlview.Row{
						r.ID, text(r.SessionID), timeOf(r.CreatedAt.Time), timeOf(r.EndedAt.Time), string(r.State), text(r.Why), text(r.Title), text(r.Dir), text(r.Model),
						text(string(r.Mode)), text(r.Role), text(r.Purpose), text(r.By),
					}
					if !r.Foreign && !yield(row, nil) {
						return
					}
				}
			}
		},
	}
}

// joined are the views that are made of tables.
var joined = []sqlview.View{
	{
		Name: "file_changes", About: "A call that changed a file, or tried to: each once.",
		Select: `SELECT session, project, source, time, day, file, act, tool, failed, added, removed, branch, line, prompt_line, address
			FROM tool_calls WHERE act IN ('edit', 'write') AND file IS NOT NULL AND copied = 0`,
		Columns: []sqlview.Column{
			{Name: "session"}, {Name: "project"}, {Name: "source"}, {Name: "time"}, {Name: "day"}, {Name: "file"}, {Name: "act"}, {Name: "tool"}, {Name: "failed"},
			{Name: "added"}, {Name: "removed"}, {Name: "branch"}, {Name: "line"}, {Name: "prompt_line"}, {Name: "address"},
		},
	},
	{
		Name: "days", About: "A day on which something happened.",
		Select: `SELECT day, sum(prompts) AS prompts, sum(answers) AS answers, sum(tool_calls) AS tool_calls, sum(failed_calls) AS failed_calls,
				sum(input) AS input, sum(output) AS output, sum(cache_read) AS cache_read, sum(cache_write) AS cache_write, sum(usd) AS usd
			FROM (
				SELECT day, 0 AS prompts, count(*) AS answers, 0 AS tool_calls, 0 AS failed_calls, sum(input) AS input, sum(output) AS output,
					sum(cache_read) AS cache_read, sum(cache_write_5m + cache_write_1h) AS cache_write, sum(usd) AS usd FROM usage_by_message GROUP BY day
				UNION ALL SELECT day, count(*), 0, 0, 0, 0, 0, 0, 0, 0 FROM prompts WHERE source = 'user' GROUP BY day
				UNION ALL SELECT day, 0, 0, count(*), sum(failed), 0, 0, 0, 0, 0 FROM tool_calls WHERE copied = 0 GROUP BY day)
			GROUP BY day`,
		Columns: []sqlview.Column{
			{Name: "day", About: "day in your time zone"}, {Name: "prompts", About: "prompts of sessions, not of agents"}, {Name: "answers", About: "answers of the model"},
			{Name: "tool_calls", About: "calls of tools"}, {Name: "failed_calls", About: "calls that failed or were refused"}, {Name: "input", About: "tokens, as in `usage_by_message`"},
			{Name: "output"}, {Name: "cache_read"}, {Name: "cache_write", About: "tokens written to the cache"}, {Name: "usd", About: "cost in dollars"},
		},
	},
}
