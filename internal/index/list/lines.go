package list

import (
	"context"
	"database/sql"
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"time"

	"sesskeep/internal/index/db"
	"sesskeep/internal/index/lineage"
	"sesskeep/internal/index/row"
)

// FileLines are the lines of a session's chain that were written in a span of time.
type FileLines struct {
	Root, File string // of the transcript
	First      uint64 // hash of the uuid of the chain's first line, in the span or not
	Lines      []FileLine
	// Unsure says that the index does not know all of this: the transcript does.
	Unsure bool
}

// FileLine is a line of a chain.
type FileLine struct {
	ID     uint64 // hash of its uuid
	Behind int    // how many lines after the chain's first it lies in the file
	Time   time.Time
	Prompt bool
}

// Lines finds the lines of sessions, not of agents, in a span of time; a zero time does not
// bound it.
func (l *Lister) Lines(ctx context.Context, since, until time.Time) (list []FileLines, err error) {
	in := spanOf(since, until)
	err = l.db.View(ctx, func(tx *sql.Tx) error {
		times, err := lineTimes(tx, in)
		if err != nil || len(times) == 0 {
			return err
		}
		if list, err = chains(tx, in, times); err != nil {
			return err
		}
		return nil
	})
	return list, err
}

// lineTimes are the times of all lines of files that have one in the span, as the index
// keeps them.
func lineTimes(tx *sql.Tx, in span) (map[int64][]int64, error) {
	all, within := map[int64][]int64{}, map[int64]bool{}
	err := in.pieces(tx, "line_times", func(file int64, body []byte) error {
		for ; len(body) >= 8; body = body[8:] {
			line := int64(binary.LittleEndian.Uint64(body))
			all[file] = append(all[file], line)
			within[file] = within[file] || in.has(line>>row.LineBits)
		}
		return nil
	})
	maps.DeleteFunc(all, func(file int64, _ []int64) bool { return !within[file] })
	return all, err
}

// chains reads the chains of files whose lines have these times.
func chains(tx *sql.Tx, in span, times map[int64][]int64) (list []FileLines, err error) {
	rows, err := tx.Query(`SELECT r.file, h.path, f.name, c.body, EXISTS (SELECT 1 FROM reclassified q, json_each(q.lines) n WHERE q.file = r.file AND n.value > 0)
		FROM json_each(?) i CROSS JOIN row r ON r.file = i.value CROSS JOIN root h ON h.id = r.root CROSS JOIN file f ON f.id = r.file
		CROSS JOIN chain c ON c.id >= r.file << ?2 AND c.id < (r.file + 1) << ?2 ORDER BY c.id`, db.JSON(slices.Sorted(maps.Keys(times))), db.PieceBits)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var chain []lineage.Line
	last := int64(-1)
	for rows.Next() {
		var file int64
		var found FileLines
		var body sql.RawBytes
		if err := rows.Scan(&file, &found.Root, &found.File, &body, &found.Unsure); err != nil {
			return nil, err
		}
		if file != last {
			if last >= 0 {
				list[len(list)-1].join(in, chain, times[last])
			}
			list, chain, last = append(list, found), chain[:0], file
		}
		chain = append(chain, lineage.Decode(body)...)
	}
	if last >= 0 {
		list[len(list)-1].join(in, chain, times[last])
	}
	return list, rows.Err()
}

// noID is that of lines without a uuid, which belong to no conversation.
var noID = db.Hash("")

// join finds the lines in the span. The chain says which lines there are, and to the second
// when; the times are those of its lines that have one, in the same order. Where the two
// disagree, as they do if a prompt was only typed into the queue, it is unsure.
func (f *FileLines) join(in span, chain []lineage.Line, times []int64) {
	if f.Unsure {
		return
	}
	behind := 0
	for i, l := range chain {
		if i == 0 {
			f.First = l.ID
		} else {
			behind += 1 + int(l.Gap)
		}
		if l.Time == 0 && in.since > math.MinInt64 {
			continue // a line without a time is in no span that has a beginning
		}
		if len(times) == 0 || times[0]>>row.LineBits/1000 != int64(l.Time) || l.Gap == lineage.MaxGap {
			f.Unsure = true
			return
		}
		if when := times[0] >> row.LineBits; in.has(when) && l.ID != noID {
			f.Lines = append(f.Lines, FileLine{ID: l.ID, Behind: behind, Time: time.UnixMilli(when).UTC(), Prompt: times[0]&row.PromptLine != 0})
		}
		times = times[1:]
	}
	f.Unsure = len(times) > 0
}
