package views

import (
	"context"
	"fmt"
	"iter"
	"time"

	"sesskeep"
	"sesskeep/internal/catalog"
	"sesskeep/internal/index"
	"sesskeep/internal/sqlview"
)

// toolCalls is the table of calls of tools.
func (s *source) toolCalls() sqlview.Table {
	return sqlview.Table{
		Name: "tool_calls", Columns: callColumns, Scan: s.scanCalls,
		About: "A call of a tool with its result. Forks have copies of the calls before them: `copied` is 1 for all but one of equal `call_id`.",
	}
}

var callColumns = []sqlview.Column{
	{Name: "session", Type: sqlview.Text, About: "`id` in `sessions`; of an agent its own"},
	{Name: "project", Type: sqlview.Text, About: "short name of the project"},
	{Name: "source", Type: sqlview.Text, About: "`source` of the session"},
	{Name: "time", Type: sqlview.Text, About: "when it was called, in UTC"},
	{Name: "day", Type: sqlview.Text, About: "its day in your time zone"},
	{Name: "tool", Type: sqlview.Text, About: "name of the tool"},
	{Name: "file", Type: sqlview.Text, About: "file that the call names"},
	{Name: "act", Type: sqlview.Text, About: "what the tool does to the file: edit, write or read"},
	{Name: "failed", Type: sqlview.Integer, About: "1 if the tool failed or was refused"},
	{Name: "answered", Type: sqlview.Integer, About: "1 if there is a result"},
	{Name: "duration_ms", Type: sqlview.Integer, About: "milliseconds until the result, with the time that a question to you was open"},
	{Name: "added", Type: sqlview.Integer, About: "lines that were added to the file; NULL: the result does not say"},
	{Name: "removed", Type: sqlview.Integer, About: "lines that were removed from the file"},
	{Name: "branch", Type: sqlview.Text, About: "git branch"},
	{Name: "line", Type: sqlview.Integer, About: "number of the line of the call in its file"},
	{Name: "result_line", Type: sqlview.Integer, About: "number of the line of the result"},
	{Name: "prompt_line", Type: sqlview.Integer, About: "number of the line of the prompt that led to it"},
	{Name: "call_id", Type: sqlview.Text, About: "names the call: copies have the same"},
	{Name: "copied", Type: sqlview.Integer, About: "1 if another row has the same call and comes first"},
	{Name: "input", Type: sqlview.Text, About: "arguments as JSON, for `json_extract`. From the transcript"},
	{Name: "output", Type: sqlview.Text, About: "text of the result. From the transcript"},
	{Name: "address", Type: sqlview.Text, About: "address of the message with the call. From the transcript"},
}

// scanCalls yields the calls of transcripts, those that can be copies last.
func (s *source) scanCalls(ctx context.Context, _ sqlview.Wanted) iter.Seq2[sqlview.Row, error] {
	if _, err := s.list(ctx); err != nil {
		return fail(err)
	}
	seen := map[uint64]bool{}
	return stream(func(give func(sqlview.Row) error) error {
		for _, copies := range []bool{false, true} {
			err := s.index.EachCall(ctx, nil, func(root, file string, c *index.Call) error {
				r := s.row(root, file)
				if r == nil || !c.Counted || rank(r) > 0 != copies {
					return nil
				}
				copied := seen[c.ID]
				seen[c.ID] = true
				return give(s.callRow(r, *c, copied))
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *source) callRow(r *catalog.Session, c index.Call, copied bool) sqlview.Row {
	at := time.UnixMilli(c.Time)
	line := func(l index.CallLine) func() (*sesskeep.Entry, error) {
		return func() (*sesskeep.Entry, error) { return s.callLine(r, l.Number, l.Offset, l.Length) }
	}
	row := sqlview.Row{
		r.ID, text(r.Project), string(r.Source), timeOf(at), s.day(at), c.Tool, text(c.File), text(index.ActOf(c.Tool)), number(c.Failed), number(c.Answered),
		nil, nil, nil, text(c.Branch), lineNumber(c.Line), lineNumber(c.Result), lineNumber(c.Prompt), fmt.Sprintf("%016x", c.ID), number(copied),
		inputOf(c.ID, line(c.Line)), outputOf(c.ID, line(c.Result)), addressOf(r, line(c.Line)),
	}
	if c.Answered {
		row[10] = c.Took
	}
	if c.Measured {
		row[11], row[12] = c.Added, c.Removed
	}
	return row
}

func lineNumber(l index.CallLine) any {
	if l.Number == 0 {
		return nil
	}
	return int64(l.Number)
}

// inputOf is what a call was given, from its line.
func inputOf(id uint64, line func() (*sesskeep.Entry, error)) sqlview.Late {
	return func() (any, error) {
		e, err := line()
		if err != nil || e == nil {
			return nil, err
		}
		for _, b := range e.Blocks() {
			if b.Kind != sesskeep.BlockToolResult && b.ID != "" && index.LineID(b.ID) == id {
				return text(string(b.Input)), nil
			}
		}
		return nil, nil
	}
}

// outputOf is what a call was answered, from the line of its result.
func outputOf(id uint64, line func() (*sesskeep.Entry, error)) sqlview.Late {
	return func() (any, error) {
		e, err := line()
		if err != nil || e == nil {
			return nil, err
		}
		for _, b := range e.Blocks() {
			if b.Kind != sesskeep.BlockToolResult || index.LineID(b.ID) != id {
				continue
			}
			out := ""
			for _, part := range b.Content {
				out += part.Text
			}
			return text(out), nil
		}
		return nil, nil
	}
}
