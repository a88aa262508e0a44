package search

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"sync"

	"sesskeep/internal/cursor"
	"sesskeep/internal/index/db"
)

// To find out which files a search may look into, and where their text lies, takes longer
// than most searches take for the rest. A process that stays is asked again and again
// while its index does not change, so it keeps that: a piece table.

// pieceTable has the transcripts that searches with equal filters may look into, the most
// recently active first, and where their text lies, at one state of the index. It is never
// changed.
type pieceTable struct {
	name   string // of the filters
	commit int64
	files  []pieceFile
	at     map[int64]int // file → position in files
	unread int64         // bytes in files that could not be read
}

// pieceFile is a transcript, or an output in a file of its own.
type pieceFile struct {
	file   int64
	root   string // of its home
	is     target // without what a search adds
	pieces []piece
	tail   []span // what is in no block
}

// piece is an extent.
type piece struct {
	block int64
	span
}

// What a table may have: it stays in memory.
const (
	mostTableFiles = 30_000
	mostPieces     = 250_000
)

// pieceTables keeps one table.
type pieceTables struct {
	mu     sync.Mutex
	kept   *pieceTable
	name   string // what was asked for last,
	commit int64  // at which state,
	asked  int    // and how often
}

// find gives the table for some filters at a state of the index, or none. After some
// searches without one it is wanted: the caller makes it, and others search without one
// meanwhile.
func (p *pieceTables) find(name string, commit int64, before int) (kept *pieceTable, wanted bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kept != nil && p.kept.commit != commit {
		p.kept = nil
	}
	if p.kept != nil && p.kept.name == name {
		return p.kept, false
	}
	if p.name != name || p.commit != commit {
		p.name, p.commit, p.asked = name, commit, 0
	}
	p.asked++
	return nil, p.asked == before+1
}

func (p *pieceTables) keep(t *pieceTable) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept = t
}

// pieces gives the table for this search, or nil where there is none.
func (r *searchRun) pieces(ctx context.Context, tx *sql.Tx) (*pieceTable, error) {
	if r.tables == nil || r.q.Raw != nil { // damaged lines lie between the pieces
		return nil, nil
	}
	commit, err := changeCounter(ctx, tx)
	if err != nil {
		return nil, err
	}
	where, args := r.q.conditions(r.q.homes)
	name := cursor.Hash(where, args)
	kept, wanted := r.tables.find(name, commit, r.limits.BeforeTable)
	if !wanted {
		return kept, nil
	}
	if small, err := tablesAreSmall(tx); err != nil || !small {
		return nil, err
	}
	t := &pieceTable{name: name, commit: commit}
	if err := t.read(tx, r); err != nil {
		return nil, err
	}
	r.tables.keep(t)
	return t, nil
}

func tablesAreSmall(tx *sql.Tx) (small bool, err error) {
	err = tx.QueryRow("SELECT coalesce((SELECT max(id) FROM file), 0) <= ? AND NOT EXISTS (SELECT 1 FROM extent"+db.LimitOffset+")",
		mostTableFiles, 1, mostPieces).Scan(&small)
	return small, err
}

// read reads the table, as the filters of a search want it.
func (p *pieceTable) read(tx *sql.Tx, r *searchRun) (err error) {
	if p.unread, err = unreadBytes(tx, r.q.homes); err != nil {
		return err
	}
	all, err := r.targets(tx, someFiles{all: true})
	if err != nil {
		return err
	}
	pieces, outputs, err := allPieces(tx)
	if err != nil {
		return err
	}
	list, err := outputsOf(tx, outputs)
	if err != nil {
		return err
	}
	list.assign(all)
	if err := noteDamage(tx, all); err != nil {
		return err
	}
	tails, err := tails(tx)
	if err != nil {
		return err
	}
	p.sort(all, pieces)
	for _, s := range tails {
		if i, ok := p.at[s.file]; ok {
			p.files[i].tail = append(p.files[i].tail, s)
		}
	}
	return nil
}

// sort puts the files in the order in which they are searched, each with its pieces.
func (p *pieceTable) sort(all map[int64]*target, pieces []piece) {
	for file, t := range all {
		f := pieceFile{file: file, root: t.store.Root(), is: *t}
		if f.is.store, f.is.calls = nil, nil; f.is.output != nil {
			f.is.output.in = nil
		}
		p.files = append(p.files, f)
	}
	slices.SortFunc(p.files, func(a, b pieceFile) int {
		return cmp.Or(cmp.Compare(b.is.active, a.is.active), cmp.Compare(a.root, b.root), cmp.Compare(a.is.name, b.is.name))
	})
	p.at = make(map[int64]int, len(p.files))
	for i := range p.files {
		p.at[p.files[i].file] = i
	}
	for from := 0; from < len(pieces); {
		to := from + 1
		for to < len(pieces) && pieces[to].file == pieces[from].file {
			to++
		}
		if i, ok := p.at[pieces[from].file]; ok {
			p.files[i].pieces = pieces[from:to:to]
		}
		from = to
	}
}

// allPieces are those of all files, by file, and those of outputs once more.
func allPieces(tx *sql.Tx) (list []piece, outputs []span, err error) {
	rows, err := tx.Query("SELECT e.block, e.file, e.start, e.length, e.line, e.escapes = 0, e.inner = 0 FROM extent e ORDER BY e.file, e.start, e.block")
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var p piece
		if err := rows.Scan(&p.block, &p.file, &p.start, &p.length, &p.line, &p.plain, &p.own); err != nil {
			return nil, nil, err
		}
		if list = append(list, p); p.file < 0 {
			outputs = append(outputs, p.span)
		}
	}
	return list, outputs, rows.Err()
}

// piecesAtOnce is how many pieces scanners are given at once, at least. The others may not
// be needed.
const piecesAtOnce = 128

// tableFeed gives the pieces of a table that can match to the feed of a search.
type tableFeed struct {
	run   *searchRun
	table *pieceTable
	where candidateBlocks
	has   []uint64 // a bit for every block of where
	next  int      // of the files
}

// feedFrom makes the feed read from a table.
func (r *searchRun) feedFrom(tx *sql.Tx, p *pieceTable) (err error) {
	f := &tableFeed{run: r, table: p, where: everyBlock}
	if f.where, err = blocksFor(tx, r.q.matcher); err != nil {
		return err
	}
	if n := len(f.where.blocks); n > 0 {
		f.has = make([]uint64, f.where.blocks[n-1]/64+1)
	}
	for _, b := range f.where.blocks {
		f.has[b/64] |= 1 << (b % 64)
	}
	if r.calls, err = testCalls(tx, r.q.tests); err != nil {
		return err
	}
	r.skipped.Store(p.unread)
	r.files = map[int64]*target{}
	r.feed.more, r.unasked = f.more, f.unasked
	return nil
}

// more gives the pieces of some more files.
func (f *tableFeed) more() (list []work, err error) {
	for n := 0; f.next < len(f.table.files) && n < piecesAtOnce; f.next++ {
		file := &f.table.files[f.next]
		spans := f.spans(file)
		n += len(spans)
		if len(spans) == 0 {
			continue
		}
		t := f.target(file)
		slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(b.start, a.start) })
		for part := range slices.Chunk(spans, mostOfOneFile) {
			list = append(list, work{file.file, t, part})
		}
	}
	if f.next < len(f.table.files) {
		f.run.feed.more = f.more
	}
	return list, nil
}

// target is a file of the table for this search.
func (f *tableFeed) target(file *pieceFile) *target {
	if t := f.run.files[file.file]; t != nil {
		return t
	}
	q := f.run.q
	t := file.is
	t.store, t.seed, t.calls = q.stores[file.root], q.seeds[file.root], f.run.calls[file.file]
	if t.output != nil {
		o := *t.output
		o.in = f.target(&f.table.files[f.table.at[o.line.file]])
		t.output, t.calls = &o, o.in.calls
	}
	f.run.files[file.file] = &t
	return &t
}

// spans are the pieces of a file that can match.
func (f *tableFeed) spans(file *pieceFile) []span {
	lines, narrow := f.run.calls[file.file], f.run.q.narrows() && file.file >= 0
	switch {
	case narrow && lines == nil:
		return nil
	case narrow && f.where.all:
		return tested{file.file: lines}.spans()
	}
	list := spanList{in: f.where}
	for _, p := range file.pieces {
		if f.where.all || p.block/64 < int64(len(f.has)) && f.has[p.block/64]&(1<<(p.block%64)) != 0 {
			list.add(p.block, p.span)
		}
	}
	if narrow {
		return f.run.calls.narrow(list.spans)
	}
	return append(list.spans, file.tail...)
}

// unasked is how large the files are that no scanner was given, or 0 if none of them can
// have what is looked for.
func (f *tableFeed) unasked() (n int64, err error) {
	can := false
	for i := f.next; i < len(f.table.files); i++ {
		file := &f.table.files[i]
		can = can || len(f.spans(file)) > 0
		n += file.is.size
	}
	if !can {
		return 0, nil
	}
	return n, nil
}
