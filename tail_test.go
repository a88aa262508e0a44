package sesskeep_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/storetest"
)

const tailName = "projects/-w/" + sessionA + ".jsonl"

// seenEntry is what identifies an entry given out by a Tail.
type seenEntry struct {
	offset int64
	line   int
	raw    string
}

// readTail reads everything after m. The entries are copied: they are good
// only until the next one.
func readTail(tb testing.TB, s *sesskeep.Store, m homefs.Mark) ([]seenEntry, homefs.Change, homefs.Mark) {
	tb.Helper()
	t, err := s.Tail(tailName, m)
	if err != nil {
		tb.Fatal(err)
	}
	defer t.Close()
	var seen []seenEntry
	for e, ok := t.Next(); ok; e, ok = t.Next() {
		seen = append(seen, seenEntry{e.Offset, e.Line, string(e.Raw)})
	}
	if err := t.Err(); err != nil {
		tb.Fatal(err)
	}
	m, err = t.Mark()
	if err != nil {
		tb.Fatal(err)
	}
	return seen, t.Change, saved(tb, m)
}

// saved is m as it comes back from where a caller keeps it.
func saved(tb testing.TB, m homefs.Mark) homefs.Mark {
	tb.Helper()
	data, err := json.Marshal(m)
	if err != nil {
		tb.Fatal(err)
	}
	var back homefs.Mark
	if err := json.Unmarshal(data, &back); err != nil {
		tb.Fatal(err)
	}
	return back
}

func TestTailSteps(t *testing.T) {
	s := openHome(t, "-- "+tailName+" --\n")
	file := s.Path(tailName)
	var m homefs.Mark
	clock := time.Now()
	step := func(what string, do func() error, change homefs.Change, want ...string) {
		t.Helper()
		if err := do(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(file); err == nil {
			clock = clock.Add(time.Second)
			if err := os.Chtimes(file, clock, clock); what != "nothing" && err != nil {
				t.Fatal(err)
			}
		}
		seen, got, next := readTail(t, s, m)
		var raws []string
		for _, e := range seen {
			raws = append(raws, e.raw)
		}
		if got != change || strings.Join(raws, " ") != strings.Join(want, " ") {
			t.Errorf("%s: %s %v, want %s %v", what, got, raws, change, want)
		}
		m = next
	}
	write := func(text string) func() error {
		return func() error {
			f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = f.WriteString(text)
			return err
		}
	}
	nothing := func() error { return nil }

	step("an empty file", nothing, homefs.Grown)
	step("two lines", write("{\"n\":1}\n{\"n\":2}\n"), homefs.Grown, `{"n":1}`, `{"n":2}`)
	step("touch", nothing, homefs.Grown)
	step("half a line", write(`{"n":"h`), homefs.Grown)
	step("half a rune", write("\xc3"), homefs.Grown)
	step("the other half", write("\xa9\"}\n"), homefs.Grown, `{"n":"hé"}`)
	step("a whole line that lacks its end", write(`{"n":3}`), homefs.Grown)
	step("its end", write("\n"), homefs.Grown, `{"n":3}`)
	step("two records on one line", write("{\"n\":4}{\"n\":5}\n"), homefs.Grown, `{"n":4}`, `{"n":5}`)
	step("rewritten in place", func() error { return os.WriteFile(file, []byte("{\"n\":1}\n{\"n\":9}\n"), 0o600) },
		homefs.Replaced, `{"n":1}`, `{"n":9}`)
	step("rewritten in place, the same size", func() error { return os.WriteFile(file, []byte("{\"n\":1}\n{\"n\":8}\n"), 0o600) },
		homefs.Replaced, `{"n":1}`, `{"n":8}`)
	step("cut to one line", func() error { return os.Truncate(file, 8) }, homefs.Replaced, `{"n":1}`)
	step("gone", func() error { return os.Remove(file) }, homefs.Gone)
	step("still gone", nothing, homefs.Gone)
	step("back", write("{\"n\":1}\n"), homefs.Grown, `{"n":1}`)
	step("another file by that name", func() error {
		if err := os.WriteFile(file+".new", []byte("{\"n\":1}\n{\"n\":2}\n"), 0o600); err != nil {
			return err
		}
		return os.Rename(file+".new", file)
	}, homefs.Replaced, `{"n":1}`, `{"n":2}`)

	if seen, change, _ := readTail(t, s, m); change != homefs.Same || len(seen) > 0 {
		t.Errorf("nothing happened: %s, %d entries", change, len(seen))
	}
}

// A Mark taken before the end leads to the rest, even if the file stays as it
// is: whoever stops reading half-way loses nothing.
func TestMarkBeforeTheEnd(t *testing.T) {
	s := openHome(t, "-- "+tailName+" --\n{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n")
	var got []string
	var m homefs.Mark
	for range 5 {
		tail, err := s.Tail(tailName, m)
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := tail.Next(); ok {
			got = append(got, string(e.Raw))
		}
		if m, err = tail.Mark(); err != nil {
			t.Fatal(err)
		}
		tail.Close()
	}
	if s := strings.Join(got, " "); s != `{"n":1} {"n":2} {"n":3}` {
		t.Errorf("one entry at a time: %s", s)
	}
}

// After an error of the disk the rest is read when it works again.
func TestTailReadError(t *testing.T) {
	home := &memory{data: []byte("{\"n\":1}\n{\"n\":2}\n"), broken: 8}
	s := sesskeep.New(homefs.New("memory", home))
	tail, err := s.Tail(tailName, homefs.Mark{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, ok := tail.Next(); ok; _, ok = tail.Next() {
		n++
	}
	m, err := tail.Mark()
	if n != 1 || tail.Err() == nil || err != nil {
		t.Fatalf("%d entries, then %v; the mark: %v", n, tail.Err(), err)
	}
	if _, ok := tail.Rest(); ok {
		t.Error("what could not be read has a rest")
	}
	if _, err := s.Digest(tailName); err == nil {
		t.Error("half a file was folded without a word")
	}
	if _, err := s.Read(tailName); err == nil {
		t.Error("half a file was read without a word")
	}
	home.broken = 0
	if seen, change, _ := readTail(t, s, m); change != homefs.Grown || len(seen) != 1 || seen[0].line != 2 {
		t.Errorf("%s: %v", change, seen)
	}
}

// Rest shows a last line without a line end, and leaves it to the next Tail.
func TestTailRest(t *testing.T) {
	for _, tt := range []struct{ rest, want, problem string }{
		{"", "", ""},
		{"  ", "", ""},
		{`{"n":2}`, `{"n":2}`, ""},
		{`{"n":2`, "", "unfinished last line"},
		{"\x00\x00{\"n\":2}", `{"n":2}`, ""},
	} {
		s := openHome(t, "-- "+tailName+" --\n{\"n\":1}\n")
		storetest.AppendBytes(t, s.Path(tailName), []byte(tt.rest))
		tail, err := s.Tail(tailName, homefs.Mark{})
		if err != nil {
			t.Fatal(err)
		}
		for _, ok := tail.Next(); ok; _, ok = tail.Next() {
		}
		got := ""
		if e, ok := tail.Rest(); ok {
			got = string(e.Raw)
			if e.Line != 2 {
				t.Errorf("%q is in line %d", tt.rest, e.Line)
			}
		}
		problem := ""
		for _, p := range tail.Problems() {
			problem += p.Reason
			if p.Code != sesskeep.ProblemUnfinished {
				t.Errorf("%q: a problem of code %q", tt.rest, p.Code)
			}
		}
		m, err := tail.Mark()
		if got != tt.want || problem != tt.problem || err != nil || m.Offset != 8 {
			t.Errorf("%q: %q %q, the mark is at %d", tt.rest, got, problem, m.Offset)
		}
		tail.Close()
	}
}

// tailOps is how many operations the model runs: SESSKEEP_TAIL_OPS, or ten
// thousand.
func tailOps(t *testing.T) int {
	t.Helper()
	text := os.Getenv("SESSKEEP_TAIL_OPS")
	if text == "" {
		return 10_000
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("SESSKEEP_TAIL_OPS: %v", err)
	}
	return n
}

// tailModel does at random what happens to transcripts, and remembers what a
// reader must have seen.
//
// Every change moves the file's time by a second. Within one tick of the
// file system's clock (some milliseconds) a rewrite that keeps the size leaves
// no trace in the file's status, and no reader can notice it without reading
// everything every time; a client that rewrites takes longer than that.
//
// For a like reason nothing else happens between two reads when the middle is
// rewritten: of a file whose size changed only both ends are compared, because
// reading all of it for every line that is added would cost too much.
type tailModel struct {
	t     *testing.T
	rng   *rand.Rand
	store *sesskeep.Store
	file  string

	clock   time.Time
	pending []byte // what is still to be appended of the current line
	serial  int

	mark     homefs.Mark
	seen     []seenEntry // since the last Replaced
	known    bool        // there was a read and the file was there
	changed  bool        // since the last read
	replaced bool        // since the last read, by another file
	rewrote  bool        // since the last read, in the middle
	reads    map[homefs.Change]int
}

const tailFileLimit = 48 << 10

func TestTailModel(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it is concurrent")
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	dir := t.TempDir()
	m := &tailModel{
		t: t, rng: rand.New(rand.NewPCG(seed, 1)), clock: time.Now(), reads: map[homefs.Change]int{},
		store: openDir(t, dir), file: filepath.Join(dir, filepath.FromSlash(tailName)),
	}
	if err := os.MkdirAll(filepath.Dir(m.file), 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range tailOps(t) {
		m.step()
		if t.Failed() {
			t.Fatalf("at operation %d", i)
		}
	}
	t.Logf("reads: %v", m.reads)
	for _, change := range []homefs.Change{homefs.Same, homefs.Grown, homefs.Replaced, homefs.Gone} {
		if m.reads[change] == 0 {
			t.Errorf("never came to %s", change)
		}
	}
}

func (m *tailModel) step() {
	info, err := os.Stat(m.file)
	exists := err == nil
	op := m.rng.IntN(20)
	switch {
	case m.rewrote || op < 8 || op == 16 && m.changed:
		m.read(exists)
	case !exists || op < 14 && info.Size() < tailFileLimit:
		m.append(1 + m.rng.IntN(4096))
	case op == 14:
		m.touch()
	case op == 15:
		m.do(os.Truncate(m.file, m.rng.Int64N(info.Size()+1)))
		m.pending = nil
	case op == 16:
		m.rewrite()
	case op == 17 || info.Size() >= tailFileLimit:
		m.rename()
	case op == 18:
		m.do(os.Remove(m.file))
		m.pending, m.replaced = nil, true
	default:
		m.append(1 + m.rng.IntN(40))
	}
}

// do takes note of a change.
func (m *tailModel) do(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
	m.changed = true
	if _, err := os.Stat(m.file); err == nil {
		m.touch()
	}
}

func (m *tailModel) touch() {
	m.clock = m.clock.Add(time.Second)
	m.changed = true
	if err := os.Chtimes(m.file, m.clock, m.clock); err != nil {
		m.t.Fatal(err)
	}
}

// next gives n bytes of an endless transcript, wherever in a line that ends.
func (m *tailModel) next(n int) []byte {
	for len(m.pending) < n {
		m.serial++
		text := strings.Repeat([]string{"plain ", "日本", "é\\n", "🎉", `{\"type\":\"x\"}`}[m.rng.IntN(5)], m.rng.IntN(60))
		end := []string{"\n", "\n", "\n", "\r\n", "\n\n", ""}[m.rng.IntN(6)]
		m.pending = fmt.Appendf(m.pending, `{"type":"user","uuid":"%d","sessionId":"s","message":{"content":"%s"}}%s`, m.serial, text, end)
	}
	piece := m.pending[:n:n]
	m.pending = m.pending[n:]
	return piece
}

func (m *tailModel) append(n int) {
	storetest.AppendBytes(m.t, m.file, m.next(n))
	m.do(nil)
}

// rewrite changes a few bytes in place and keeps the size.
func (m *tailModel) rewrite() {
	data, err := os.ReadFile(m.file)
	if err != nil || len(data) == 0 {
		return
	}
	at := m.rng.IntN(len(data))
	end := min(at+1+m.rng.IntN(5), len(data))
	for i := at; i < end; i++ {
		data[i] = "ab\n{}\"0"[m.rng.IntN(7)]
	}
	f, err := os.OpenFile(m.file, os.O_WRONLY, 0)
	if err != nil {
		m.t.Fatal(err)
	}
	_, err = f.WriteAt(data[at:end], int64(at))
	f.Close()
	m.do(err)
	m.rewrote = true
}

// rename puts another file in its place: with its first bytes, or with all.
func (m *tailModel) rename() {
	data, err := os.ReadFile(m.file)
	if err != nil {
		m.t.Fatal(err)
	}
	if len(data) >= tailFileLimit || m.rng.IntN(2) == 0 {
		data = data[:m.rng.IntN(min(len(data), 10_000)+1)]
		m.pending = nil
	}
	other := m.file + ".new"
	if err := os.WriteFile(other, data, 0o600); err != nil {
		m.t.Fatal(err)
	}
	m.replaced = true
	m.do(os.Rename(other, m.file))
}

// read goes on from the mark and compares with a fresh reading.
func (m *tailModel) read(exists bool) {
	seen, change, mark := readTail(m.t, m.store, m.mark)
	m.reads[change]++
	m.checkChange(change, exists)
	if change == homefs.Replaced || change == homefs.Gone {
		m.seen = nil
	}
	m.seen = append(m.seen, seen...)
	m.mark, m.known = mark, exists
	m.changed, m.replaced, m.rewrote = false, false, false
	if !exists {
		return
	}
	fresh, _, end := readTail(m.t, m.store, homefs.Mark{})
	if !equalSeen(m.seen, fresh) {
		m.t.Errorf("after %s: %d entries were seen, a fresh reading has %d", change, len(m.seen), len(fresh))
	}
	if mark != end {
		m.t.Errorf("after %s: the mark is %+v, a fresh reading ends at %+v", change, mark, end)
	}
	m.checkLines(fresh)
}

func (m *tailModel) checkChange(change homefs.Change, exists bool) {
	want := change
	switch {
	case !exists:
		want = homefs.Gone
	case !m.known:
		want = homefs.Grown
	case !m.changed:
		want = homefs.Same
	case change == homefs.Same:
		want = "another"
	}
	if change != want {
		m.t.Errorf("the change is %s, want %s", change, want)
	}
}

func equalSeen(a, b []seenEntry) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// checkLines holds what was read to the file itself: every line that is an
// object was given out, with its place.
func (m *tailModel) checkLines(fresh []seenEntry) {
	data, err := os.ReadFile(m.file)
	if err != nil {
		m.t.Fatal(err)
	}
	have := map[seenEntry]bool{}
	for _, e := range fresh {
		have[e] = true
	}
	offset := int64(0)
	for n, line := range bytes.SplitAfter(data, []byte("\n")) {
		trimmed := bytes.TrimRight(line, "\r\n")
		whole := bytes.HasSuffix(line, []byte("\n")) && bytes.HasPrefix(trimmed, []byte("{")) && json.Valid(trimmed)
		if whole && !have[seenEntry{offset, n + 1, string(trimmed)}] {
			m.t.Errorf("line %d at %d was not given out: %s", n+1, offset, trimmed)
		}
		offset += int64(len(line))
	}
}

// memory is a home of one file that is kept in memory.
type memory struct {
	data   []byte
	time   int64
	broken int // what lies behind it cannot be read; 0: all can
	read   int // how many bytes were asked for
}

func (m *memory) ReadDir(string) ([]fs.DirEntry, error) { return nil, fs.ErrNotExist }
func (m *memory) Stat(string) (fs.FileInfo, error)      { return m.info(), nil }
func (m *memory) Open(string) (homefs.File, error) {
	return &memoryFile{bytes.NewReader(m.data), m}, nil
}

type memoryFile struct {
	io.ReaderAt
	of *memory
}

func (f *memoryFile) ReadAt(p []byte, off int64) (int, error) {
	f.of.read += len(p)
	if f.of.broken == 0 || off+int64(len(p)) <= int64(f.of.broken) {
		return f.ReaderAt.ReadAt(p, off)
	}
	n, _ := f.ReaderAt.ReadAt(p[:max(0, int64(f.of.broken)-off)], off)
	return n, errors.New("input/output error")
}

func (f *memoryFile) Close() error               { return nil }
func (f *memoryFile) Stat() (fs.FileInfo, error) { return f.of.info(), nil }

// memoryInfo is the status at one moment.
type memoryInfo struct{ size, time int64 }

func (m *memory) info() memoryInfo { return memoryInfo{int64(len(m.data)), m.time} }

func (i memoryInfo) Name() string       { return filepath.Base(tailName) }
func (i memoryInfo) Size() int64        { return i.size }
func (i memoryInfo) Mode() fs.FileMode  { return 0o600 }
func (i memoryInfo) ModTime() time.Time { return time.Unix(i.time, 0) }
func (i memoryInfo) IsDir() bool        { return false }
func (i memoryInfo) Sys() any           { return nil }

// FuzzTail reads a file that grows in pieces, and wants what reading it whole
// gives: entries, problems, mark and digest.
func FuzzTail(f *testing.F) {
	f.Add([]byte("{\"n\":1}\n{\"n\":2}\n"), []byte{3, 9})
	f.Add([]byte("\ufeff{\"type\":\"user\",\"uuid\":\"a\",\"message\":{\"content\":\"日本\"}}\r\n{\"n\":2}\r\n{}"), []byte{1, 2, 60, 255})
	f.Add([]byte("{\"n\":1}{\"n\":2}\n\x00\x00\n\n{\"n\":\n{\"type\":\"assistant\",\"uuid\":\"b\"}\n"), []byte{8, 9, 10})
	f.Add([]byte("junk\n{\"uuid\":\"\xff\"}\r\n\r\n{\"type\":\"last-prompt\",\"leafUuid\":\"x\"}\n"), []byte{5, 6})
	f.Fuzz(func(t *testing.T, data, cuts []byte) {
		home := &memory{}
		store := sesskeep.New(homefs.New("memory", home))
		var seen []seenEntry
		var digest sesskeep.Digest
		var m homefs.Mark
		for end := 0; end < len(data); {
			end = len(data)
			if len(cuts) > 0 {
				end = min(len(home.data)+int(cuts[0]), len(data))
				cuts = cuts[1:]
			}
			home.data, home.time = data[:end], home.time+1
			more, change, next := foldTail(t, store, &digest, m)
			if change != homefs.Grown {
				t.Fatalf("a file that grew is %s", change)
			}
			seen, m = append(seen, more...), next
		}
		if len(data) == 0 {
			return
		}
		var whole sesskeep.Digest
		fresh, _, end := foldTail(t, store, &whole, homefs.Mark{})
		if !equalSeen(seen, fresh) {
			t.Fatalf("%d entries in pieces, %d whole", len(seen), len(fresh))
		}
		if m != end {
			t.Fatalf("the mark in pieces is %+v, whole %+v", m, end)
		}
		if got, want := asJSON(t, digest), asJSON(t, whole); got != want {
			t.Fatalf("the digest in pieces is\n%s\nwhole\n%s", got, want)
		}
	})
}

// foldTail reads on from m and folds what is there into d, which is saved and
// loaded again.
func foldTail(tb testing.TB, s *sesskeep.Store, d *sesskeep.Digest, m homefs.Mark) ([]seenEntry, homefs.Change, homefs.Mark) {
	tb.Helper()
	tail, err := s.Tail(tailName, m)
	if err != nil {
		tb.Fatal(err)
	}
	defer tail.Close()
	var seen []seenEntry
	for e, ok := tail.Next(); ok; e, ok = tail.Next() {
		seen = append(seen, seenEntry{e.Offset, e.Line, string(e.Raw)})
		d.Add(e)
	}
	for _, p := range tail.Problems() {
		d.Report(p)
	}
	m, err = tail.Mark()
	if err != nil || tail.Err() != nil {
		tb.Fatal(err, tail.Err())
	}
	data := asJSON(tb, *d)
	*d = sesskeep.Digest{}
	if err := json.Unmarshal([]byte(data), d); err != nil {
		tb.Fatal(err)
	}
	return seen, tail.Change, saved(tb, m)
}

func asJSON(tb testing.TB, v any) string {
	tb.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		tb.Fatal(err)
	}
	return string(data)
}
