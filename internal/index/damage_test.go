package index

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
	"sesskeep/internal/lock"
	"sesskeep/internal/storetest"

	"modernc.org/sqlite"
)

// damageHome is small, but has something of everything.
func damageHome(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	if _, err := storetest.Make(home, storetest.Size{Sessions: 12, Agents: 10, Projects: 4, Bytes: 1 << 20}, 3); err != nil {
		t.Fatal(err)
	}
	writeKin(t, home)
	return home
}

// damage is something that can happen to the files of a closed index.
type damage struct {
	name string
	do   func(t *testing.T, rng *rand.Rand, path string)
}

var damages = []damage{
	{"flip a byte", func(t *testing.T, rng *rand.Rand, path string) {
		patch(t, path, func(data []byte) { data[rng.IntN(len(data))] ^= 1 << rng.IntN(8) })
	}},
	{"flip a byte of a page's head", func(t *testing.T, rng *rand.Rand, path string) {
		patch(t, path, func(data []byte) { data[rng.IntN(len(data)>>14)<<14+rng.IntN(12)] ^= 1 << rng.IntN(8) })
	}},
	{"flip many bytes", func(t *testing.T, rng *rand.Rand, path string) {
		patch(t, path, func(data []byte) {
			for range 200 {
				data[rng.IntN(len(data))] ^= byte(rng.IntN(256))
			}
		})
	}},
	{"truncate", func(t *testing.T, rng *rand.Rand, path string) {
		must(t, os.Truncate(path, rng.Int64N(size(t, path))))
	}},
	{"truncate at a page", func(t *testing.T, rng *rand.Rand, path string) {
		must(t, os.Truncate(path, rng.Int64N(size(t, path)>>14)<<14))
	}},
	{"grow", func(t *testing.T, rng *rand.Rand, path string) {
		must(t, os.Truncate(path, size(t, path)+rng.Int64N(1<<16)+1))
	}},
	{"zero a page", func(t *testing.T, rng *rand.Rand, path string) {
		patch(t, path, func(data []byte) { clear(data[rng.IntN(len(data)>>14)<<14:][:1<<14]) })
	}},
	{"swap two pages", func(t *testing.T, rng *rand.Rand, path string) {
		patch(t, path, func(data []byte) {
			a, b := data[rng.IntN(len(data)>>14)<<14:][:1<<14], data[rng.IntN(len(data)>>14)<<14:][:1<<14]
			for i := range a {
				a[i], b[i] = b[i], a[i]
			}
		})
	}},
	{"overwrite the header", func(t *testing.T, rng *rand.Rand, path string) {
		patch(t, path, func(data []byte) { fill(rng, data[rng.IntN(16):100]) })
	}},
	{"garbage", func(t *testing.T, rng *rand.Rand, path string) {
		patch(t, path, func(data []byte) { fill(rng, data) })
	}},
	{"empty", func(t *testing.T, rng *rand.Rand, path string) { must(t, os.Truncate(path, 0)) }},
	{"missing", func(t *testing.T, rng *rand.Rand, path string) { must(t, os.Remove(path)) }},
	{"an empty directory", func(t *testing.T, rng *rand.Rand, path string) {
		must(t, os.Remove(path))
		must(t, os.Mkdir(path, 0o700))
	}},
	{"a symbolic link", func(t *testing.T, rng *rand.Rand, path string) {
		must(t, os.Rename(path, path+".old"))
		must(t, os.Symlink(path+".old", path))
	}},
	{"a log of garbage", func(t *testing.T, rng *rand.Rand, path string) {
		data := make([]byte, 1+rng.IntN(1<<16))
		fill(rng, data)
		must(t, os.WriteFile(path+"-wal", data, 0o600))
	}},
	{"shared memory of garbage", func(t *testing.T, rng *rand.Rand, path string) {
		data := make([]byte, 1<<15)
		fill(rng, data)
		must(t, os.WriteFile(path+"-shm", data, 0o600))
	}},
	{"a directory for a log", func(t *testing.T, rng *rand.Rand, path string) {
		must(t, os.RemoveAll(path+"-wal"))
		must(t, os.Mkdir(path+"-wal", 0o700))
	}},
	{"a directory for shared memory", func(t *testing.T, rng *rand.Rand, path string) {
		must(t, os.RemoveAll(path+"-shm"))
		must(t, os.Mkdir(path+"-shm", 0o700))
	}},
	{"a journal", func(t *testing.T, rng *rand.Rand, path string) {
		must(t, os.WriteFile(path+"-journal", []byte("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7garbage"), 0o600))
	}},
	{"an older schema", func(t *testing.T, rng *rand.Rand, path string) {
		for _, name := range []string{path, path + "-wal", path + "-shm"} {
			must(t, os.RemoveAll(name))
		}
		edit(t, path, "PRAGMA journal_mode = wal; CREATE TABLE root (id INTEGER PRIMARY KEY); CREATE TABLE file (id INTEGER PRIMARY KEY)")
	}},
	{"another's edit", func(t *testing.T, rng *rand.Rand, path string) {
		edit(t, path, "UPDATE row SET title = 'wrong', messages = messages + 1; UPDATE usage SET output = output * 2")
	}},
	{"no seal", func(t *testing.T, rng *rand.Rand, path string) { must(t, os.Remove(sealOf(path))) }},
	{"half a seal", func(t *testing.T, rng *rand.Rand, path string) { must(t, os.Truncate(sealOf(path), 20)) }},
	{"a seal of garbage", func(t *testing.T, rng *rand.Rand, path string) {
		must(t, os.WriteFile(sealOf(path), []byte("\x00\xff{"), 0o600))
	}},
	{"everything of another time", func(t *testing.T, rng *rand.Rand, path string) {
		data, err := os.ReadFile(path)
		must(t, err)
		edit(t, path, "DELETE FROM extent; DELETE FROM row WHERE file % 2")
		must(t, os.WriteFile(path+".copy", data, 0o600))
		must(t, os.Rename(path+".copy", path))
	}},
}

func sealOf(path string) string { return strings.TrimSuffix(path, ".db") + ".seal" }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	must(t, err)
	return info.Size()
}

func fill(rng *rand.Rand, data []byte) {
	for i := range data {
		data[i] = byte(rng.Uint32())
	}
}

// patch changes a file in its place.
func patch(t *testing.T, path string, change func(data []byte)) {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	change(data)
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	must(t, err)
	_, err = f.WriteAt(data, 0)
	must(t, err)
	must(t, f.Close())
}

// edit changes a database as another program would.
func edit(t *testing.T, path, statements string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	must(t, err)
	_, err = db.Exec(statements)
	must(t, err)
	must(t, db.Close())
}

// Whatever happens to the files of a closed index: opening and refreshing it
// gives the same answers as a fresh one, without a word to the user.
func TestDamage(t *testing.T) {
	home, dir := damageHome(t), t.TempDir()
	want := freshAnswers(t, home)
	path := db.Path(dir)
	fillIndex(t, dir, home)
	rng := rand.New(rand.NewPCG(13, number(t, "SESSKEEP_SEED", 1)))
	for i := range int(number(t, "SESSKEEP_DAMAGE", uint64(len(damages)))) {
		d := damages[i%len(damages)]
		d.do(t, rng, path)
		x := openAt(t, dir)
		must(t, x.Degraded())
		refreshAll(t, x, home)
		compareAnswers(t, fmt.Sprintf("%d: %s", i, d.name), mustAnswer(t, x, home), want)
		must(t, x.Close())
		if found, err := db.Inspect(dir); err != nil || found != db.Intact {
			t.Fatalf("%s: the index is not sealed: %v, %v", d.name, found, err)
		}
	}
}

func fillIndex(t *testing.T, dir, home string) {
	t.Helper()
	x := openAt(t, dir)
	must(t, x.Degraded())
	refreshAll(t, x, home)
	must(t, x.Close())
}

// Damage that comes with a seal that fits, or while a log is being folded in,
// reaches SQLite and our own code: no panic, and no error but one that says
// what to do. A flipped bit in a text cannot be distinguished from a text; that is what
// the seal is for.
func TestDamageBehindTheSeal(t *testing.T) {
	home, dir := damageHome(t), t.TempDir()
	want := freshAnswers(t, home)
	path := db.Path(dir)
	rng := rand.New(rand.NewPCG(17, number(t, "SESSKEEP_SEED", 1)))
	var noticed, rebuilt int
	unnoticed := map[string]int{}
	for i := range int(number(t, "SESSKEEP_DAMAGE", 27)) {
		fillIndex(t, dir, home)
		d := damages[i%9] // those that leave a file
		d.do(t, rng, path)
		state := []string{"clean", "folding"}[rng.IntN(2)]
		forge(t, path, state)
		before := stampOf(t, path)
		x := openAt(t, dir)
		must(t, x.Degraded())
		if stampOf(t, path).Inode != before.Inode {
			rebuilt++
		}
		got, err := answers(x, home)
		if err == nil {
			if _, err = x.Walk(t.Context(), []ask.Home{homeAt(t, home)}, Options{}); err == nil {
				got, err = answers(x, home)
			}
		}
		switch {
		case err == nil && fmt.Sprint(got) != fmt.Sprint(want), errors.Is(err, errBrief): // a text in one of the two places it is in
			unnoticed[state]++
		case err != nil && !db.IsDamage(err):
			t.Fatalf("%s: %v", d.name, err)
		case err != nil:
			noticed++
		}
		must(t, x.Rebuild(t.Context()))
		refreshAll(t, x, home)
		compareAnswers(t, d.name, mustAnswer(t, x, home), want)
		must(t, x.Close())
	}
	t.Logf("%d rebuilt when opened, %d noticed by a query, not at all: %v", rebuilt, noticed, unnoticed)
}

// stampOf is how a file looks; what is missing looks like nothing.
func stampOf(t *testing.T, path string) homefs.Mark {
	t.Helper()
	dir, err := sesskeep.Open(filepath.Dir(path))
	must(t, err)
	m, _ := dir.Files().Stamp(filepath.Base(path))
	m.Device = 0
	return m
}

// forge seals whatever is there.
func forge(t *testing.T, path, state string) {
	t.Helper()
	body, err := os.ReadFile(sealOf(path))
	must(t, err)
	var seal map[string]any
	must(t, json.Unmarshal(body, &seal))
	seal["state"] = state
	for key, name := range map[string]string{"db": path, "log": path + "-wal"} {
		m := stampOf(t, name)
		seal[key] = map[string]any{"size": m.Size, "modtime": m.Modtime, "changed": m.Changed, "inode": m.Inode}
	}
	body, err = json.Marshal(seal)
	must(t, err)
	must(t, os.WriteFile(sealOf(path), body, 0o600))
}

// age makes all directories of a home old: a directory that
// changed just now is not trusted, and listed again.
func age(t *testing.T, home string) {
	t.Helper()
	old := time.Now().Add(-time.Hour)
	must(t, filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return os.Chtimes(path, old, old)
	}))
}

// A good index is not thrown away, whatever state its writer left it in.
func TestGoodIsKept(t *testing.T) {
	home, dir := damageHome(t), t.TempDir()
	age(t, home)
	want := freshAnswers(t, home)
	path := db.Path(dir)
	age(t, home)
	fillIndex(t, dir, home)
	made := stampOf(t, path)
	for _, state := range []string{"clean", "writing", "folding"} {
		forge(t, path, state)
		x := openAt(t, dir)
		if r := refreshAll(t, x, home); r.Read != 0 {
			t.Errorf("%s: %d files were read again", state, r.Read)
		}
		compareAnswers(t, state, mustAnswer(t, x, home), want)
		must(t, x.Close())
		if stampOf(t, path).Inode != made.Inode {
			t.Errorf("%s: the index was rebuilt", state)
		}
	}
	made = stampOf(t, path)
	for range 3 {
		fillIndex(t, dir, home)
	}
	if now := stampOf(t, path); now != made {
		t.Errorf("looking at it changed it from %+v to %+v", made, now)
	}
}

// Damage that comes while an index is open is noticed by the next refresh, and
// concurrent readers continue.
func TestDamageWhileOpen(t *testing.T) {
	home, dir := damageHome(t), t.TempDir()
	want := freshAnswers(t, home)
	x := openAt(t, dir)
	defer x.Close()
	refreshAll(t, x, home)
	for i, d := range damages {
		if d.name == "shared memory of garbage" || i%int(1/pace) != 0 { // it is in use
			continue
		}
		done := make(chan struct{})
		stop := make(chan struct{})
		go func() {
			defer close(done)
			for {
				select {
				case <-stop:
					return
				default:
					_, _ = x.List(context.Background(), ask.Filter{}) // may fail, must not panic
					time.Sleep(time.Millisecond)
				}
			}
		}()
		vandalise(t, d.name, db.Path(dir))
		r, err := x.Walk(t.Context(), []ask.Home{homeAt(t, home)}, Options{})
		close(stop)
		<-done
		if err != nil || r.Behind {
			t.Fatalf("%s: %+v, %v", d.name, r, err)
		}
		compareAnswers(t, d.name, mustAnswer(t, x, home), want)
	}
	must(t, os.RemoveAll(dir))
	refreshAll(t, x, home)
	compareAnswers(t, "no directory", mustAnswer(t, x, home), want)
}

// vandalise damages a file from another process: SQLite loses its locks on a
// file that its own process opens and closes besides.
func vandalise(t *testing.T, what, path string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestVandal$")
	cmd.Env = append(os.Environ(), "SESSKEEP_TEST_DAMAGE="+what, "SESSKEEP_TEST_INDEX="+path)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %s", what, out)
	}
}

// TestVandal is not a test: it is what vandalise runs.
func TestVandal(t *testing.T) {
	what := os.Getenv("SESSKEEP_TEST_DAMAGE")
	if what == "" {
		t.Skip("started by other tests")
	}
	for _, d := range damages {
		if d.name == what {
			d.do(t, rand.New(rand.NewPCG(rand.Uint64(), 1)), os.Getenv("SESSKEEP_TEST_INDEX"))
		}
	}
}

// What cannot be kept on disk is kept in memory, and says so.
func TestDegraded(t *testing.T) {
	home := damageHome(t)
	want := freshAnswers(t, home)
	for name, prepare := range map[string]func(dir string){
		"a directory that is in use": func(dir string) {
			must(t, os.MkdirAll(filepath.Join(db.Path(dir), "x"), 0o700))
		},
		"a lock that is a directory": func(dir string) { must(t, os.Mkdir(filepath.Join(dir, "index.lock"), 0o700)) },
		"a file for a directory": func(dir string) {
			must(t, os.Remove(dir))
			must(t, os.WriteFile(dir, nil, 0o600))
		},
		"a directory that cannot be written": func(dir string) {
			must(t, os.Chmod(dir, 0o500))
			t.Cleanup(func() { os.Chmod(dir, 0o700) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			prepare(dir)
			x := openAt(t, dir)
			defer x.Close()
			if x.Degraded() == nil && os.Getuid() != 0 {
				t.Error("not degraded")
			}
			t.Log(x.Degraded())
			refreshAll(t, x, home)
			compareAnswers(t, name, mustAnswer(t, x, home), want)
		})
	}
}

// A full disk ends a refresh with an error; what was there is still there, and
// it continues when there is room.
func TestFullDisk(t *testing.T) {
	home, dir := damageHome(t), t.TempDir()
	x := openAt(t, dir)
	defer x.Close()
	refreshAll(t, x, home)
	before := mustAnswer(t, x, home)
	edition := x.Edition()
	extra := filepath.Join(home, "projects", "-w-kin", "99999999-0000-4000-8000-000000000000.jsonl")
	line := `{"type":"user","uuid":"%d","timestamp":"2026-11-02T00:00:00.000Z","message":{"role":"user","content":"%s"}}` + "\n"
	for i := range 400 {
		storetest.AppendBytes(t, extra, fmt.Appendf(nil, line, i, bytes.Repeat([]byte("words "), i)))
	}
	limitPages(t, x, 1)
	_, err := x.Walk(t.Context(), []ask.Home{homeAt(t, home)}, Options{})
	limitPages(t, x, 1<<30)
	var full *sqlite.Error
	if !errors.As(err, &full) || full.Code() != 13 || db.IsDamage(err) {
		t.Fatalf("%v is not what a full disk gives", err)
	}
	compareAnswers(t, "after the error", mustAnswer(t, x, home), before)
	refreshAll(t, x, home)
	compareAnswers(t, "with room", mustAnswer(t, x, home), freshAnswers(t, home))
	if x.Edition() != edition {
		t.Error("the index was rebuilt")
	}
}

// limitPages lets the file of an index grow no further than to so many pages, or than
// it is: the one connection that writes keeps that in mind.
func limitPages(t *testing.T, x *Index, pages int) {
	t.Helper()
	must(t, x.db.Write(t.Context(), time.Minute, func(tx *sql.Tx) error {
		_, err := tx.Exec(fmt.Sprintf("PRAGMA max_page_count = %d", pages))
		return err
	}))
}

// Filters and slices of a wrong length are damage, not a panic, and not an
// answer without what they hide.
func TestShortFilters(t *testing.T) {
	for _, statement := range []string{
		"INSERT INTO filter (block, length, bits) VALUES (1, 1, x'00')",
		"INSERT INTO slice (id, bits) VALUES (0, x'00')",
		"INSERT INTO slice (id, bits) VALUES (65535, x'00')",
	} {
		x := openAt(t, "")
		must(t, x.db.Write(t.Context(), 0, func(tx *sql.Tx) error {
			_, err := tx.Exec(statement)
			return err
		}))
		if _, err := blocksWith(x, []uint32{1000}); !db.IsDamage(err) {
			t.Errorf("%s: %v", statement, err)
		}
		if err := check(t.Context(), x.db); !db.IsDamage(err) {
			t.Errorf("%s is not found: %v", statement, err)
		}
		must(t, x.Close())
	}
}

func TestDamagedKnowsItsErrors(t *testing.T) {
	for _, err := range []error{nil, context.Canceled, os.ErrNotExist, lock.ErrHeld, sql.ErrNoRows, errors.New("unknown sort")} {
		if db.IsDamage(err) {
			t.Errorf("%v is taken for damage", err)
		}
	}
	if !db.IsDamage(fmt.Errorf("list: %w", db.ErrDamaged)) {
		t.Error("damage is not taken for damage")
	}
}
