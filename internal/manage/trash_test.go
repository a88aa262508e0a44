package manage_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/manage"
	"sesskeep/internal/shelf"
	"sesskeep/internal/storetest"
	"sesskeep/internal/undo"
)

// shelfHome is a home with an App that can change it.
type shelfHome struct {
	t    *testing.T
	dir  string
	data string
	time time.Time
	app  *app.App
}

func newShelfHome(t *testing.T, dir, data string) *shelfHome {
	t.Helper()
	h := &shelfHome{t: t, dir: dir, data: data, time: time.Now().Add(24 * time.Hour)}
	h.again()
	return h
}

// again opens the home as the next command finds it.
func (h *shelfHome) again() {
	h.t.Helper()
	now := func() time.Time { return h.time }
	a, err := app.Open(app.Options{Roots: []string{h.dir}, Data: h.data, Now: now, Shelf: shelf.New(h.data, now)})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { a.Close() })
	h.app = a
}

func corpusHome(t *testing.T) *shelfHome {
	t.Helper()
	c, err := storetest.Make(t.TempDir(), storetest.Size{Sessions: 8, Agents: 14, Projects: 3, Bytes: 1 << 20}, 7)
	if err != nil {
		t.Fatal(err)
	}
	return newShelfHome(t, c.Dir, memory(t))
}

// memory is a directory where nothing waits for the disk, where there is one.
func memory(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "app")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// tree is every file below a directory: its mode and its content.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = fmt.Sprint(info.Mode(), " ", string(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func (h *shelfHome) rows() []catalog.Session {
	h.t.Helper()
	c, err := h.app.Catalog.Snapshot(context.Background())
	if err != nil {
		h.t.Fatal(err)
	}
	page, err := c.List(context.Background(), ask.Filter{})
	if err != nil {
		h.t.Fatal(err)
	}
	return page.Sessions
}

// ok asserts that an act did something, and nothing failed.
func (h *shelfHome) ok(out acts.Outcome, err error) acts.Outcome {
	h.t.Helper()
	if err = errors.Join(err, out.Err()); err != nil || out.Changed == 0 {
		h.t.Fatalf("%s: %d changed, %v", out.Verb, out.Changed, err)
	}
	return out
}

func at(ids ...string) manage.Selection { return manage.Selection{Addresses: ids} }

var by = acts.Doing{Actor: shelf.Actor{User: "u", From: "cli"}}

// A session goes to the trash with its whole family and nothing else, and comes
// back to the byte, with the present as its time.
func TestTrashAndRestore(t *testing.T) {
	for _, across := range []bool{false, true} {
		h := corpusHome(t)
		h.data = t.TempDir()
		if across {
			h.data = storetest.Across(t, h.dir)
		}
		h.again()
		before := tree(t, h.dir)
		for _, r := range h.rows() {
			ctx := context.Background()
			h.ok(h.app.Manage.Trash(ctx, by, at(r.ID)))
			left := tree(t, h.dir)
			for name := range left {
				if strings.Contains(name, r.ID) {
					t.Errorf("%s was left behind", name)
				}
			}
			gone := len(before) - len(left)
			list, err := h.app.Trash.List(ctx)
			if err != nil || list.Total != 1 || list.Trash[0].Files != gone || list.Trash[0].Agents != len(r.AgentSessions) {
				t.Fatalf("%s: %d files went; the trash has %+v, %v", r.ID, gone, list, err)
			}
			h.ok(h.app.Trash.Restore(ctx, by, []string{r.ID}))
			if got := tree(t, h.dir); !maps.Equal(got, before) {
				t.Fatalf("%s came back as something else", r.ID)
			}
			for _, m := range list.Trash[0].Members {
				info, err := os.Stat(filepath.Join(h.dir, m.File))
				if err != nil || !info.ModTime().Equal(h.time.Truncate(1)) {
					t.Fatalf("%s has the time %v, %v", m.File, info.ModTime(), err)
				}
			}
			if entries, err := os.ReadDir(filepath.Join(h.data, "trash")); err != nil || len(entries) > 0 {
				t.Fatalf("left in the trash: %v, %v", entries, err)
			}
			h.time = h.time.Add(time.Hour) // so that it is not in use
		}
	}
}

// What is not found among manifests that can be read may be one of the others: that is not
// an answer.
func TestRestoreUnreadManifest(t *testing.T) {
	h := corpusHome(t)
	ctx := t.Context()
	id := h.rows()[0].ID
	h.ok(h.app.Manage.Trash(ctx, by, at(id)))
	list, err := h.app.Trash.List(ctx)
	if err != nil || list.Total != 1 {
		t.Fatal(list, err)
	}
	manifest := filepath.Join(h.data, "trash", list.Trash[0].Name, "manifest.json")
	if err := errors.Join(os.Remove(manifest), os.Mkdir(manifest, 0o700)); err != nil {
		t.Fatal(err)
	}
	for verb, act := range map[string]func(context.Context, acts.Doing, []string) (acts.Outcome, error){"restore": h.app.Trash.Restore, "purge": h.app.Trash.Purge} {
		out, err := act(ctx, by, []string{id})
		if err = errors.Join(err, out.Err()); errcode.Of(err) != errcode.Incomplete || !strings.Contains(err.Error(), manifest) {
			t.Errorf("%s: %s, %v", verb, errcode.Of(err), err)
		}
	}
}

// A session that lies twice in the trash is not put back as it was the first time while
// the manifest of the second cannot be read, or was written by a newer program.
func TestRestoreUnreadLaterManifest(t *testing.T) {
	h := corpusHome(t)
	ctx := t.Context()
	id := h.rows()[0].ID
	h.ok(h.app.Manage.Trash(ctx, by, at(id)))
	first, err := h.app.Trash.List(ctx)
	if err != nil || first.Total != 1 {
		t.Fatal(first, err)
	}
	dir := filepath.Join(h.data, "trash")
	later := "99990101T000000-" + id[:8] + "-zzzzzz"
	if err := os.CopyFS(filepath.Join(dir, later), os.DirFS(filepath.Join(dir, first.Trash[0].Name))); err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(dir, later, "manifest.json")
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]struct{ old, new string }{
		"damaged":                     {id, strings.Replace(id, id[:1], "g", 1)},
		"written by a newer sesskeep": {"\"version\": 1", "\"version\": 9"},
	} {
		damaged := strings.Replace(string(text), change.old, change.new, 1)
		if what != "damaged" {
			damaged = strings.Replace(damaged, "\"sum\"", "\"seal\"", 1)
		}
		if err := os.WriteFile(manifest, []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := h.app.Trash.Restore(ctx, by, []string{id})
		if err = errors.Join(err, out.Err()); errcode.Of(err) != errcode.Incomplete || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %s, %v", what, errcode.Of(err), err)
		}
	}
	h.ok(h.app.Trash.Restore(ctx, by, []string{first.Trash[0].Name})) // which is the one that is meant
}

// A file that was cut in the trash is not what was moved there.
func TestTrashListSeesCutFiles(t *testing.T) {
	h := corpusHome(t)
	ctx := t.Context()
	h.ok(h.app.Manage.Trash(ctx, by, at(h.rows()[0].ID)))
	list, err := h.app.Trash.List(ctx)
	if err != nil || list.Total != 1 || len(list.Problems) > 0 {
		t.Fatal(list, err)
	}
	file := filepath.Join(h.data, "trash", list.Trash[0].Name, "files", filepath.FromSlash(list.Trash[0].Members[0].File))
	if err := os.Truncate(file, 1); err != nil {
		t.Fatal(err)
	}
	list, err = h.app.Trash.List(ctx)
	if err != nil || len(list.Problems) != 1 || !strings.Contains(list.Problems[0].Reason, "damaged") {
		t.Errorf("%+v, %v", list.Problems, err)
	}
	out, err := h.app.Trash.Restore(ctx, by, []string{list.Trash[0].ID})
	if err != nil || out.Changed != 1 || !strings.Contains(out.Results[0].Note, "damaged") {
		t.Errorf("it came back without a word: %+v, %v", out, err)
	}
}

// Restoring overwrites nothing: what is equal is left alone, what differs refuses
// the whole.
func TestRestoreConflicts(t *testing.T) {
	h := corpusHome(t)
	ctx := context.Background()
	rows := h.rows()
	i := slices.IndexFunc(rows, func(r catalog.Session) bool { return len(r.AgentSessions) > 0 })
	r := rows[i]
	before := tree(t, h.dir)
	main := filepath.Join(h.dir, filepath.FromSlash(r.Ref.File))
	data, err := os.ReadFile(main)
	if err != nil {
		t.Fatal(err)
	}
	h.ok(h.app.Manage.Trash(ctx, by, at(r.ID)))
	without := tree(t, h.dir)
	if err := os.WriteFile(main, append(data, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := h.app.Trash.Restore(ctx, by, []string{r.ID})
	if err != nil || errcode.Of(out.Err()) != errcode.Conflict {
		t.Fatalf("another file was there: %v, %v", err, out.Err())
	}
	if err := os.Remove(main); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, h.dir); !maps.Equal(got, without) {
		t.Fatal("a refused restore changed something")
	}
	if err := os.WriteFile(main, data, 0o600); err != nil {
		t.Fatal(err)
	}
	h.ok(h.app.Trash.Restore(ctx, by, []string{r.ID}))
	got := tree(t, h.dir)
	for name := range before {
		if got[name][10:] != before[name][10:] {
			t.Errorf("%s differs", name)
		}
	}
	if len(got) != len(before) {
		t.Errorf("%d files, want %d", len(got), len(before))
	}
}

// What is in use stays where it is, and whoever forces it takes it.
func TestTrashInUse(t *testing.T) {
	h := corpusHome(t)
	ctx := context.Background()
	r := h.rows()[0]
	info, err := os.Stat(filepath.Join(h.dir, filepath.FromSlash(r.Ref.File)))
	if err != nil {
		t.Fatal(err)
	}
	h.time = info.ModTime().Add(30 * time.Second)
	before := tree(t, h.dir)
	out, err := h.app.Manage.Trash(ctx, by, at(r.ID))
	if err != nil || !errors.Is(out.Err(), errcode.ErrLive) || errcode.Of(out.Err()) != errcode.Held || !maps.Equal(before, tree(t, h.dir)) {
		t.Fatalf("%v, %v", err, out.Err())
	}
	forced := by
	forced.Force = true
	h.ok(h.app.Manage.Trash(ctx, forced, at(r.ID)))
}

// A session rests only when its agents do.
func TestTrashWhileAgentWrites(t *testing.T) {
	h := corpusHome(t)
	files, err := filepath.Glob(filepath.Join(h.dir, "projects", "*", "*", "subagents", "agent-*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no agents in files of their own: %v", err)
	}
	id := filepath.Base(filepath.Dir(filepath.Dir(files[0])))
	h.time = time.Now().Add(240 * time.Hour)
	written := h.time.Add(-10 * time.Second)
	if err := os.Chtimes(files[0], written, written); err != nil {
		t.Fatal(err)
	}
	before := tree(t, h.dir)
	out, err := h.app.Manage.Trash(context.Background(), by, at(id))
	if err != nil || !errors.Is(out.Err(), errcode.ErrLive) || !strings.Contains(out.Err().Error(), "an agent of it") {
		t.Errorf("%v, %v", err, out.Err())
	}
	if !maps.Equal(before, tree(t, h.dir)) {
		t.Error("a session whose agent writes was trashed")
	}
}

// A dry run tells what the act does, and changes nothing.
func TestTrashDryRun(t *testing.T) {
	h := corpusHome(t)
	ctx := context.Background()
	before := tree(t, h.dir)
	dry := by
	dry.DryRun = true
	all := manage.Selection{Filter: &ask.Filter{}}
	planned := h.ok(h.app.Manage.Trash(ctx, dry, all))
	if !maps.Equal(before, tree(t, h.dir)) {
		t.Fatal("a dry run changed something")
	}
	done := h.ok(h.app.Manage.Trash(ctx, by, all))
	if planned.Changed != done.Changed || planned.Size != done.Size || planned.Total != done.Total {
		t.Errorf("planned %d sessions and %d bytes, moved %d and %d", planned.Changed, planned.Size, done.Changed, done.Size)
	}
	h.again()
	if rows := h.rows(); len(rows) > 0 {
		t.Errorf("%d sessions are left", len(rows))
	}
}

// What is archived is kept, and what is purged loses its copy and its labels. What
// lies in the trash is not shown for its copy's sake.
func TestArchiveKeeps(t *testing.T) {
	h := corpusHome(t)
	ctx := context.Background()
	r := h.rows()[0]
	listed := func() bool {
		return slices.ContainsFunc(h.rows(), func(s catalog.Session) bool { return s.ID == r.ID })
	}
	before := tree(t, h.dir)
	copies := filepath.Join(h.data, "vault")
	if err := os.WriteFile(copies, nil, 0o600); err != nil { // nothing can be kept there
		t.Fatal(err)
	}
	if out, err := h.app.Manage.Archive(ctx, by, at(r.ID)); err != nil || out.Failed != 1 {
		t.Fatalf("archived what cannot be kept: %v, %+v", err, out)
	}
	if !listed() {
		t.Fatal("what could not be archived is not listed")
	}
	if err := os.Remove(copies); err != nil {
		t.Fatal(err)
	}
	h.again()
	h.ok(h.app.Manage.Archive(ctx, by, at(r.ID)))
	if listed() {
		t.Error("it is archived, and still listed")
	}
	if err := os.Remove(filepath.Join(h.dir, filepath.FromSlash(r.Ref.File))); err != nil {
		t.Fatal(err)
	}
	h.again()
	h.ok(h.app.Manage.Unarchive(ctx, by, at(r.ID)))
	if !listed() {
		t.Fatal("its copy was not kept")
	}
	name := filepath.Join(h.dir, filepath.FromSlash(r.Ref.File))
	text := before[r.Ref.File]
	if err := os.WriteFile(name, []byte(text[len("-rw-r--r-- "):]), 0o600); err != nil {
		t.Fatal(err)
	}
	old := h.time.Add(-time.Hour)
	if err := os.Chtimes(name, old, old); err != nil {
		t.Fatal(err)
	}
	h.again()
	h.ok(h.app.Manage.Tag(ctx, by, at(r.ID), []string{"x"}, nil))
	h.ok(h.app.Manage.Trash(ctx, by, at(r.ID)))
	h.again()
	if listed() {
		t.Error("it lies in the trash, and is listed for its copy's sake")
	}
	out := h.ok(h.app.Trash.Purge(ctx, by, []string{r.ID}))
	if !strings.Contains(out.Results[0].Note, "copies") {
		t.Errorf("nobody was told that the copy went: %q", out.Results[0].Note)
	}
	h.again()
	if listed() {
		t.Error("it is purged, and its copy is there")
	}
	labels, err := shelf.New(h.data, time.Now).Labels().All(ctx)
	if err != nil || len(labels) > 0 {
		t.Errorf("labels of what was purged: %v, %v", labels, err)
	}
	if entries, _ := os.ReadDir(filepath.Join(h.data, "trash")); len(entries) > 0 {
		t.Errorf("left in the trash: %v", entries)
	}
}

// Nothing is archived that cannot be kept.
func TestArchiveFails(t *testing.T) {
	h := corpusHome(t)
	r := h.rows()[0]
	now := func() time.Time { return h.time }
	a, err := app.Open(app.Options{Roots: []string{h.dir}, Now: now, Shelf: shelf.New(h.data, now)}) // no place for copies
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	out, err := a.Manage.Archive(context.Background(), by, at(r.ID))
	if err != nil || out.Failed != 1 || out.Changed != 0 {
		t.Errorf("%+v, %v", out, err)
	}
}

// One that fails stops none of the others, and all that were done are undone
// together.
func TestBatch(t *testing.T) {
	h := corpusHome(t)
	ctx := context.Background()
	rows := h.rows()
	before := tree(t, h.dir)
	out, err := h.app.Manage.Trash(ctx, by, at(rows[0].ID, "ffffffff", rows[1].ID, rows[0].ID))
	if err != nil || out.Changed != 2 || out.Failed != 1 || out.Total != 3 {
		t.Fatalf("%+v, %v", out, err)
	}
	s := shelf.New(h.data, func() time.Time { return h.time })
	changes, errs, err := undo.PlanTogether(ctx, s, undo.Options{Homes: []string{h.dir}})
	if err = errors.Join(append(errs, err)...); err != nil || len(changes) != 2 {
		t.Fatalf("%d changes, %v", len(changes), err)
	}
	for _, c := range changes {
		if _, err := s.Do(ctx, c.Plan); err != nil {
			t.Fatal(err)
		}
	}
	if !maps.Equal(before, tree(t, h.dir)) {
		t.Error("not all came back")
	}
}

// Of what is unneeded exactly that goes, and undo brings it back, empty directories
// too.
func TestCleanUnneeded(t *testing.T) {
	dir := t.TempDir()
	const here, gone = "11111111-0000-4000-8000-000000000000", "22222222-0000-4000-8000-000000000000"
	old := time.Now().Add(-72 * time.Hour)
	for name, text := range map[string]string{
		"projects/-w/" + here + ".jsonl":                         `{"type":"user","uuid":"a","parentUuid":null,"message":{"role":"user","content":"x"}}` + "\n",
		"todos/" + here + "-agent-" + here + ".json":             `[{"content":"x","status":"pending"}]`,
		"todos/" + here + "-agent-none.json":                     "[]",
		"todos/" + gone + "-agent-" + gone + ".json":             `[{"content":"x","status":"pending"}]`,
		"file-history/" + here + "/a@v1":                         "stays",
		"file-history/" + gone + "/a@v1":                         "goes",
		"debug/" + here + ".txt":                                 "log",
		"debug/note.md":                                          "stays",
		"session-env/" + here + "/sessionstart-hook.sh":          "secret",
		"session-env/" + gone + "/":                              "",
		"session-env/33333333-0000-4000-8000-000000000000/":      "young",
		"file-history/33333333-0000-4000-8000-000000000000/a@v1": "young",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(path, 0o700); err != nil {
				t.Fatal(err)
			}
		} else {
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if text != "young" {
			for at := path; at != dir; at = filepath.Dir(at) {
				if err := os.Chtimes(at, old, old); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	h := newShelfHome(t, dir, memory(t))
	h.time = time.Now()
	ctx := context.Background()
	before := tree(t, dir)
	page, err := h.app.Manage.CleanMap(ctx)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, u := range page.Unneeded {
		counts[u.Kind] = u.Units
		if u.Why == "" {
			t.Errorf("%s: nobody says why it is safe", u.Kind)
		}
	}
	if want := map[string]int{"todos": 2, "file-history": 1, "debug": 1, "session-env": 1}; !maps.Equal(counts, want) {
		t.Errorf("the map has %v, want %v", counts, want)
	}
	h.ok(h.app.Manage.Clean(ctx, by, manage.CleanOptions{Unneeded: manage.UnneededKinds()}))
	left := tree(t, dir)
	for name := range before {
		_, stays := left[name]
		goes := strings.Contains(name, gone) || strings.HasSuffix(name, "none.json") || strings.HasPrefix(name, "debug/1")
		if stays == goes {
			t.Errorf("%s stays: %v", name, stays)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "session-env", gone)); err == nil {
		t.Error("an empty session-env stays")
	}
	list, err := h.app.Trash.List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range list.Trash {
		names = append(names, entry.Name)
	}
	h.ok(h.app.Trash.Restore(ctx, by, names))
	if got := tree(t, dir); !maps.Equal(got, before) {
		t.Error("not all came back")
	}
	if _, err := os.Stat(filepath.Join(dir, "session-env", gone)); err != nil {
		t.Error(err)
	}
}

// Starred, archived and young sessions stay; old ones go, and only those.
func TestCleanSessions(t *testing.T) {
	h := corpusHome(t)
	ctx := context.Background()
	rows := h.rows()
	h.ok(h.app.Manage.Star(ctx, by, at(rows[len(rows)-1].ID), true))
	idle := rows[len(rows)/2].LastActivityAt.Time
	out := h.ok(h.app.Manage.Clean(ctx, by, manage.CleanOptions{Sessions: &manage.Selection{Filter: &ask.Filter{Idle: idle}}}))
	gone := map[string]bool{}
	for _, r := range out.Results {
		gone[r.ID] = r.Changed
	}
	h.again()
	left := map[string]bool{}
	for _, r := range h.rows() {
		left[r.ID] = true
	}
	for i, r := range rows {
		if goes := r.LastActivityAt.Before(idle) && i < len(rows)-1; left[r.ID] == goes || gone[r.ID] != goes {
			t.Errorf("%s, active %v: it is left %v, told to be gone %v", r.ID, r.LastActivityAt, left[r.ID], gone[r.ID])
		}
	}
}
