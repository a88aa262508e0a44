package sesskeep_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/storetest"

	"pgregory.net/rapid"
)

// growing is a transcript on disk that is written in pieces and read after each.
type growing struct {
	tb    *testing.T
	store *sesskeep.Store
	now   *sesskeep.Transcript
	all   []*sesskeep.Transcript
	want  []string // what a fresh reading found at that time
}

// told is all that a transcript says without reading lines again.
func told(tb testing.TB, t *sesskeep.Transcript) string {
	return asJSON(tb, t.Digest) + asJSON(tb, t.Tree)
}

func newGrowing(tb *testing.T) *growing {
	g := &growing{tb: tb, store: openHome(tb, "-- "+tailName+" --\n")}
	g.now = g.fresh()
	return g
}

func (g *growing) fresh() *sesskeep.Transcript {
	g.tb.Helper()
	t, err := g.store.Read(tailName)
	if err != nil {
		g.tb.Fatal(err)
	}
	g.tb.Cleanup(func() { t.Close() })
	return t
}

func (g *growing) more() homefs.Change {
	g.tb.Helper()
	t, change, err := g.now.More(g.tb.Context())
	if err != nil {
		g.tb.Fatal(err)
	}
	g.tb.Cleanup(func() { t.Close() })
	g.now = t
	return change
}

// write appends a piece and compares what was read on with what is read anew.
func (g *growing) write(piece []byte) {
	g.tb.Helper()
	storetest.AppendBytes(g.tb, g.store.Path(tailName), piece)
	if change := g.more(); change != homefs.Grown {
		g.tb.Fatalf("a file that grew is %s", change)
	}
	fresh, err := g.store.Read(tailName)
	if err != nil {
		g.tb.Fatal(err)
	}
	defer fresh.Close()
	if got, want := told(g.tb, g.now), told(g.tb, fresh); got != want {
		g.tb.Fatalf("after %q\nin pieces %s\n    whole %s", piece, got, want)
	}
	if !reflect.DeepEqual(g.now.Digest.Tree(), g.now.Tree) {
		g.tb.Fatalf("after %q the digest has another tree", piece)
	}
	if !reflect.DeepEqual(g.now.Tree, fresh.Tree) {
		g.tb.Fatalf("after %q\nin pieces %+v\n    whole %+v", piece, g.now.Tree, fresh.Tree)
	}
	g.all, g.want = append(g.all, g.now), append(g.want, told(g.tb, g.now))
}

// check holds every version to what it said when it was read.
func (g *growing) check() {
	g.tb.Helper()
	for i, t := range g.all {
		if got := told(g.tb, t); got != g.want[i] {
			g.tb.Fatalf("version %d of %d changed\n got %s\nwant %s", i, len(g.all), got, g.want[i])
		}
	}
}

func TestMoreCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it is concurrent")
	}
	dir := filepath.Join(corpus(t), "real-client")
	files := checkMoreBelow(t, dir)
	if files == 0 {
		t.Fatal("no transcripts")
	}
	t.Logf("%d files", files)
}

func TestMoreHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it is concurrent")
	}
	dir := t.TempDir()
	if _, err := storetest.Hostile(dir); err != nil {
		t.Fatal(err)
	}
	if files := checkMoreBelow(t, dir); files < 10 {
		t.Fatalf("%d transcripts", files)
	}
}

func TestMoreMade(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it is concurrent")
	}
	dir := t.TempDir()
	if _, err := storetest.Make(dir, storetest.Size{Sessions: 12, Agents: 12, Projects: 3, Bytes: 2 << 20}, 7); err != nil {
		t.Fatal(err)
	}
	if files := checkMoreBelow(t, dir); files < 10 {
		t.Fatalf("%d transcripts", files)
	}
}

// checkMoreBelow writes every transcript below a folder anew in pieces.
func checkMoreBelow(t *testing.T, dir string) (files int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 6))
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		info, err := e.Info()
		if err != nil || info.Size() == 0 || info.Size() > 1<<20 {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil // some of the hostile ones must not be read
		}
		files++
		g := newGrowing(t)
		for _, piece := range storetest.Pieces(rng, data, max(200, len(data)/12)) {
			if len(piece) > 0 {
				g.write(piece)
			}
		}
		g.check()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Any lines in any pieces, whole or not.
func TestMoreLaw(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := newGrowing(t)
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{
			userLine("a", "", "one"), userLine("b", "a", "two"), textLine("c", "b", "three"),
			talkLine("d", "m", "c", `{"input_tokens":3,"output_tokens":1}`),
			talkLine("e", "m", "d", `{"input_tokens":3,"output_tokens":9}`),
			talkLine("f", "m", "e", `{"input_tokens":3,"output_tokens":90}`),
			userLine("g", "f", "four"), userLine("h", "f", "five"), userLine("i", "gone", "six"),
			`{"type":"last-prompt","leafUuid":"g"}`, `{"type":"custom-title","customTitle":"T"}`, `{"type":"summary","summary":"S","leafUuid":"c"}`,
			`{"type":"strange","x":1}`, "junk", "", `{"type":"user"`,
		}), 1, 20).Draw(rt, "lines")
		data := []byte(strings.Join(lines, "\n") + rapid.SampledFrom([]string{"", "\n"}).Draw(rt, "end"))
		for len(data) > 0 {
			n := rapid.IntRange(1, min(len(data), 400)).Draw(rt, "piece")
			if end := bytes.IndexByte(data, '\n'); end > 0 && rapid.Bool().Draw(rt, "whole line") {
				n = end + rapid.IntRange(0, 1).Draw(rt, "with its end")
			}
			g.write(data[:n])
			data = data[n:]
		}
		g.check()
	})
}

// An unfinished line counts once, whether it was whole or torn before its end
// was written.
func TestMoreUnfinished(t *testing.T) {
	g := newGrowing(t)
	line := talkLine("b", "m", "a", `{"input_tokens":3}`)
	g.write([]byte(userLine("a", "", "one") + "\n" + line[:20]))
	if g.now.Digest.Entries != 1 || g.now.Digest.Lost != 1 {
		t.Errorf("torn: %d entries, %d lost", g.now.Digest.Entries, g.now.Digest.Lost)
	}
	g.write([]byte(line[20:]))
	if g.now.Digest.Entries != 2 || g.now.Digest.Lost != 0 || g.now.Digest.Total().Input != 3 {
		t.Errorf("whole without its end: %d entries, %d lost, %+v", g.now.Digest.Entries, g.now.Digest.Lost, g.now.Digest.Total())
	}
	g.write([]byte("\n"))
	if g.now.Digest.Entries != 2 || len(g.now.Digest.Chain) != 2 || g.now.Digest.Total().Input != 3 {
		t.Errorf("finished: %d entries, %d lines, %+v", g.now.Digest.Entries, len(g.now.Digest.Chain), g.now.Digest.Total())
	}
	g.check()
}

func TestMoreChanges(t *testing.T) {
	g := newGrowing(t)
	file := g.store.Path(tailName)
	g.write([]byte(userLine("a", "", "one") + "\n" + userLine("b", "a", "two") + "\n"))
	old := g.now
	if change := g.more(); change != homefs.Same {
		t.Errorf("nothing was written: %s", change)
	}
	g.write([]byte(userLine("c", "b", "three") + "\n"))
	// Whoever still has an old version, closed or not, learns of what another one
	// has read.
	old.Close()
	if now, change, err := old.More(t.Context()); err != nil || change != homefs.Grown || len(now.Digest.Chain) != 3 {
		t.Errorf("an old version: %s %v", change, err)
	} else {
		now.Close()
	}
	if err := os.WriteFile(file, []byte(userLine("x", "", "other")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if change := g.more(); change != homefs.Replaced || len(g.now.Digest.Chain) != 1 || g.now.Digest.Chain[0].UUID != "x" {
		t.Errorf("truncated: %s, %+v", change, g.now.Digest.Chain)
	}
	other := file + ".new"
	if err := os.WriteFile(other, []byte(userLine("y", "", "another")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other, file); err != nil {
		t.Fatal(err)
	}
	if change := g.more(); change != homefs.Replaced || g.now.Digest.Chain[0].UUID != "y" {
		t.Errorf("replaced: %s, %+v", change, g.now.Digest.Chain)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, _, err := g.now.More(t.Context()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("gone: %v", err)
	}
	if e, err := g.now.Entry(0); err != nil || e.UUID != "y" {
		t.Errorf("the last version of a file that is gone: %v", err)
	}
	g.check()
}

// A reading that was given up is gone on with.
func TestMoreCanceled(t *testing.T) {
	g := newGrowing(t)
	var data bytes.Buffer
	writeTranscript(&data, 2<<20)
	storetest.AppendBytes(t, g.store.Path(tailName), data.Bytes())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 3 {
		if _, _, err := g.now.More(ctx); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	unread := sesskeep.NewTranscript(g.store, tailName)
	for range 3 {
		if _, _, err := unread.More(ctx); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if now, change, err := unread.More(t.Context()); err != nil || change != homefs.Grown || told(t, now) != told(t, g.fresh()) {
		t.Errorf("the first reading: %s %v", change, err)
	} else {
		now.Close()
	}
	if change := g.more(); change != homefs.Grown {
		t.Error(change)
	}
	if told(t, g.now) != told(t, g.fresh()) {
		t.Error("not what a fresh reading tells")
	}
}

// Versions are read by many while the file grows. The race detector looks on.
func TestMoreAtOnce(t *testing.T) {
	g := newGrowing(t)
	first := g.now
	var readers sync.WaitGroup
	done, saw := make(chan struct{}), make(chan struct{}, 1)
	for range 4 {
		readers.Go(func() { readOn(t, first, saw, done) })
	}
	for i := 0; i < 200 && !t.Failed(); i++ {
		uuid, parent := strconv.Itoa(i), strconv.Itoa(i-1)
		line := userLine(uuid, parent, "prompt") + "\n"
		if i%5 > 0 {
			line = talkLine(uuid, "m"+strconv.Itoa(i/3), parent, `{"output_tokens":`+uuid+`}`) + "\n"
		}
		half := len(line) / (1 + i%3)
		storetest.AppendBytes(t, g.store.Path(tailName), []byte(line[:half]))
		<-saw
		storetest.AppendBytes(t, g.store.Path(tailName), []byte(line[half:]))
	}
	close(done)
	readers.Wait()
	g.more()
	if told(t, g.now) != told(t, g.fresh()) {
		t.Error("not what a fresh reading tells")
	}
}

// readOn reads versions and all that is in them until done is closed. It tells
// when it saw the file grow, and when it gives up.
func readOn(t *testing.T, first *sesskeep.Transcript, saw chan<- struct{}, done <-chan struct{}) {
	tell := func() {
		select {
		case saw <- struct{}{}:
		default:
		}
	}
	now := first
	for {
		next, change, err := now.More(t.Context())
		if err != nil {
			t.Error(err)
			tell()
			return
		}
		if now != first {
			now.Close()
		}
		if now = next; change == homefs.Grown {
			tell()
		}
		before := told(t, now)
		for turn := max(0, len(now.Tree.Turns)-3); turn < len(now.Tree.Turns); turn++ {
			if _, err := now.Entries(turn); err != nil {
				t.Error(err)
			}
		}
		if told(t, now) != before {
			t.Error("a version changed while it was read")
		}
		select {
		case <-done:
			now.Close()
			return
		default:
		}
	}
}

// talkLine is a line of an answer.
func talkLine(uuid, message, parent, usage string) string {
	return `{"type":"assistant","uuid":"` + uuid + `","parentUuid":"` + parent + `","message":{"id":"` + message +
		`","model":"x","usage":` + usage + `,"content":[{"type":"text","text":"some words of an answer"}]}}`
}

// writeTalk writes a session of n messages, a prompt and nine answers in turn.
func writeTalk(to *bytes.Buffer, n int) {
	parent := ""
	for i := range n {
		uuid := fmt.Sprintf("%08d-0000-4000-8000-000000000000", i)
		switch i % 10 {
		case 0:
			to.WriteString(userLine(uuid, parent, fmt.Sprint("prompt ", i)))
		default:
			to.WriteString(talkLine(uuid, fmt.Sprintf("msg_%024d", i), parent, `{"input_tokens":3,"output_tokens":9}`))
		}
		to.WriteByte('\n')
		parent = uuid
	}
}

// BenchmarkMore reads one line more of a session of 50,000 messages: one that
// goes on at the end, and one that starts a branch.
func BenchmarkMore(b *testing.B) {
	b.Run("line", func(b *testing.B) { benchmarkMore(b, func(last string) string { return last }) })
	b.Run("branch", func(b *testing.B) {
		benchmarkMore(b, func(string) string { return "00000777-0000-4000-8000-000000000000" })
	})
}

func benchmarkMore(b *testing.B, parent func(last string) string) {
	const messages = 50_000
	var data bytes.Buffer
	writeTalk(&data, messages)
	dir := b.TempDir()
	file := filepath.Join(dir, filepath.FromSlash(tailName))
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, data.Bytes(), 0o600)); err != nil {
		b.Fatal(err)
	}
	s, err := sesskeep.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	now, err := s.Read(tailName)
	if err != nil {
		b.Fatal(err)
	}
	last := now.Digest.Chain[len(now.Digest.Chain)-1].UUID
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		uuid := fmt.Sprintf("%08d-0000-4000-8000-000000000000", messages+i)
		storetest.Append(b, file, talkLine(uuid, "n"+uuid, parent(last), `{"input_tokens":3}`))
		last = uuid
		b.StartTimer()
		next, _, err := now.More(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		now.Close()
		now = next
	}
	if len(now.Tree.Turns) < messages {
		b.Fatal(len(now.Tree.Turns))
	}
}

// Memory is an estimate, but one to rely on.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it is concurrent")
	}
	var data bytes.Buffer
	writeTalk(&data, 20_000)
	s := openHome(t, "-- projects/-w/.keep --\n")
	storetest.AppendBytes(t, s.Path(tailName), data.Bytes())
	before := storetest.Heap()
	now, err := s.Read(tailName)
	if err != nil {
		t.Fatal(err)
	}
	defer now.Close()
	held := storetest.Heap() - before
	if told := now.Memory(); told < held/2 || told > held*2 {
		t.Errorf("it holds %d bytes and tells of %d", held, told)
	}
	t.Logf("%d bytes a line, told %d", held/20_000, now.Memory()/20_000)
	runtime.KeepAlive(now)
}
