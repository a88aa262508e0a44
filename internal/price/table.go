package price

import (
	"cmp"
	_ "embed" // prices.json
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"sesskeep/internal/regular"
)

//go:embed prices.json
var builtIn string

// Table is a dated list of prices.
type Table struct {
	Date   string   // when the built-in list was reviewed: 2026-10-10
	Source string   // where that list is from
	Own    []string // models with a price in the user's file
	Rules  Rules

	rows map[string][]Row // by model; newest first, then longest prompt first
}

// Rules apply to all models of a table.
type Rules struct {
	Batch     Factor // on every token of a request sent in a batch
	USOnly    Factor // on every token of a request kept in the United States
	WebSearch Rate   // for one search, in addition to the rest of the request
}

// Row is one line of a table: what a model costs, in which mode, for prompts of
// which length, from which day.
type Row struct {
	Model string `json:"model"`           // id of the model, as Normalize writes it
	Since string `json:"since,omitempty"` // first day on which the price is valid
	Fast  bool   `json:"fast,omitempty"`  // true for the price in fast mode
	Over  int64  `json:"over,omitempty"`  // valid for requests with more input tokens than this

	Input        Rate `json:"input"`        // US dollars for a million input tokens
	Output       Rate `json:"output"`       // US dollars for a million output tokens
	CacheWrite5m Rate `json:"cacheWrite5m"` // US dollars for a million tokens written to the five-minute cache
	CacheWrite1h Rate `json:"cacheWrite1h"` // US dollars for a million tokens written to the one-hour cache
	CacheRead    Rate `json:"cacheRead"`    // US dollars for a million tokens read from the cache

	Note   string `json:"note,omitempty"`   // remark of the table
	Date   string `json:"date,omitempty"`   // date of the table or file that has the row
	Source string `json:"source,omitempty"` // where that table or file comes from
}

// Default returns the built-in table. All callers share it.
func Default() *Table { return fromBuiltIn() }

var fromBuiltIn = sync.OnceValue(func() *Table {
	f, err := parse([]byte(builtIn), Rules{})
	if err != nil {
		panic("prices.json: " + err.Error()) // a test parses it first
	}
	t := &Table{Date: f.date, Source: f.source, Rules: f.rules, rows: map[string][]Row{}}
	t.put(f)
	return t
})

// maxFile bounds a user's file: a hundred times the built-in one.
const maxFile = 1 << 20

// With returns a table in which the rows and rules of a user's file replace the
// table's own. An error names the line and the field that is wrong.
func (t *Table) With(file io.Reader) (*Table, error) {
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, regular.ErrTooLarge
	}
	f, err := parse(data, t.Rules)
	if err != nil {
		return nil, err
	}
	if f.source == "" {
		f.source = "own prices"
	}
	u := *t
	u.Rules = f.rules
	u.rows = maps.Clone(t.rows)
	u.Own = slices.Compact(slices.Sorted(slices.Values(slices.Concat(t.Own, f.models()))))
	u.put(f)
	return &u, nil
}

// put replaces the rows of every model in f.
func (t *Table) put(f file) {
	for _, model := range f.models() {
		delete(t.rows, model)
	}
	for _, l := range f.lines {
		row := l.row
		row.Date, row.Source = f.date, f.source
		t.rows[row.Model] = append(t.rows[row.Model], row)
	}
	for _, model := range f.models() {
		slices.SortFunc(t.rows[model], inOrder)
	}
}

// inOrder sorts the row to try first first.
func inOrder(a, b Row) int {
	return cmp.Or(strings.Compare(b.Since, a.Since), cmp.Compare(b.Over, a.Over))
}

// Rows lists the whole table by model: fast mode last, the newest prices first,
// short prompts before long ones.
func (t *Table) Rows() []Row {
	var all []Row
	for _, model := range slices.Sorted(maps.Keys(t.rows)) {
		rows := slices.Clone(t.rows[model])
		slices.SortFunc(rows, func(a, b Row) int {
			return cmp.Or(plainFirst(a.Fast, b.Fast), strings.Compare(b.Since, a.Since), cmp.Compare(a.Over, b.Over))
		})
		all = append(all, rows...)
	}
	return all
}

func plainFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// String names the row: claude-haiku-5-5, over 100000 tokens.
func (r Row) String() string {
	s := r.Model
	if r.Fast {
		s += ", fast"
	}
	if r.Over > 0 {
		s += fmt.Sprintf(", over %d tokens", r.Over)
	}
	if r.Since != "" {
		s += ", since " + r.Since
	}
	return s
}
