package views

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/index"
	"sesskeep/internal/reading"
	"sesskeep/internal/sqlview"
)

// lineColumns are those of every line of a conversation. The last ones are read from its
// transcript.
func lineColumns() []sqlview.Column {
	return []sqlview.Column{
		{Name: "session", Type: sqlview.Text, Narrows: true, About: "`id` in `sessions`; of an agent its own"},
		{Name: "project", Type: sqlview.Text, About: "short name of the project"},
		{Name: "source", Type: sqlview.Text, About: "`source` of the session"},
		{Name: "time", Type: sqlview.Text, About: "when the line was written, in UTC"},
		{Name: "day", Type: sqlview.Text, About: "its day in your time zone"},
		{Name: "text", Type: sqlview.Text, About: "what was said. From the transcript"},
		{Name: "uuid", Type: sqlview.Text, About: "id of the line. From the transcript"},
		{Name: "line", Type: sqlview.Integer, About: "number of the line in its file. From the transcript"},
		{Name: "address", Type: sqlview.Text, About: "address of the message for `sesskeep show`. From the transcript"},
	}
}

// prompts is the table of prompts.
func (s *source) prompts() sqlview.Table {
	t := sqlview.Table{Name: "prompts", About: "A prompt. The first one of an agent is what its session asked it to do. A fork has copies of the prompts before it.", Columns: lineColumns()}
	t.Scan = s.scanLines(len(t.Columns), func(l index.LineTime) bool { return l.Prompt }, nil)
	return t
}

// messages is the table of what was said.
func (s *source) messages() sqlview.Table {
	t := sqlview.Table{
		Name:    "messages",
		About:   "A line of the user or of the model: prompts, results of tools, and the parts of answers; several parts can belong to one answer (`message`).",
		Columns: append(lineColumns(), messageColumns...),
	}
	t.Scan = s.scanLines(len(t.Columns), func(l index.LineTime) bool { return l.Message }, func(row sqlview.Row, e func() (*sesskeep.Entry, error)) sqlview.Row {
		of := func(value func(*sesskeep.Entry) any) sqlview.Late {
			return func() (any, error) {
				entry, err := e()
				if err != nil || entry == nil {
					return nil, err
				}
				return value(entry), nil
			}
		}
		return append(row, of(roleOf), of(modelOf), of(messageOf), of(thinkingOf), of(rawOf))
	})
	return t
}

var messageColumns = []sqlview.Column{
	{Name: "role", Type: sqlview.Text, About: "user or assistant. From the transcript"},
	{Name: "model", Type: sqlview.Text, About: "model that answered. From the transcript"},
	{Name: "message", Type: sqlview.Text, About: "id of the answer. From the transcript"},
	{Name: "thinking", Type: sqlview.Text, About: "thinking in it. From the transcript"},
	{Name: "raw", Type: sqlview.Text, About: "the line as the client wrote it: JSON, for `json_extract`. From the transcript"},
}

// scanLines yields the lines that are wanted.
func (s *source) scanLines(columns int, is func(index.LineTime) bool, more func(sqlview.Row, func() (*sesskeep.Entry, error)) sqlview.Row) func(context.Context, sqlview.Wanted) iter.Seq2[sqlview.Row, error] {
	return func(ctx context.Context, w sqlview.Wanted) iter.Seq2[sqlview.Row, error] {
		if _, err := s.list(ctx); err != nil {
			return fail(err)
		}
		var ids []string
		if id, ok := w.Is("session"); ok {
			ids = []string{id}
		}
		return stream(func(give func(sqlview.Row) error) error {
			return s.index.EachTimes(ctx, ids, func(root, file string, times []index.LineTime) error {
				r := s.row(root, file)
				if r == nil {
					return nil
				}
				for i, l := range times {
					if !is(l) {
						continue
					}
					line := func() (*sesskeep.Entry, error) { return s.line(ctx, r, i, l) }
					row := make(sqlview.Row, 0, columns)
					row = append(row, r.ID, text(r.Project), string(r.Source), timeOf(l.Time), s.day(l.Time), textOf(line), uuidOf(line), numberOf(line), addressOf(r, line))
					if more != nil {
						row = more(row, line)
					}
					if err := give(row); err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
}

func textOf(line func() (*sesskeep.Entry, error)) sqlview.Late {
	return func() (any, error) {
		e, err := line()
		if err != nil || e == nil {
			return nil, err
		}
		return textIn(e), nil
	}
}

// textIn is the text of a line: all its blocks of text.
func textIn(e *sesskeep.Entry) any {
	var parts []string
	for _, b := range e.Blocks() {
		if b.Kind == sesskeep.BlockText && b.Text != "" {
			parts = append(parts, b.Text)
		}
	}
	return text(strings.Join(parts, "\n"))
}

func uuidOf(line func() (*sesskeep.Entry, error)) sqlview.Late {
	return func() (any, error) {
		e, err := line()
		if err != nil || e == nil {
			return nil, err
		}
		return text(e.UUID), nil
	}
}

func numberOf(line func() (*sesskeep.Entry, error)) sqlview.Late {
	return func() (any, error) {
		e, err := line()
		if err != nil || e == nil {
			return nil, err
		}
		return int64(e.Line), nil
	}
}

func addressOf(r *catalog.Session, line func() (*sesskeep.Entry, error)) sqlview.Late {
	return func() (any, error) {
		e, err := line()
		if err != nil || e == nil || e.UUID == "" {
			return nil, err
		}
		return AddressOf(r, e.UUID), nil
	}
}

// AddressOf is the address of a line of a transcript.
func AddressOf(r *catalog.Session, uuid string) string {
	address := r.ID
	if r.IsAgent && r.ParentSessionID != "" {
		address = r.ParentSessionID + "/" + r.AgentID
	}
	if uuid != "" {
		address += "#" + uuid
	}
	return address + r.Suffix()
}

func roleOf(e *sesskeep.Entry) any { return string(e.Kind) }

func modelOf(e *sesskeep.Entry) any {
	if e.Message == nil {
		return nil
	}
	return text(e.Message.Model)
}

func messageOf(e *sesskeep.Entry) any {
	if e.Message == nil {
		return nil
	}
	return text(e.Message.ID)
}

func thinkingOf(e *sesskeep.Entry) any {
	var parts []string
	for _, b := range e.Blocks() {
		if b.Kind == sesskeep.BlockThinking && b.Text != "" {
			parts = append(parts, b.Text)
		}
	}
	return text(strings.Join(parts, "\n"))
}

func rawOf(e *sesskeep.Entry) any { return strings.ToValidUTF8(string(e.Raw), "�") }

// lines are the lines of one transcript, for columns that are read from it.
type lines struct {
	at      location
	session *reading.Session
	timed   []int // the lines of its chain that have a time
	last    int   // that was decoded
	entry   *sesskeep.Entry
}

// line reads line i of those of a transcript that have a time. A line that is no longer what
// the index knows has no text, and neither have those of a transcript that cannot be read.
func (s *source) line(ctx context.Context, r *catalog.Session, i int, is index.LineTime) (*sesskeep.Entry, error) {
	l, err := s.linesOf(ctx, r)
	if err != nil || l == nil {
		return nil, err
	}
	if l.last == i && l.entry != nil {
		return l.entry, nil
	}
	chain := l.session.Transcript.Digest.Chain
	if i >= len(l.timed) || !chain[l.timed[i]].When().Equal(is.Time) {
		s.miss(r, "it was rewritten meanwhile")
		return nil, nil
	}
	e, err := l.session.Transcript.Entry(l.timed[i])
	if err != nil {
		s.miss(r, err.Error())
		return nil, nil
	}
	l.last, l.entry = i, &e
	return l.entry, nil
}

// linesOf opens a transcript, and closes the one before.
func (s *source) linesOf(ctx context.Context, r *catalog.Session) (*lines, error) {
	at := location{r.Root, r.Ref.File}
	if s.open != nil && s.open.at == at {
		return s.open, nil
	}
	s.close()
	if _, failed := s.unread[r.Ref.File]; failed {
		return nil, nil
	}
	opened, err := s.opts.Catalog.Read(ctx, catalog.Target{Store: s.opts.Homes.At(r.Root).Store, Ref: r.Ref})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		s.miss(r, err.Error())
		return nil, nil
	}
	s.open = &lines{at: at, session: opened, last: -1}
	for i := range opened.Transcript.Digest.Chain {
		if !opened.Transcript.Digest.Chain[i].When().IsZero() {
			s.open.timed = append(s.open.timed, i)
		}
	}
	return s.open, nil
}

// miss notes that a transcript could not be read, so that the answer lacks its texts.
func (s *source) miss(r *catalog.Session, reason string) {
	if s.unread == nil {
		s.unread = map[string]ask.Unreadable{}
	}
	s.unread[r.Ref.File] = ask.Unreadable{Path: s.opts.Homes.At(r.Root).Store.Path(r.Ref.File), Reason: reason}
}

func (s *source) unreadable() (list []ask.Unreadable) {
	for _, u := range s.unread {
		list = append(list, u)
	}
	if s.spent {
		list = append(list, s.opts.Catalog.Reports.Unread()...)
	}
	return list
}

func (s *source) close() {
	if s.open != nil {
		s.open.session.Close()
		s.open = nil
	}
}

// callLine reads a line whose place the index knows.
func (s *source) callLine(r *catalog.Session, number int, offset, length int64) (*sesskeep.Entry, error) {
	l, err := reading.OpenLines(s.opts.Homes.At(r.Root).Store, r.Ref)
	if err != nil {
		s.miss(r, err.Error())
		return nil, nil
	}
	defer l.Close()
	e, err := l.At(number, offset, length)
	if err != nil {
		s.miss(r, fmt.Sprintf("line %d: %v", number, err))
		return nil, nil
	}
	return &e, nil
}
