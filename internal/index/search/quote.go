package search

import (
	"bytes"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/query"
)

// lineReader reads lines of hits again. Most hits of a session are in one file,
// which stays open until another one is asked for.
type lineReader struct {
	of   *target
	file homefs.File
}

func (r *lineReader) close() {
	if r.file != nil {
		r.file.Close()
	}
	r.of, r.file = nil, nil
}

func (r *lineReader) read(h *lineHit) ([]byte, error) {
	if r.of != h.in {
		r.close()
		f, err := h.in.store.Files().Open(h.in.name)
		if err != nil {
			return nil, err
		}
		r.of, r.file = h.in, f
	}
	raw := make([]byte, h.length)
	_, err := r.file.ReadAt(raw, h.offset)
	return raw, err
}

// readEntry reads the line of a hit again.
func readEntry(h *lineHit) (sesskeep.Entry, error) {
	var lines lineReader
	defer lines.close()
	raw, err := lines.read(h)
	if err != nil {
		return sesskeep.Entry{}, err
	}
	e, err := sesskeep.Decode(raw)
	e.Offset = h.offset
	h.in.reclassify(&e, h.Line)
	return e, err
}

// value is the string of a line with this number.
func (q *question) value(e *sesskeep.Entry, number int) string {
	for k, text := range texts(e) {
		if len(q.in) > 0 && !q.in[k] {
			continue
		}
		if number == 0 {
			return string(text)
		}
		number--
	}
	return ""
}

// quote reads the line of a hit again and cuts the text around its match. Most
// hits are only counted, so it is done for those that are shown.
func (q *question) quote(lines *lineReader, h *lineHit) {
	h.Marks = [][2]int{}
	if h.in.output != nil {
		q.quoteOutput(h)
		return
	}
	raw, err := lines.read(h)
	if err != nil {
		return
	}
	var spans []query.Span
	if q.Raw != nil {
		if i := bytes.Index(raw, q.Raw); i >= 0 {
			spans = []query.Span{{Start: i, End: i + len(q.Raw)}}
		}
	} else if e, err := sesskeep.Decode(raw); err == nil {
		h.in.reclassify(&e, h.Line)
		text := q.value(&e, h.value)
		q.show(h, text, q.matcher.Spans(text, 8))
		return
	}
	q.show(h, string(raw), spans)
}

// show gives a hit the text around its match.
func (q *question) show(h *lineHit, text string, spans []query.Span) {
	if q.Hide != nil {
		text = q.Hide(text)
		spans = q.spansIn(text, 8)
	}
	if q.Context > 0 && len(spans) > 0 {
		h.Text, h.Marks, h.Before, h.After = inLines(text, spans, q.Context)
		return
	}
	h.Text, h.Marks = snippet(text, spans)
}
