package search

import (
	"bytes"
	"cmp"
	"database/sql"
	"iter"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/output"
	"sesskeep/internal/index/row"
	"sesskeep/internal/query"
	"sesskeep/internal/stamp"
)

// savedOutput is an output that a search may look into.
type savedOutput struct {
	id      int64
	root    string
	dir     sesskeep.ProjectKey
	session string
	file    string
	lines   []outputLine // that name it, in any file, and its session's file without a line
	in      *target      // the file of the line it belongs to
	line    outputLine
}

// outputLine is a line that names an output.
type outputLine struct {
	file, start, length int64
}

type savedOutputs []*savedOutput

// outputsOf finds the outputs among pieces of files, and who names them.
func outputsOf(tx *sql.Tx, spans []span) (savedOutputs, error) {
	var ids []any
	for _, s := range spans {
		if s.file < 0 {
			ids = append(ids, -s.file)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	where := "1"
	if len(ids) <= fewFiles {
		where = "p.id IN (" + db.Params(len(ids)) + ")"
	} else {
		ids = nil
	}
	// An output that no line names belongs to its session all the same.
	rows, err := tx.Query(`SELECT p.id, o.path, d.dir, p.session, p.name, l.file, l.start, l.length
		FROM output p JOIN folder d ON d.id = p.folder JOIN root o ON o.id = d.root
		JOIN (SELECT p.id, n.file, n.start, n.length FROM output p CROSS JOIN naming n ON n.name = p.name WHERE `+where+`
			UNION ALL SELECT p.id, r.file, 0, 0 FROM output p CROSS JOIN row r ON r.id = p.session WHERE `+where+`) l ON l.id = p.id
		ORDER BY p.id`, slices.Concat(ids, ids)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list savedOutputs
	for rows.Next() {
		var o savedOutput
		var l outputLine
		var name string
		if err := rows.Scan(&o.id, &o.root, &o.dir, &o.session, &name, &l.file, &l.start, &l.length); err != nil {
			return nil, err
		}
		o.file = output.File(o.dir, o.session, name)
		if n := len(list); n == 0 || list[n-1].id != o.id {
			list = append(list, &o)
		}
		last := list[len(list)-1]
		last.lines = append(last.lines, l)
	}
	return list, rows.Err()
}

// spans are the files that name outputs.
func (list savedOutputs) spans() (spans []span) {
	for _, o := range list {
		for _, l := range o.lines {
			spans = append(spans, span{file: l.file})
		}
	}
	return spans
}

// assign puts every output beside the transcript of its session that names it, if
// possible one in the same folder. Outputs without one are filtered out.
func (list savedOutputs) assign(files map[int64]*target) {
	for _, o := range list {
		o.lines = slices.DeleteFunc(o.lines, func(l outputLine) bool {
			t := files[l.file]
			return t == nil || t.session != o.session || t.store.Root() != o.root
		})
		if len(o.lines) == 0 {
			continue
		}
		elsewhere := func(l outputLine) bool { return row.FolderOf(files[l.file].name) != o.dir }
		o.line = slices.MinFunc(o.lines, func(a, b outputLine) int {
			return cmp.Or(db.CompareBool(a.length == 0, b.length == 0), db.CompareBool(elsewhere(a), elsewhere(b)), files[a.file].compare(files[b.file]), cmp.Compare(a.start, b.start))
		})
		o.in = files[o.line.file]
		t := *o.in
		t.name, t.output = o.file, o
		files[-o.id] = &t
	}
}

// entry reads the line that names the output.
func (o *savedOutput) entry() (sesskeep.Entry, error) {
	if o.line.length == 0 {
		return sesskeep.Entry{}, nil
	}
	return readEntry(&lineHit{in: o.in, offset: o.line.start, length: int(o.line.length)})
}

// output looks through an output, which is one record however long it is.
func (w *scanner) output(s span, t *target) error {
	r := w.run
	if r.q.Raw == nil && len(r.q.in) > 0 && !r.q.in[ask.TextOutput] {
		return nil
	}
	f, err := t.store.Files().Open(t.name)
	if err != nil {
		return err
	}
	defer f.Close()
	matches, err := r.q.inOutput(f)
	w.run.spent.Add(s.length)
	if err != nil || !matches {
		return err
	}
	e, err := t.output.entry() // most outputs do not match: only now is the line read that names it
	if err != nil || !r.q.lineHolds(&e, t) {
		return err
	}
	h := lineHit{in: t, Hit: ask.Hit{
		Kind: ask.TextOutput, File: t.name, Line: 1, UUID: e.UUID, AgentID: t.agent, Time: stamp.Time{Time: e.Time},
		Score: score(ask.TextOutput, t.active, r.q.now),
	}}
	if !r.q.Count {
		h.offset, h.Line, err = r.q.firstMatch(f)
	}
	w.hits = append(w.hits, found{s.file, h})
	r.note(s.file, t, 1)
	return err
}

// inOutput reports whether an output matches.
func (q *question) inOutput(f homefs.File) (yes bool, err error) {
	if q.Raw == nil {
		yes = q.matcher.LineBytes(windowTexts(f, &err))
		return yes, err
	}
	for w := range output.Windows(f, &err) {
		if bytes.Contains(w.Text, q.Raw) {
			return true, nil
		}
	}
	return false, err
}

func windowTexts(f homefs.File, failed *error) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for w := range output.Windows(f, failed) {
			if !yield(w.Text) {
				return
			}
		}
	}
}

// firstMatch finds where the first match of an output begins; its start if there
// are only negated clauses.
func (q *question) firstMatch(f homefs.File) (offset int64, line int, err error) {
	var counted int64 // bytes whose lines are counted
	line = 1
	for w := range output.Windows(f, &err) {
		spans := q.spansIn(string(w.Text), 1)
		end := len(w.Text)
		if len(spans) > 0 {
			end = spans[0].Start
		}
		if skip := counted - w.Offset; skip < int64(end) {
			line += bytes.Count(w.Text[skip:end], []byte{'\n'})
			counted = w.Offset + int64(end)
		} else if len(spans) > 0 {
			line -= bytes.Count(w.Text[end:skip], []byte{'\n'})
		}
		if len(spans) > 0 {
			return w.Offset + int64(end), line, nil
		}
	}
	return 0, 1, err
}

// spansIn are the matches in a text.
func (q *question) spansIn(text string, most int) []query.Span {
	if q.Raw == nil {
		return q.matcher.Spans(text, most)
	}
	if i := strings.Index(text, string(q.Raw)); i >= 0 {
		return []query.Span{{Start: i, End: i + len(q.Raw)}}
	}
	return nil
}

// quoteOutput cuts the text around the match out of an output.
func (q *question) quoteOutput(h *lineHit) {
	const around = 32 << 10
	f, err := h.in.store.Files().Open(h.File)
	if err != nil {
		return
	}
	defer f.Close()
	from := max(0, h.offset-around)
	buf := make([]byte, 2*around)
	n, _ := f.ReadAt(buf, from)
	text := strings.ToValidUTF8(string(buf[:n]), "\uFFFD")
	spans := q.spansIn(text, 8)
	q.show(h, text, spans)
}
