package shelf

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/label"
	"sesskeep/internal/storetest"
)

// world is a home, a data directory and what an act is to do with them.
type world struct {
	dir  string
	plan func(w *world) (Plan, error)
	old  tree // before the act
	done tree // after it
	back tree // after it was undone

	blocked          bool // something keeps the last step from being done
	cannotSwitch     bool
	openFilesUnknown bool
	across           bool // the data directory is on another file system
}

// tree is every file of a home with its content; a directory ends in /.
type tree map[string]string

func (w *world) home() string            { return filepath.Join(w.dir, "home") }
func (w *world) path(name string) string { return filepath.Join(w.home(), filepath.FromSlash(name)) }

func (w *world) data() string {
	if w.across {
		target, err := os.Readlink(filepath.Join(w.dir, "data"))
		if err != nil {
			panic(err)
		}
		return target
	}
	return filepath.Join(w.dir, "data")
}

// shelf is a shelf that waits for nobody.
func (w *world) shelf() *Shelf {
	s := New(w.data(), func() time.Time { return time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC) })
	s.linger, s.writerPatience = 0, 50*time.Millisecond
	s.cannotSwitch, s.openFilesUnknown = w.cannotSwitch, w.openFilesUnknown
	return s
}

// build makes the home as it was before the act.
func (w *world) build(t *testing.T) *world {
	t.Helper()
	w.dir = scratch(t)
	if w.across {
		w.dir = t.TempDir()
		check(t, os.Symlink(storetest.Across(t, w.dir), filepath.Join(w.dir, "data")))
	}
	for name, text := range w.old {
		check(t, os.MkdirAll(filepath.Dir(w.path(name)), 0o700))
		check(t, os.WriteFile(w.path(name), []byte(text), 0o640))
		check(t, os.Chtimes(w.path(name), time.Time{}, time.Unix(1e9, 0)))
	}
	return w
}

// scratch is a directory in memory where there is one: the tests are many, and
// every act waits for the disk.
func scratch(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp(cmp.Or(os.Getenv("TMPDIR"), "/dev/shm"), "shelf")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// snapshot reads the home.
func (w *world) snapshot(t *testing.T) tree {
	t.Helper()
	found := tree{}
	check(t, filepath.WalkDir(w.home(), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, _ := filepath.Rel(w.home(), path)
		if e.Type()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(path)
			found[filepath.ToSlash(name)] = "-> " + target
			return err
		}
		data, err := os.ReadFile(path)
		found[filepath.ToSlash(name)] = string(data)
		return err
	}))
	labels, err := w.shelf().Labels().All(context.Background())
	check(t, err)
	for key, l := range labels {
		text, err := json.Marshal(l)
		check(t, err)
		found["label of "+key.String()] = string(text)
	}
	return found
}

// want compares the home with one of the trees.
func (w *world) want(t *testing.T, want tree) {
	t.Helper()
	if got := w.snapshot(t); !maps.Equal(got, want) {
		t.Fatalf("the home is\n%q\nwant\n%q", got, want)
	}
}

// wantEither asserts that every file is exactly old or new, or has lines that were
// taken back.
func (w *world) wantEither(t *testing.T) {
	t.Helper()
	got := w.snapshot(t)
	for name := range maps.Keys(w.old) {
		if text, is := got[name]; is && text != w.old[name] && text != w.done[name] && text != w.back[name] {
			t.Fatalf("%s is neither old nor new: %q", name, text)
		}
		if _, stays := w.done[name]; stays && got[name] == "" {
			t.Fatalf("%s is gone", name)
		}
	}
	for name, text := range got {
		_, old := w.old[name]
		if _, is := w.done[name]; !old && !is && name != inTheWay && !strings.Contains(name, ".sesskeep-") {
			t.Fatalf("%s is neither old nor new: %q", name, text)
		}
	}
}

// wantClean asserts that nothing waits in stage/.
func (w *world) wantClean(t *testing.T) {
	t.Helper()
	left, err := os.ReadDir(filepath.Join(w.data(), "stage"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) || len(left) > 0 {
		t.Fatalf("left in stage: %v, %v", left, err)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func states(t *testing.T, s *Shelf) string {
	t.Helper()
	var words []string
	for a, err := range s.Journal.Acts() {
		check(t, err)
		words = append(words, fmt.Sprintf("%d %s", a.ID, a.State))
	}
	return strings.Join(words, ", ")
}

func do(t *testing.T, s *Shelf, p Plan) Act {
	t.Helper()
	a, err := s.Do(context.Background(), p)
	check(t, err)
	return a
}

func (w *world) plans(steps ...Step) (Plan, error) {
	return Plan{Verb: "try", Home: w.home(), Session: "c9285d41", Actor: Actor{User: "u", From: "cli"}, Steps: steps}, nil
}

// with returns a tree with some files changed; "" removes one.
func (tr tree) with(changes tree) tree {
	all := maps.Clone(tr)
	for name, text := range changes {
		if text == "" {
			delete(all, name)
		} else {
			all[name] = text
		}
	}
	return all
}

var family = tree{
	"projects/-w/a.jsonl":                       "{\"a\":1}\n",
	"projects/-w/a/subagents/agent-1.jsonl":     "{\"b\":1}\n",
	"projects/-w/a/subagents/agent-1.meta.json": "{}",
	"projects/-w/a/tool-results/x.txt":          "x",
	"projects/-w/b.jsonl":                       "{\"other\":1}\n",
}

// familyGone is the family in the trash.
var familyGone = tree{"projects/-w/b.jsonl": "{\"other\":1}\n"}

func trash(w *world) (Plan, error) {
	var steps []Step
	for _, name := range []string{"a.jsonl", "a"} {
		moves, err := MoveTree(w.path("projects/-w/"+name), filepath.Join(w.data(), "trash", "1", name))
		if err != nil {
			return Plan{}, err
		}
		steps = append(steps, moves...)
	}
	return w.plans(steps...)
}

var labelKey = sesskeep.Key{Session: "c9285d41-0000-4000-8000-000000000000", Home: "h", Machine: "m"}

var labelName = "label of " + labelKey.String()

var labelStep = Label{Key: labelKey, Edit: func(now label.Label) (label.Label, error) {
	now.Title, now.Starred = "T", true
	return now.Tag("later"), nil
}}

func replaceStep(w *world, name, text string) Step {
	return Replace{File: w.path(name), Before: ContentOf([]byte(w.old[name])), From: Bytes([]byte(text))}
}

// worlds are the acts that are stopped at every point.
func worlds() map[string]*world {
	settings := tree{"settings.json": "{\"a\":1}", "other": "stays"}
	replaced := settings.with(tree{"settings.json": "{\"a\":2}"})
	replace := func(w *world) (Plan, error) { return w.plans(replaceStep(w, "settings.json", "{\"a\":2}")) }
	lines := tree{"a.jsonl": "{\"a\":1}\n{\"b\":1}", "other": "stays"}
	add := func(w *world) (Plan, error) {
		return w.plans(Append{File: w.path("a.jsonl"), From: Bytes([]byte(`{"title":"new"}`)), Back: Bytes([]byte(`{"title":"old"}`))})
	}
	added := lines["a.jsonl"] + "\n{\"title\":\"new\"}\n"
	place := func(w *world) (Plan, error) {
		return w.plans(Create{File: w.path("projects/-new/x.jsonl"), From: Bytes([]byte("line\n")), Mode: 0o644})
	}
	all := tree{"settings.json": "{\"a\":1}", "a.jsonl": "{\"a\":1}\n", "old/b": "b", "other": "stays"}
	mixed := func(w *world) (Plan, error) {
		return w.plans(
			Move{From: w.path("old/b"), To: w.path("new/b"), Modified: time.Unix(2e9, 0)},
			replaceStep(w, "settings.json", "{\"a\":2}"),
			Create{File: w.path("placed"), From: Bytes([]byte("placed"))},
			Append{File: w.path("a.jsonl"), From: Bytes([]byte("new\n")), Back: Bytes([]byte("undo\n"))},
		)
	}
	label := func(w *world) (Plan, error) { return w.plans(labelStep) }
	labelled := tree{labelName: `{"title":"T","tags":["later"],"starred":true}`}
	rename := func(w *world) (Plan, error) {
		p, err := add(w)
		p.Steps = append(p.Steps, labelStep)
		return p, err
	}
	mixedDone := all.with(tree{"old/b": "", "new/b": "b", "settings.json": "{\"a\":2}", "placed": "placed", "a.jsonl": "{\"a\":1}\nnew\n"})
	return map[string]*world{
		"replace":              {plan: replace, old: settings, done: replaced, back: settings},
		"replace by two steps": {plan: replace, old: settings, done: replaced, back: settings, cannotSwitch: true},
		"replace, kept across": {plan: replace, old: settings, done: replaced, back: settings, across: true},
		"place":                {plan: place, old: settings, done: settings.with(tree{"projects/-new/x.jsonl": "line\n"}), back: settings},
		"place, kept across":   {plan: place, old: settings, done: settings.with(tree{"projects/-new/x.jsonl": "line\n"}), back: settings, across: true},
		"append":               {plan: add, old: lines, done: lines.with(tree{"a.jsonl": added}), back: lines.with(tree{"a.jsonl": added + "{\"title\":\"old\"}\n"})},
		"label":                {plan: label, old: settings, done: settings.with(labelled), back: settings},
		"rename": {plan: rename, old: lines, done: lines.with(tree{"a.jsonl": added}).with(labelled),
			back: lines.with(tree{"a.jsonl": added + "{\"title\":\"old\"}\n"})},
		"trash":          {plan: trash, old: family, done: familyGone, back: family},
		"trash across":   {plan: trash, old: family, done: familyGone, back: family, across: true},
		"mixed":          {plan: mixed, old: all, done: mixedDone, back: all.with(tree{"a.jsonl": "{\"a\":1}\nnew\nundo\n"})},
		"mixed, blocked": {plan: blocked, old: all, done: blockedDone(all), back: all, blocked: true},
		"trash, blocked": {plan: blockedTrash, old: family, done: familyGone, back: family, blocked: true},
		"trash across, blocked": {plan: blockedTrash, old: family, done: familyGone, back: family, blocked: true,
			across: true},
	}
}

// A world that is blocked gets a file in the way of its last step, a Place, while
// the act is made.
const inTheWay = "taken"

func blockedDone(all tree) tree {
	return all.with(tree{"old/b": "", "new/b": "b", "settings.json": "{\"a\":2}", "placed": "placed", inTheWay: "ours"})
}

func blocked(w *world) (Plan, error) {
	return w.plans(
		Move{From: w.path("old/b"), To: w.path("new/b"), Modified: time.Unix(2e9, 0)},
		replaceStep(w, "settings.json", "{\"a\":2}"),
		Create{File: w.path("placed"), From: Bytes([]byte("placed"))},
		Create{File: w.path(inTheWay), From: Bytes([]byte("ours"))},
	)
}

func blockedTrash(w *world) (Plan, error) {
	p, err := trash(w)
	p.Steps = append(p.Steps, Create{File: w.path(inTheWay), From: Bytes([]byte("ours"))})
	return p, err
}

// block puts a file in the way of the last step once the act is in the journal.
func (w *world) block(s *Shelf) {
	if !w.blocked {
		return
	}
	at := s.data.at
	s.data.at = func(point string) error {
		if point == "journal written begun" {
			if err := os.WriteFile(w.path(inTheWay), []byte("theirs"), 0o600); err != nil {
				return err
			}
		}
		return at(point)
	}
}
