//go:build linux && (amd64 || arm64)

package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"sesskeep/internal/sealed"
	"sesskeep/internal/storetest/readfault"

	"github.com/rogpeppe/go-internal/txtar"
)

// A faultWorld is a place with two homes of Claude and all that we keep ourselves, in
// which commands run under faults. What they change is put back before the next one.
type faultWorld struct {
	root    string // everything is below it
	name    string // of root, as the client names directories of projects
	program string
	saved   string                 // a copy of everything
	known   map[string]os.FileInfo // what lies below root since it was put back, by path
	token   string                 // the id of the one token there is
}

// fileTime is when everything in the world was written.
var fileTime = time.Date(2026, 11, 14, 13, 0, 0, 0, time.UTC)

// newFaultWorld makes the world of testdata/faults: its files, and what the commands
// above them add.
func newFaultWorld(t testing.TB, dir string) *faultWorld {
	t.Helper()
	fast := fastDir(t, dir)
	w := &faultWorld{root: filepath.Join(fast, "world"), program: filepath.Join(dir, "sesskeep"), saved: filepath.Join(fast, "saved")}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	w.name = regexp.MustCompile(`[^a-zA-Z0-9]`).ReplaceAllString(w.root, "-")
	check(os.MkdirAll(w.root, 0o755))
	check(linkOrCopy(os.Args[0], w.program)) // hooks are known by the name of the program
	archive, err := txtar.ParseFile("testdata/faults/world.txtar")
	check(err)
	for _, f := range archive.Files {
		path := filepath.Join(w.root, w.place(f.Name))
		check(os.MkdirAll(filepath.Dir(path), 0o700))
		check(os.WriteFile(path, []byte(w.place(string(f.Data))), 0o600))
		check(os.Chtimes(path, fileTime, fileTime))
	}
	for line := range strings.Lines(string(archive.Comment)) {
		if line = strings.TrimSpace(w.place(line)); line != "" && !strings.HasPrefix(line, "#") {
			w.furnish(t, line)
		}
	}
	copyMissing(t, w.root, w.saved)
	w.known = w.list(t)
	w.learnToken(t)
	return w
}

// fastDir is a directory in memory, where there is one: commands wait for the disk more
// than for anything else.
func fastDir(t testing.TB, dir string) string {
	t.Helper()
	fast, err := os.MkdirTemp("/dev/shm", "sesskeep")
	if err != nil {
		return dir
	}
	t.Cleanup(func() { _ = os.RemoveAll(fast) })
	return fast
}

func (w *faultWorld) learnToken(t testing.TB) {
	t.Helper()
	got, err := w.run(t.Context(), faultLine{args: []string{"token", "ls", "--jq", ".tokens[0].id"}}, readfault.Site{})
	if err != nil || got.Exit != 0 {
		t.Fatalf("token ls: %v: %s", err, got.Stderr)
	}
	w.token = strings.TrimSpace(got.Stdout)
}

func linkOrCopy(from, to string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o755)
}

// place puts the place of the world where the archive has WORLD.
func (w *faultWorld) place(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "WORLDNAME", w.name), "WORLD", w.root)
}

// unplaced is a text without the place of the world, the same in all worlds.
func (w *faultWorld) unplaced(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, w.root, "WORLD"), w.name, "WORLDNAME")
}

// furnish does what a line above the files says: run a command, remove something, seal a
// file, or give the end of a run what it has when the program writes it.
func (w *faultWorld) furnish(t testing.TB, line string) {
	t.Helper()
	line, input, _ := strings.Cut(line, " < ")
	words := strings.Fields(line)
	var err error
	switch words[0] {
	case "rm":
		err = os.RemoveAll(filepath.Join(w.root, words[1]))
	case "mv":
		err = os.Rename(filepath.Join(w.root, words[1]), filepath.Join(w.root, words[2]))
	case "end":
		err = sealEnd(filepath.Join(w.root, words[1]))
	case "seal":
		err = seal(filepath.Join(w.root, words[1]))
	case "sesskeep":
		w.furnishBy(t, line, words[1:], input)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func seal(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, sealed.Seal(text), 0o600)
}

func sealEnd(path string) error {
	var object map[string]any
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &object)
	}
	if err != nil {
		return err
	}
	log, err := os.ReadFile(filepath.Join(filepath.Dir(path), "log.jsonl"))
	if err != nil {
		return err
	}
	life, err := os.ReadFile(filepath.Join(filepath.Dir(path), "life.jsonl"))
	if err != nil {
		return err
	}
	object["version"] = 1
	object["left"] = map[string]any{"log": len(log), "life": len(life), "lifeSum": fmt.Sprintf("%x", sha256.Sum256(life))[:16]}
	if text, err = json.MarshalIndent(object, "", "  "); err != nil {
		return err
	}
	return os.WriteFile(path, sealed.Seal(text), 0o600)
}

func (w *faultWorld) furnishBy(t testing.TB, line string, args []string, input string) {
	t.Helper()
	order := w.order(args)
	if input != "" {
		data, err := os.ReadFile(filepath.Join(w.root, input))
		if err != nil {
			t.Fatal(err)
		}
		order.Stdin = string(data)
	}
	order.Dir = w.root
	got, err := readfault.Run(t.Context(), order)
	if err != nil || got.Exit != 0 {
		t.Fatalf("%s: exit code %d, %v: %s", line, got.Exit, err, got.Stderr)
	}
}

// order is a command line in the world.
func (w *faultWorld) order(args []string) readfault.Order {
	home := filepath.Join(w.root, "home")
	return readfault.Order{
		Launcher: os.Args[0], Args: append([]string{w.program}, args...), Dir: filepath.Join(w.root, "app"), Below: w.root,
		Env: []string{"HOME=" + home, "CLAUDE_CONFIG_DIR=" + home + "/.claude," + home + "/.claude-work",
			"NOW=2026-11-15T12:00:00Z", "TZ=UTC", "LANG=C.UTF-8", "PATH=/usr/bin:/bin",
			"GOGC=off", "GOMAXPROCS=1"}, // a short life needs no collection, and no threads,
	}
}

// stuck is how long a command may take, on a machine that is very busy.
const stuck = time.Minute

// run runs a command line with a fault.
func (w *faultWorld) run(ctx context.Context, line faultLine, fault readfault.Site) (readfault.Result, error) {
	return w.runOrder(ctx, line, func(o *readfault.Order) { o.Fault = fault })
}

// runOrder runs a command line. What it gives does not name the place of the world.
func (w *faultWorld) runOrder(ctx context.Context, line faultLine, amend func(*readfault.Order)) (readfault.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, stuck)
	defer cancel()
	var args []string
	for _, arg := range line.args {
		args = append(args, strings.ReplaceAll(w.place(arg), "TOKEN", w.token))
	}
	order := w.order(args)
	amend(&order)
	order.Stdin = w.place(line.stdin)
	if line.apart {
		cache := w.saved + "-cache"
		if err := os.RemoveAll(cache); err != nil {
			return readfault.Result{}, err
		}
		order.Env = append(order.Env, "XDG_CACHE_HOME="+cache)
	}
	got, err := readfault.Run(ctx, order)
	got.Stdout, got.Stderr = w.unplaced(got.Stdout), w.unplaced(got.Stderr)
	return got, err
}

// list is what lies below root.
func (w *faultWorld) list(t testing.TB) map[string]os.FileInfo {
	t.Helper()
	all := map[string]os.FileInfo{}
	err := filepath.WalkDir(w.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		all[strings.TrimPrefix(path, w.root)] = info
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// untouched reports whether a file is the one that it was, with the same bytes: the
// time of its last change cannot be set by anybody.
func untouched(was, is os.FileInfo) bool {
	if was == nil || is == nil || was.Mode() != is.Mode() {
		return false
	}
	a, b := was.Sys().(*syscall.Stat_t), is.Sys().(*syscall.Stat_t)
	return a.Ino == b.Ino && (was.IsDir() || a.Ctim == b.Ctim && a.Size == b.Size)
}

func isCache(path string) bool { return strings.HasPrefix(path, "/home/.cache") }

// cache says how the files of the index look.
func (w *faultWorld) cache(t testing.TB) string {
	t.Helper()
	var b strings.Builder
	_ = filepath.WalkDir(w.root+"/home/.cache", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !strings.HasSuffix(path, "-shm") { // who reads marks his place in it
			if info, err := d.Info(); err == nil {
				fmt.Fprintln(&b, path, info.Size(), info.Sys().(*syscall.Stat_t).Ctim)
			}
		}
		return nil
	})
	return b.String()
}

// forget removes the index.
func (w *faultWorld) forget(t testing.TB) {
	t.Helper()
	if err := os.RemoveAll(w.root + "/home/.cache"); err != nil {
		t.Fatal(err)
	}
}

// foundHealth matches the notes of what was found about copies, and their lock. Who reads
// a damaged copy notes it there, so that the next "keep now" heals it: the file belongs to
// us, can be found again, and is written by commands that change nothing else.
var foundHealth = regexp.MustCompile(`/vault/\w+/health(\.lock)?$`)

// disposable are the files that a command may change whatever it does: what can be made
// again, and locks.
func disposable(path string) bool {
	return isCache(path) || foundHealth.MatchString(path) || strings.HasSuffix(path, ".lock") ||
		strings.HasSuffix(path, "-shm") || strings.HasSuffix(path, "-wal")
}

// changed are the files that are not as they were saved, but for disposable ones.
func (w *faultWorld) changed(t testing.TB) []string {
	t.Helper()
	var paths []string
	now := w.list(t)
	for path, info := range now {
		if disposable(path) || info.IsDir() && w.known[path] != nil || untouched(w.known[path], info) {
			continue
		}
		was, err := os.ReadFile(w.saved + path)
		is, err2 := os.ReadFile(w.root + path)
		if err != nil || err2 != nil || !bytes.Equal(was, is) {
			paths = append(paths, path)
		}
	}
	for path := range w.known {
		if now[path] == nil && !disposable(path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// asSaved reports whether nothing but the index was touched: what lists say is as before.
func (w *faultWorld) asSaved(t testing.TB) bool {
	t.Helper()
	now := w.list(t)
	for path, info := range now {
		if !isCache(path) && !untouched(w.known[path], info) {
			return false
		}
	}
	for path := range w.known {
		if now[path] == nil && !isCache(path) {
			return false
		}
	}
	return true
}

// reset puts everything back as it was saved, but for the index, which no copy can
// stand for: it knows its files.
func (w *faultWorld) reset(t testing.TB) {
	t.Helper()
	now := w.list(t)
	same := true
	for path := range w.known {
		same = same && (now[path] != nil || isCache(path))
	}
	for path, info := range now {
		if !isCache(path) && !untouched(w.known[path], info) {
			same = false
			if err := os.RemoveAll(w.root + path); err != nil {
				t.Fatal(err)
			}
		}
	}
	if same {
		return
	}
	copyMissing(t, w.saved, w.root)
	w.known = w.list(t)
}

// copyMissing copies what is not there yet, with modes and times.
func copyMissing(t testing.TB, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := to + strings.TrimPrefix(path, from)
		if _, err := os.Lstat(target); err == nil {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.Mkdir(target, info.Mode().Perm())
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.WriteFile(target, data, info.Mode().Perm()); err != nil {
			return err
		}
		return os.Chtimes(target, info.ModTime(), info.ModTime())
	})
	if err != nil {
		t.Fatal(err)
	}
}

var anyID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// measured are figures that are others each time, or with every byte of ours: what a backup read and
// wrote, and its name.
var measured = regexp.MustCompile(`"(durationMs|freeSize)": [0-9.]+|[0-9.]+ ms\b|Read [0-9.]+ k?B, wrote [0-9.]+ k?B\. It is called \S+`)

var secret = regexp.MustCompile(`sesskeep_[A-Za-z0-9_-]{20,}`)

// steady is a text without figures that were measured and the random ids of sessions that
// were made.
func steady(text string) string {
	text = measured.ReplaceAllString(secret.ReplaceAllString(text, "TOKEN"), "N")
	return anyID.ReplaceAllStringFunc(text, func(id string) string {
		if strings.Contains(id, "-0000-4000-8000-") {
			return id
		}
		return "NEW"
	})
}

// homes is the state of both homes of Claude as one text.
func (w *faultWorld) homes(t testing.TB) string {
	t.Helper()
	var lines []string
	for path, info := range w.list(t) {
		if info.IsDir() || !strings.HasPrefix(path, "/home/.claude") {
			continue
		}
		data, err := os.ReadFile(w.root + path)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%s %x", steady(w.unplaced(path)), sha256.Sum256([]byte(steady(w.unplaced(string(data)))))))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
