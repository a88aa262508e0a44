package search

import (
	"cmp"
	"database/sql"
	"slices"
	"strings"

	"sesskeep/internal/index/calls"
	"sesskeep/internal/index/db"
	"sesskeep/internal/query"
)

// A call and its result are two lines, and neither says all about the call: the result
// does not name the tool, and the call does not know whether it failed. So filters about
// calls are not decided by the line that is read but by the calls that the index keeps,
// in which both lines are joined. A line meets the filters if one of the calls that it
// makes or answers meets all of them.

// callWords are the words of is: and has: that are about calls.
var callWords = map[query.Key][]string{query.Is: {"error"}, query.Has: {"error", "diff", "plan"}}

// callTest is a condition on calls: all filters must hold for one of them.
type callTest struct {
	filters []query.Filter
	// none says that the filters hold where there is no call: all are negated.
	none bool
}

// callTests splits the filters of a query that concern calls into tests. The first test has all
// filters that are only about calls. A filter such as is:error,compacted, with words about calls and
// words about lines, has a test of its own for the former. of has the number of the test for
// each filter; -1: it has none.
func callTests(q query.Q) (tests []callTest, of []int) {
	tests = []callTest{{}}
	for _, f := range q.Filters {
		words, facts := callWords[f.Key]
		switch {
		case f.Key == query.Tool || f.Key == query.File || f.Key == query.Did,
			facts && !slices.ContainsFunc(f.Values, func(v string) bool { return !slices.Contains(words, v) }):
			tests[0].filters = append(tests[0].filters, f)
			of = append(of, 0)
		case facts && slices.ContainsFunc(f.Values, func(v string) bool { return slices.Contains(words, v) }):
			f.Values, f.Not = slices.DeleteFunc(slices.Clone(f.Values), func(v string) bool { return !slices.Contains(words, v) }), false
			of = append(of, len(tests))
			tests = append(tests, callTest{filters: []query.Filter{f}})
		default:
			of = append(of, -1)
		}
	}
	if len(tests) == 1 && len(tests[0].filters) == 0 {
		return nil, of
	}
	for i := range tests {
		tests[i].none = tests[i].holds(&calls.Call{})
	}
	return tests, of
}

// holds reports whether all filters hold for a call.
func (t *callTest) holds(c *calls.Call) bool {
	for i := range t.filters {
		f := &t.filters[i]
		if slices.ContainsFunc(f.Values, func(v string) bool { return callIs(c, f.Key, v) }) == f.Not {
			return false
		}
	}
	return true
}

func callIs(c *calls.Call, key query.Key, value string) bool {
	switch key {
	case query.Tool:
		return c.Tool != "" && strings.EqualFold(c.Tool, value)
	case query.File:
		return c.File != "" && strings.Contains(strings.ToLower(c.File), strings.ToLower(value))
	case query.Did:
		return c.Tool != "" && calls.ActOf(c.Tool) == value
	}
	switch value {
	case "error":
		return c.Failed
	case "diff":
		act := calls.ActOf(c.Tool)
		return act == "edit" || act == "write"
	case "plan":
		return c.Tool == "ExitPlanMode"
	}
	return false
}

// callLines are the lines of one file with calls, by what a test says of them.
type callLines struct {
	yes []calls.Line // by offset
	no  []int64      // offsets of the others, where lines without a call hold
}

// matches reports whether the test holds for the line at an offset.
func (l *callLines) matches(offset int64, none bool) bool {
	if l == nil {
		return none
	}
	if _, ok := slices.BinarySearchFunc(l.yes, offset, compareLine); ok {
		return true
	}
	_, known := slices.BinarySearch(l.no, offset)
	return none && !known
}

func compareLine(l calls.Line, offset int64) int { return cmp.Compare(l.Offset, offset) }

// within returns the lines in a piece of the file that pass the test.
func (l *callLines) within(s span) []calls.Line {
	from, _ := slices.BinarySearchFunc(l.yes, s.start, compareLine)
	to, _ := slices.BinarySearchFunc(l.yes, s.start+s.length, compareLine)
	return l.yes[from:to]
}

// tested are the lines of files, by file and test.
type tested map[int64][]*callLines

// testCalls applies the tests to all calls of the index.
func testCalls(tx *sql.Tx, tests []callTest) (tested, error) {
	all := tested{}
	if len(tests) == 0 {
		return all, nil
	}
	rows, err := tx.Query("SELECT id, body FROM call")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var reader calls.Reader
	var body sql.RawBytes
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id, &body); err != nil {
			return nil, err
		}
		file := id >> db.PieceBits
		err := reader.Each(body, func(c *calls.Call) {
			for i := range tests {
				if holds := tests[i].holds(c); holds || tests[i].none {
					all.add(file, i, len(tests), c, holds)
				}
			}
		})
		if err != nil {
			return nil, err
		}
	}
	for _, lists := range all {
		for _, l := range lists {
			l.sort()
		}
	}
	return all, rows.Err()
}

// add adds the lines of a call to those that a test chooses, or that it does not.
func (all tested) add(file int64, test, tests int, c *calls.Call, holds bool) {
	lists := all[file]
	if lists == nil {
		lists = make([]*callLines, tests)
		for i := range lists {
			lists[i] = &callLines{}
		}
		all[file] = lists
	}
	for line := range c.Lines {
		if holds {
			lists[test].yes = append(lists[test].yes, line)
		} else {
			lists[test].no = append(lists[test].no, line.Offset)
		}
	}
}

func (l *callLines) sort() {
	slices.SortFunc(l.yes, func(a, b calls.Line) int { return cmp.Compare(a.Offset, b.Offset) })
	l.yes = slices.CompactFunc(l.yes, func(a, b calls.Line) bool { return a.Offset == b.Offset })
	slices.Sort(l.no)
}

// narrows reports whether only lines with calls can match.
func (q *question) narrows() bool { return len(q.tests) > 0 && !q.tests[0].none }

// narrow leaves, of pieces of files, the lines that the first test holds for. Outputs in
// files of their own stay: the lines that name them decide later.
func (all tested) narrow(spans []span) (list []span) {
	for _, s := range spans {
		if s.file < 0 {
			list = append(list, s)
		} else if lists := all[s.file]; lists != nil {
			for _, l := range lists[0].within(s) {
				list = append(list, lineSpan(s.file, l))
			}
		}
	}
	return list
}

// spans are all lines that the first test holds for.
func (all tested) spans() (list []span) {
	for file, lists := range all {
		for _, l := range lists[0].yes {
			list = append(list, lineSpan(file, l))
		}
	}
	return list
}

func lineSpan(file int64, l calls.Line) span {
	return span{file: file, start: l.Offset, length: l.Length, line: l.Number}
}
