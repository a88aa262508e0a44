package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/storetest"
)

const (
	idA = "11111111-0000-4000-8000-000000000000"
	idB = "22222222-0000-4000-8000-000000000000"
)

// world is a home with its vault, and a clock.
type world struct {
	t     *testing.T
	root  string
	dir   string
	usb   string // the second place, if there is one
	store *sesskeep.Store
	now   time.Time
	o     Options
}

// archive is a home with a file of every sort.
const archive = `
-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"a","sessionId":"11111111-0000-4000-8000-000000000000","message":{"role":"user","content":"hi"}}
-- projects/-w/11111111-0000-4000-8000-000000000000/subagents/agent-a1.jsonl --
{"type":"user","uuid":"b","isSidechain":true,"agentId":"a1","sessionId":"11111111-0000-4000-8000-000000000000"}
-- projects/-w/11111111-0000-4000-8000-000000000000/subagents/agent-a1.meta.json --
{"agentType":"general"}
-- projects/-w/11111111-0000-4000-8000-000000000000/tool-results/t1.txt --
a long output
-- projects/-w/agent-0badcafe.jsonl --
{"type":"user","uuid":"c","isSidechain":true,"agentId":"0badcafe","sessionId":"11111111-0000-4000-8000-000000000000"}
-- projects/-v/22222222-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"d","sessionId":"22222222-0000-4000-8000-000000000000","slug":"calm-sea","message":{"role":"user","content":"ho"}}
-- tasks/11111111-0000-4000-8000-000000000000/1.json --
{"id":"1"}
-- file-history/22222222-0000-4000-8000-000000000000/abc@v1 --
package main
-- todos/11111111-0000-4000-8000-000000000000-agent-11111111-0000-4000-8000-000000000000.json --
[]
-- plans/calm-sea.md --
# a plan
-- history.jsonl --
{"display":"hi"}
-- paste-cache/0123456789abcdef.txt --
pasted
-- .credentials.json --
secret
-- settings.json --
{}
`

func newWorld(t *testing.T) *world {
	w := &world{t: t, root: storetest.Home(t, archive), dir: t.TempDir(), now: time.Now().Add(time.Minute)}
	store, err := sesskeep.Open(w.root)
	w.check(err)
	w.store = store
	w.o = Options{Now: func() time.Time { return w.now }, Patience: 100 * time.Millisecond}
	return w
}

func (w *world) check(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// home opens the copies, as another process would.
func (w *world) home() *Home { return New(w.dir, w.o).Home("h") }

func (w *world) sweep() Kept {
	w.t.Helper()
	k, err := w.home().Keeper.Sweep(context.Background(), w.store, SweepOptions{})
	w.check(err)
	for _, p := range k.Problems {
		w.t.Errorf("keep %s: %v", p.Name, p.Err)
	}
	return k
}

func (w *world) path(name string) string { return filepath.Join(w.root, filepath.FromSlash(name)) }

func (w *world) write(name, text string) {
	w.t.Helper()
	w.check(os.MkdirAll(filepath.Dir(w.path(name)), 0o700))
	w.check(os.WriteFile(w.path(name), []byte(text), 0o600))
}

func (w *world) append(name, text string) {
	w.t.Helper()
	storetest.AppendBytes(w.t, w.path(name), []byte(text))
}

// files are the names of everything that must be kept.
func (w *world) files() map[string]string {
	w.t.Helper()
	files := map[string]string{}
	w.check(fs.WalkDir(os.DirFS(w.root), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || homefs.Denied(name) || name == "settings.json" {
			return err
		}
		data, err := os.ReadFile(w.path(name))
		files[name] = string(data)
		return err
	}))
	return files
}

// compare makes sure that the copies are these files.
func (w *world) compare(want map[string]string) {
	w.t.Helper()
	h := w.home()
	for name, text := range want {
		if got := readCopy(w.t, h, name); got != text {
			w.t.Errorf("copy of %s: %s, want %s", name, short(got), short(text))
		}
	}
	r, err := h.Checker.Verify(context.Background(), nil)
	w.check(err)
	for _, f := range r.Flaws {
		w.t.Errorf("verify: %+v", f)
	}
}

func short(text string) string {
	if len(text) > 60 {
		return fmt.Sprintf("%q… (%d bytes)", text[:60], len(text))
	}
	return fmt.Sprintf("%q", text)
}

func readCopy(t *testing.T, h *Home, name string) string {
	t.Helper()
	f, err := h.FS().Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "(none)"
	}
	if err != nil {
		t.Fatalf("open the copy of %s: %v", name, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<40))
	if err != nil {
		t.Fatalf("read the copy of %s: %v", name, err)
	}
	if info.Size() != int64(len(data)) {
		t.Errorf("copy of %s: its size is %d, and it has %d bytes", name, info.Size(), len(data))
	}
	return string(data)
}

// readAll reads an open copy.
func readAll(t *testing.T, f homefs.File) string {
	t.Helper()
	data, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<40))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Everything of every family is kept, and nothing else; a second time nothing is
// written.
func TestSweep(t *testing.T) {
	w := newWorld(t)
	want := w.files()
	if k := w.sweep(); k.Copied != len(want) || k.Families != 2 {
		t.Errorf("kept %+v, want %d files", k, len(want))
	}
	w.compare(want)
	before := tree(t, w.dir)
	if k := w.sweep(); k.Copied+k.Gone > 0 {
		t.Errorf("kept again: %+v", k)
	}
	if after := tree(t, w.dir); after != before {
		t.Errorf("a second sweep wrote:\n%s\nbefore:\n%s", after, before)
	}
	for _, secret := range []string{".credentials.json", "settings.json"} {
		if got := readCopy(t, w.home(), secret); got != "(none)" {
			t.Errorf("%s was kept", secret)
		}
	}
}

// tree lists what is below a directory with its sizes.
func tree(t *testing.T, dir string) string {
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %d %08x\n", path[len(dir):], len(data), homefs.Sum(0, data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A file that grows goes on where it was, through ends and frames, whatever the
// pieces and whether it rests in between.
func TestGrows(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	w := newWorld(t)
	name := "projects/-w/" + idA + ".jsonl"
	for i := range 60 {
		w.append(name, lines(rnd, rnd.IntN(300_000)))
		if i%7 == 3 {
			w.append(name, `{"half":"a li`) // its end comes later
		}
		w.now = time.Now().Add(time.Duration(rnd.IntN(20)) * time.Minute)
		w.sweep()
		if i%10 == 9 {
			w.compare(w.files())
		}
	}
	f, err := w.home().Family(idA)
	w.check(err)
	for _, m := range f.Members {
		if len(m.Versions) != 1 {
			t.Errorf("%s has %d versions", m.Name, len(m.Versions))
		}
	}
}

// A long file is copied in several transactions, and counted once.
func TestLong(t *testing.T) {
	w := newWorld(t)
	w.o.frame = 4096
	for _, name := range []string{mainA, "projects/-w/" + idA + "/tool-results/t1.txt"} {
		w.append(name, lines(rand.New(rand.NewPCG(5, 5)), 1<<20))
	}
	want := w.files()
	if k := w.sweep(); k.Copied != len(want) {
		t.Errorf("kept %+v, want %d files", k, len(want))
	}
	w.compare(want)
	if k := w.sweep(); k.Copied > 0 {
		t.Errorf("kept again: %+v", k)
	}
}

// lines makes lines of about so many bytes that are not all alike.
func lines(rnd *rand.Rand, size int) string {
	var b strings.Builder
	for b.Len() < size {
		fmt.Fprintf(&b, `{"type":"user","uuid":"%x","text":"%s"}`+"\n", rnd.Uint64(), strings.Repeat("word ", rnd.IntN(60)))
	}
	return b.String()
}

// What is rewritten, cut or replaced becomes another version, and the old one
// stays. What was only touched, or put back, does not.
func TestVersions(t *testing.T) {
	main := "projects/-w/" + idA + ".jsonl"
	old := strings.Repeat("line one\n", 1000)
	for _, tt := range []struct {
		name string
		do   func(w *world)
		want int
	}{
		{"grown", func(w *world) { w.append(main, "more\n") }, 1},
		{"touched", func(w *world) { w.check(os.Chtimes(w.path(main), time.Time{}, time.Now().Add(time.Hour))) }, 1},
		{"put back", func(w *world) {
			w.check(os.Remove(w.path(main)))
			w.sweep()
			w.write(main, old)
		}, 1},
		{"put back and grown", func(w *world) {
			w.write(main+".new", old+"more\n")
			w.check(os.Rename(w.path(main+".new"), w.path(main)))
		}, 1},
		{"cut", func(w *world) { w.check(os.Truncate(w.path(main), 100)) }, 2},
		{"cut to nothing", func(w *world) { w.check(os.Truncate(w.path(main), 0)) }, 2},
		{"rewritten in place", func(w *world) { w.write(main, strings.Repeat("line two\n", 1000)) }, 2},
		{"rewritten and grown", func(w *world) { w.write(main, strings.Repeat("line two\n", 1001)) }, 2},
		{"replaced", func(w *world) { w.write(main+".new", "other\n"); w.check(os.Rename(w.path(main+".new"), w.path(main))) }, 2},
	} {
		for _, rest := range []time.Duration{time.Minute, time.Hour} {
			t.Run(fmt.Sprint(tt.name, rest), func(t *testing.T) {
				w := newWorld(t)
				w.now = time.Now().Add(rest)
				w.write(main, old)
				w.sweep()
				tt.do(w)
				w.sweep()
				w.compare(w.files())
				f, err := w.home().Family(idA)
				w.check(err)
				for _, m := range f.Members {
					if m.Name == main && len(m.Versions) != tt.want {
						t.Errorf("%d versions, want %d", len(m.Versions), tt.want)
					}
					if m.Name == main && tt.want > 1 {
						r, err := m.OpenVersion(m.Versions[len(m.Versions)-1].Number)
						w.check(err)
						defer r.Close()
						data, err := io.ReadAll(io.NewSectionReader(r, 0, 1<<30))
						w.check(err)
						if string(data) != old {
							t.Errorf("the old version is %s", short(string(data)))
						}
					}
				}
			})
		}
	}
}

// What is deleted stays as it was, in a home that is backed by its copies, with
// the marks of its sources; so does a home that is gone as a whole.
func TestBacked(t *testing.T) {
	w := newWorld(t)
	w.sweep()
	want := w.files()
	marks := map[string]homefs.Mark{}
	for name := range want {
		marks[name], _ = w.store.Files().Stamp(name)
	}
	before := folders(t, w.store)
	look := func(what string) {
		t.Helper()
		home, err := homefs.OpenBacked(w.root, w.home().FS())
		w.check(err)
		backed := sesskeep.New(home)
		for name, text := range want {
			data, err := backed.Files().ReadFile(name, 1<<30)
			if err != nil || string(data) != text {
				t.Errorf("%s: %s is %q (%v)", what, name, data, err)
			}
			_, err = os.Lstat(w.path(name))
			if copied := errors.Is(err, fs.ErrNotExist); backed.Files().Copied(name) != copied {
				t.Errorf("%s: Copied(%s) = %v", what, name, !copied)
			}
			if mark, ok := backed.Files().Stamp(name); !ok || mark != marks[name] {
				t.Errorf("%s: %s has the mark %+v, want %+v", what, name, mark, marks[name])
			}
		}
		if after := folders(t, backed); after != before {
			t.Errorf("%s: folders are\n%s, were\n%s", what, after, before)
		}
	}
	look("nothing deleted")
	for name := range want {
		w.check(os.Remove(w.path(name)))
		look(name + " deleted")
	}
	k := w.sweep()
	if k.Gone != len(want) {
		t.Errorf("%d files are gone, want %d", k.Gone, len(want))
	}
	w.check(os.RemoveAll(w.root))
	look("home deleted")
}

// A copy that comes or goes behind a file that is gone changes the time of its
// folder: whoever has listed it lists it again.
func TestBackedStamp(t *testing.T) {
	w := newWorld(t)
	w.sweep()
	home, err := homefs.OpenBacked(w.root, w.home().FS())
	w.check(err)
	backed := sesskeep.New(home)
	folder := filepath.Dir(mainA)
	stamp := func() homefs.Mark {
		mark, _ := backed.Files().Stamp(folder)
		return mark
	}
	w.check(os.Remove(w.path(mainA)))
	before := stamp()
	later := time.Now().Add(time.Minute)
	w.check(os.Chtimes(filepath.Join(w.home().layout.dir, folder), later, later)) // as if one came in a minute
	if after := stamp(); after == before {
		t.Errorf("the folder looks as it did: %+v", after)
	}
}

func folders(t *testing.T, s *sesskeep.Store) string {
	list, err := s.Folders()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range list {
		for _, r := range f.Refs {
			fmt.Fprintln(&b, r.File, r.Session, r.Agent, r.Layout, r.Size, r.Stat)
		}
		fmt.Fprintln(&b, f.Dir, f.Results, len(f.Problems))
	}
	return b.String()
}

// Every bit that is flipped in any file of the vault is found.
func TestVerify(t *testing.T) {
	w := newWorld(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	w.append("projects/-w/"+idA+".jsonl", lines(rnd, 3<<20))
	w.sweep()
	w.append("projects/-w/"+idA+".jsonl", lines(rnd, 100_000))
	w.write("plans/calm-sea.md", "# another plan")
	w.sweep()
	w.compare(w.files())
	var files []string
	var sizes []int64
	var total int64
	w.check(filepath.WalkDir(w.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasSuffix(e.Name(), "lock") || e.Name() == healthName { // which says what is found
			return err
		}
		info, err := e.Info()
		files, sizes, total = append(files, path), append(sizes, info.Size()), total+info.Size()
		return err
	}))
	flips := 300
	if os.Getenv("SESSKEEP_CRASH") != "" {
		flips = 5000
	}
	for n := range flips {
		i, at := 0, int64(0)
		if n%2 == 0 { // half of them in the small files too
			i = rnd.IntN(len(files))
			if sizes[i] == 0 {
				continue
			}
			at = rnd.Int64N(sizes[i])
		} else {
			for at = rnd.Int64N(total); at >= sizes[i]; i++ {
				at -= sizes[i]
			}
		}
		flip(t, files[i], at, byte(1)<<rnd.IntN(8))
		r, err := w.home().Checker.Verify(context.Background(), nil)
		if err == nil && len(r.Flaws) == 0 {
			t.Errorf("a flipped bit at %d of %s was not found", at, files[i])
		}
		flip(t, files[i], at, 0)
	}
	w.compare(w.files())
}

var flipped byte

// flip flips a bit of a file, or flips the last one back.
func flip(t *testing.T, path string, at int64, bit byte) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bit == 0 {
		bit = flipped
	}
	flipped = bit
	data[at] ^= bit
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Of a damaged copy nothing wrong is read.
func TestDamaged(t *testing.T) {
	w := newWorld(t)
	name := "projects/-w/" + idA + ".jsonl"
	w.now = time.Now().Add(time.Hour)
	w.sweep()
	flip(t, filepath.Join(w.dir, "h/projects/-w", idA+".box/frames"), 20, 4)
	f, err := w.home().FS().Open(name)
	w.check(err)
	defer f.Close()
	if _, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<30)); !errors.Is(err, ErrDamaged) {
		t.Errorf("read: %v", err)
	}
}

// A family is kept as a whole, with what lies around it.
func TestKeepFamily(t *testing.T) {
	w := newWorld(t)
	_, err := w.home().Keeper.KeepFamily(context.Background(), w.store, idA)
	w.check(err)
	want := w.files()
	f, err := w.home().Family(idA)
	w.check(err)
	var got []string
	for _, m := range f.Members {
		got = append(got, m.Name)
		r, err := m.Open()
		w.check(err)
		data, err := io.ReadAll(io.NewSectionReader(r, 0, m.Size+1))
		w.check(errors.Join(err, r.Close()))
		if !bytes.Equal(data, []byte(want[m.Name])) {
			t.Errorf("%s: %q", m.Name, data)
		}
	}
	if len(got) != 7 {
		t.Errorf("members: %v", got)
	}
	if _, err := w.home().Family(idB); !errors.Is(err, sesskeep.ErrNotFound) {
		t.Errorf("the other family: %v", err)
	}
}
