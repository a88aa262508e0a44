package app_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/live"
	"sesskeep/internal/manage"
	"sesskeep/internal/mention"
	"sesskeep/internal/purge"
	"sesskeep/internal/share"
	"sesskeep/internal/shelf"
	"sesskeep/internal/statusline"
	"sesskeep/internal/stores"
	"sesskeep/internal/storetest"
	"sesskeep/internal/vault"

	"github.com/klauspost/compress/zstd"
)

// purgeHome is a home with a project that is purged and one that stays, and the data
// directories of a program that has worked with both. Each place has words of its own.
type purgeHome struct {
	t                        *testing.T
	root, data, cache, state string
	usb                      string            // second place of the copies
	gone, stays              string            // paths of the projects
	words                    map[string]string // of the one that goes, by where they were written
	other                    map[string]string // of the one that stays
	app                      *app.App
}

const (
	goneA, goneB, goneC = "aaaaaaaa-1111-4000-8000-00000000000a", "aaaaaaaa-1111-4000-8000-00000000000b", "aaaaaaaa-1111-4000-8000-00000000000c"
	staysA              = "bbbbbbbb-1111-4000-8000-00000000000e"
)

// word is a word that nothing else has.
func (h *purgeHome) word(where string) string {
	b := make([]byte, 24)
	for i := range b {
		b[i] = "bcdfghjklmnpqrstvwxz"[rand.IntN(20)]
	}
	h.words[where] = string(b)
	return string(b)
}

func (h *purgeHome) write(name, text string) {
	h.t.Helper()
	path := filepath.Join(h.root, filepath.FromSlash(name))
	storetest.Must(h.t, os.MkdirAll(filepath.Dir(path), 0o700))
	storetest.Must(h.t, os.WriteFile(path, []byte(text), 0o600))
}

func (h *purgeHome) open() *app.App {
	h.t.Helper()
	if h.app != nil {
		storetest.Must(h.t, h.app.Close())
	}
	h.app = opened(h.t, app.Options{
		Roots: []string{h.root}, Data: h.data, Cache: h.cache, Host: "here", Shelf: shelf.New(h.data, later),
		State: h.state,
	})
	return h.app
}

// purgeTalk is a transcript of two lines, with a call.
func purgeTalk(id, cwd, branch, prompt, answer, input string) string {
	common := fmt.Sprintf(`"cwd":%q,"sessionId":%q,"gitBranch":%q,"slug":"slug-%s","version":"2.1.0"`, cwd, id, branch, id[len(id)-1:])
	return fmt.Sprintf(`{"type":"user","uuid":"u%s","parentUuid":null,%s,"timestamp":"2026-10-01T10:00:00.000Z","message":{"role":"user","content":%q}}
{"type":"assistant","uuid":"v%s","parentUuid":"u%s",%s,"timestamp":"2026-10-01T10:00:01.000Z","message":{"id":"m%s","model":"claude-opus-4","role":"assistant","usage":{"input_tokens":10,"output_tokens":20},"content":[{"type":"text","text":%q},{"type":"tool_use","id":"t%s","name":"Read","input":{"file_path":%q}}]}}
`, id, common, prompt, id, id, common, id, answer, id, input)
}

// newPurgeHome writes everything, and uses it.
func newPurgeHome(t *testing.T) *purgeHome {
	h := &purgeHome{t: t, root: filepath.Join(t.TempDir(), ".claude"), data: t.TempDir(), cache: t.TempDir(), state: t.TempDir(), usb: t.TempDir(), words: map[string]string{}}
	h.gone, h.stays = "/w/"+h.word("path of the project"), "/w/stays"
	h.writeHome()
	a, ctx := h.open(), t.Context()
	_, err := a.Keep.SetPolicy(func(p *vault.Policy) { p.On = true })
	storetest.Must(t, err)
	_, err = a.Keep.AddMirror(ctx, h.usb, false)
	storetest.Must(t, err)
	_, err = a.Keep.Now(ctx, nil)
	storetest.Must(t, err)

	// A copy of an older version, one of which only the copy is left, and a prompt likewise.
	h.write("projects/"+h.dir()+"/"+goneA+".jsonl", h.talkA("first prompt, changed"))
	h.write("history.jsonl", h.history("prompt"))
	storetest.Must(t, os.Remove(filepath.Join(h.root, "projects", h.dir(), goneC+".jsonl")))
	a = h.open()
	_, err = a.Keep.Now(ctx, nil)
	storetest.Must(t, err)
	h.act(a)
	h.writeOwn()
	_, err = a.Catalog.Search(ctx, ask.Search{}) // text and usage are in the index too
	if err != nil {
		t.Log(err)
	}
	storetest.Must(t, a.Index.Refresh(ctx))
	return h
}

func (h *purgeHome) dir() string { return string(sesskeep.DirName(h.gone)) }

func (h *purgeHome) talkA(where string) string {
	return purgeTalk(goneA, h.gone, h.word("branch, "+where), h.word(where), h.word("answer, "+where), "/x/"+h.word("file of a call, "+where))
}

func (h *purgeHome) history(where string) string {
	return fmt.Sprintf(`{"display":%q,"pastedContents":{},"timestamp":1,"project":%q,"sessionId":%q}
{"display":"kept-prompt","pastedContents":{"1":{"id":1,"type":"text","contentHash":"00000000000000ff"}},"timestamp":2,"project":"/w/stays","sessionId":%q}
{"display":%q,"pastedContents":{"1":{"id":1,"type":"text","contentHash":"00000000000000aa"}},"timestamp":3,"project":%q}
`, h.word(where), h.gone, goneA, staysA, h.word(where+" without a session"), h.gone)
}

func (h *purgeHome) writeHome() {
	p := "projects/" + h.dir() + "/"
	stays := purgeTalk(staysA, h.stays, "kept-branch", "kept-word", "kept-answer", "/x/kept-file")
	for name, text := range map[string]string{
		p + goneA + ".jsonl":                                  h.talkA("first prompt"),
		p + goneB + ".jsonl":                                  purgeTalk(goneB, h.gone, "main", h.word("trashed prompt"), "x", "/x"),
		p + goneC + ".jsonl":                                  purgeTalk(goneC, h.gone, "main", h.word("prompt of a copy"), "x", "/x"),
		p + goneA + "/subagents/agent-a1.jsonl":               strings.ReplaceAll(purgeTalk(goneA, h.gone, "main", h.word("agent"), "x", "/x"), `"cwd"`, `"isSidechain":true,"agentId":"a1","cwd"`),
		p + goneA + "/subagents/agent-a1.meta.json":           `{"agentType":"x","description":"` + h.word("meta") + `"}`,
		p + goneA + "/tool-results/t1.txt":                    h.word("tool result"),
		p + "agent-0badcafe.jsonl":                            strings.ReplaceAll(purgeTalk(goneA, h.gone, "main", h.word("flat agent"), "x", "/x"), `"cwd"`, `"isSidechain":true,"agentId":"0badcafe","cwd"`),
		p + "memory/MEMORY.md":                                h.word("memory"),
		p + "sessions-index.json":                             `{"version":1,"entries":[{"sessionId":"` + goneA + `","firstPrompt":"` + h.word("index of sessions") + `"}]}`,
		p + goneA + ".jsonl.orphaned-1":                       h.word("orphaned transcript"),
		"projects/-w-stays/" + staysA + ".jsonl":              stays,
		"projects/-w-stays/sessions-index.json":               `{"version":1,"entries":[{"sessionId":"` + goneB + `","firstPrompt":"` + h.word("index of another directory") + `"},{"sessionId":"` + staysA + `","firstPrompt":"kept-index"}]}`,
		"todos/" + goneA + "-agent-" + goneA + ".json":        `[{"content":"` + h.word("todo") + `"}]`,
		"todos/" + staysA + "-agent-" + staysA + ".json":      `[{"content":"kept-todo"}]`,
		"tasks/" + goneA + "/1.json":                          `{"id":"1","subject":"` + h.word("task") + `"}`,
		"file-history/" + goneA + "/aa@v1":                    h.word("file history"),
		"session-env/" + goneA + "/env.sh":                    "export X=" + h.word("session environment"),
		"image-cache/" + goneA + "/1.png":                     h.word("image"),
		"uploads/" + goneA + "/f.txt":                         h.word("upload"),
		"debug/" + goneA + ".txt":                             h.word("debug log"),
		"plans/slug-a.md":                                     h.word("plan"),
		"plans/slug-other.md":                                 "kept-plan",
		"paste-cache/00000000000000aa.txt":                    h.word("paste"),
		"paste-cache/00000000000000ff.txt":                    "kept-paste",
		"jobs/aaaaaaaa/state.json":                            `{"state":"done","sessionId":"` + goneA + `","intent":"` + h.word("job") + `"}`,
		"jobs/aaaaaaaa/tmp/x":                                 h.word("file of a job"),
		"sessions/99999.json":                                 `{"pid":99999,"sessionId":"` + goneA + `","cwd":"` + h.gone + `","name":"` + h.word("registry") + `"}`,
		"usage-data/facets/" + goneA + ".json":                `{"x":"` + h.word("facet") + `"}`,
		"usage-data/report.html":                              h.word("report of usage"),
		"telemetry/1p_failed_events." + goneA + ".1.json":     h.word("telemetry"),
		"history.jsonl":                                       h.history("older prompt"),
		".claude.json":                                        `{"projects":{"` + h.gone + `":{"exampleFiles":["` + h.word("state") + `"]},"/w/stays":{"x":"kept-state"}},"githubRepoPaths":{"a/b":["` + h.gone + `","/w/stays"]}}`,
		"backups/.claude.json.backup.1":                       `{"projects":{"` + h.gone + `":{"x":"` + h.word("backup of state") + `"},"/w/stays":{}}}`,
		"backups/.claude.json.backup.2":                       `{"projects":{"` + h.gone + `":{"x":"` + h.word("damaged backup of state"),
		".claude.json.corrupted.1":                            `{"projects":{"` + h.gone + `":{"x":"` + h.word("corrupted state"),
		"settings.json":                                       "{}\n",
		"debug/" + staysA + ".txt":                            "kept-debug",
		"file-history/" + staysA + "/aa@v1":                   "kept-file-history",
		"projects/-w-stays/memory/MEMORY.md":                  "kept-memory",
		"projects/-w-stays/" + staysA + "/tool-results/x.txt": "kept-result",
	} {
		h.write(name, text)
	}
	h.other = map[string]string{}
	for _, word := range []string{"word", "answer", "todo", "plan", "paste", "prompt", "index", "debug", "file-history", "memory", "result", "label", "state", "link"} {
		h.other[word] = "kept-" + word
	}
}

// act makes changes of both projects.
func (h *purgeHome) act(a *app.App) {
	t, ctx, by := h.t, h.t.Context(), acts.Doing{Force: true}
	t.Helper()
	ok := func(out acts.Outcome, err error) {
		t.Helper()
		storetest.Must(t, errors.Join(err, out.Err()))
	}
	at := func(ids ...string) manage.Selection { return manage.Selection{Addresses: ids} }
	note := func(text string) func() { return func() { ok(a.Manage.Note(ctx, by, at(goneA), text)) } }
	note(h.word("note that was replaced"))()
	note(h.word("note"))()
	ok(a.Manage.Note(ctx, by, at(staysA), "kept-label"))
	ok(a.Manage.Tag(ctx, by, at(goneA), []string{h.word("tag")}, nil))
	ok(a.Manage.Rename(ctx, by, at(goneA), manage.RenameOptions{Title: h.word("title")}))
	ok(a.Manage.Trash(ctx, by, at(goneB)))
	// Another project moves: the act keeps all of history.jsonl.
	_, err := a.Relocate.Project(ctx, by, "/w/stays", "/w/stays2")
	storetest.Must(t, err)
	h.stays = "/w/stays2"
	target, err := a.Catalog.Find(ctx, goneA)
	storetest.Must(t, err)
	storetest.Must(t, a.Acts.NoteExport(ctx, by, target.Store, target.Ref, h.word("export")))
}

// writeOwn writes what other parts of the program leave.
func (h *purgeHome) writeOwn() {
	t := h.t
	t.Helper()
	now := time.Now()
	storetest.Must(t, statusline.Open(h.data).Keep(statusline.Report{
		Session: goneA, Transcript: filepath.Join(h.root, "projects", h.dir(), goneA+".jsonl"), Model: h.word("status line"), Window: 1000,
	}, now))
	storetest.Must(t, live.AppendReport(filepath.Join(h.state, "reports.jsonl"), live.Report{Time: now, Event: "Stop", Session: goneA, Text: h.word("report")}))
	storetest.Must(t, live.AppendReport(filepath.Join(h.state, "reports.jsonl"), live.Report{Time: now, Event: "Stop", Session: staysA, Text: "kept-report"}))
	links := &share.Store{Dir: filepath.Join(h.state, "links"), Now: time.Now}
	h.link(links, goneA, h.word("page behind a link"))
	h.link(links, "a1", h.word("page of an agent"))
	h.link(links, staysA, "kept-link")
	for path, text := range map[string]string{
		filepath.Join(h.state, "links", "1234567890123456.html.part"): h.word("half of a page") + " " + goneA,
		filepath.Join(h.state, "lifecycle.jsonl"):                     `{"timestamp":"2026-10-01T10:00:00.000Z","root":"/r","sessionId":"` + goneA + `","kind":"state","why":"` + h.word("log") + `"}` + "\n" + `{"sessionId":"` + staysA + `","kind":"state","why":"kept-log"}` + "\n",
		filepath.Join(h.state, "lifecycle.jsonl.1"):                   `{"sessionId":"` + goneA + `","kind":"state","why":"` + h.word("old log") + `"}` + "\n",
		filepath.Join(h.data, "runs", "r1", "run.json"):               `{"id":"r1","dir":"` + h.gone + `","sessionId":"` + goneA + `","title":"` + h.word("run") + `","createdAt":"2026-10-01T10:00:00.000Z"}`,
		filepath.Join(h.data, "runs", "r1", "log.jsonl"):              h.word("log of a run") + "\n",
		filepath.Join(h.data, "runs", "r1", "end.json"):               `{"state":"ended","since":"2026-10-01T10:00:00.000Z"}`,
		filepath.Join(h.data, "import-1", "0"):                        `{"sessionId":"` + goneA + `","x":"` + h.word("unpacked bundle") + `"}`,
		filepath.Join(h.cache, "paths.json"):                          `{"/x":{"paths":["` + h.gone + `/` + h.word("paths") + `"]}}`,
		filepath.Join(h.data, "labels.db.damaged"):                    h.word("labels that were set aside"),
		filepath.Join(h.data, "journal.jsonl.part"):                   h.word("half of a journal"),
		filepath.Join(h.data, "backup", "1000-"+goneA):                h.word("backup"),
		filepath.Join(h.data, "backup", "labels-20260101T000000Z.db"): h.word("old backup of labels"),
	} {
		storetest.Must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		storetest.Must(t, os.WriteFile(path, []byte(text), 0o600))
	}
}

// link shares a page. That of an agent names its session only in the link's file.
func (h *purgeHome) link(links *share.Store, id, text string) {
	h.t.Helper()
	main := id
	if id == "a1" {
		main = goneA
	}
	_, _, err := links.Create(h.t.Context(), share.Page{Session: id, Main: main, Until: time.Now().Add(time.Hour), Write: func(_ context.Context, w io.Writer, l *share.Link) error {
		l.Title = "title: " + text
		_, err := io.WriteString(w, text)
		return err
	}})
	storetest.Must(h.t, err)
}

// find returns where some words are: in the names of files, in their bytes, in what zstd
// packed, and in all values of databases.
func (h *purgeHome) find(words map[string]string) map[string][]string {
	h.t.Helper()
	found := map[string][]string{}
	look := func(where string, text []byte) {
		for name, word := range words {
			// A half is enough: a value can lie in two pages.
			if half := len(word) / 2; bytes.Contains(text, []byte(word[:half])) || bytes.Contains(text, []byte(word[half:])) {
				if !slices.Contains(found[name], where) {
					found[name] = append(found[name], where)
				}
			}
		}
	}
	for _, dir := range []string{h.root, h.data, h.cache, h.state, h.usb} {
		storetest.Must(h.t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name := filepath.Base(dir) + path[len(dir):]
			look(name+" (its name)", []byte(strings.TrimPrefix(path, dir)))
			if !e.Type().IsRegular() {
				return nil
			}
			text, err := os.ReadFile(path)
			look(name, text)
			for _, plain := range unpacked(text) {
				look(name+" (unpacked)", plain)
			}
			if bytes.HasPrefix(text, []byte("SQLite format 3")) {
				look(name+" (values)", values(h.t, path))
			}
			return err
		}))
	}
	return found
}

// unpacked are the zstd frames in a file, wherever they lie. One that needs another is read
// through the copies.
func unpacked(text []byte) (frames [][]byte) {
	magic := []byte{0x28, 0xb5, 0x2f, 0xfd}
	for at := bytes.Index(text, magic); at >= 0; {
		d, err := zstd.NewReader(bytes.NewReader(text[at:]), zstd.WithDecoderConcurrency(1))
		if err == nil {
			plain, _ := io.ReadAll(d)
			frames = append(frames, plain)
			d.Close()
		}
		next := bytes.Index(text[at+4:], magic)
		if next < 0 {
			break
		}
		at += 4 + next
	}
	return frames
}

// values are all values of a database.
func values(t *testing.T, path string) (all []byte) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	storetest.Must(t, err)
	defer db.Close()
	var tables []string
	rows, err := db.Query("SELECT name FROM sqlite_master WHERE type = 'table'")
	storetest.Must(t, err)
	for rows.Next() {
		var name string
		storetest.Must(t, rows.Scan(&name))
		tables = append(tables, name)
	}
	storetest.Must(t, rows.Err())
	storetest.Must(t, rows.Close())
	for _, table := range tables {
		rows, err := db.Query("SELECT * FROM " + table)
		storetest.Must(t, err)
		columns, err := rows.Columns()
		storetest.Must(t, err)
		for rows.Next() {
			row := make([]sql.RawBytes, len(columns))
			into := make([]any, len(columns))
			for i := range row {
				into[i] = &row[i]
			}
			storetest.Must(t, rows.Scan(into...))
			for _, v := range row {
				all = append(append(all, v...), '\n')
			}
		}
		storetest.Must(t, rows.Err())
		storetest.Must(t, rows.Close())
	}
	return all
}

// After a purge no byte of the project is in any file of Claude's or ours, and the other
// project has all of its own.
func TestPurgeLeavesNoByte(t *testing.T) {
	h := newPurgeHome(t)
	before := h.find(h.words)
	for where := range h.words {
		if len(before[where]) == 0 && where != "file of a call, first prompt" {
			t.Errorf("%s: it is nowhere, so this shows nothing", where)
		}
	}
	h.everyStore(before)
	if len(h.words) < 50 {
		t.Errorf("only %d words", len(h.words))
	}
	a := h.open()
	// Another client appends to history.jsonl: first faster than it can be replaced.
	var writing sync.WaitGroup
	stop, wrote, began := make(chan bool), 0, time.Now()
	writing.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(pauseAt(time.Since(began))):
				storetest.Append(t, filepath.Join(h.root, "history.jsonl"), fmt.Sprintf(`{"display":"second client %d","pastedContents":{},"timestamp":1,"project":"/w/stays2"}`, wrote))
				wrote++
			}
		}
	})
	list, err := a.Purge.Project(t.Context(), acts.Doing{}, h.gone)
	close(stop)
	writing.Wait()
	storetest.Must(t, err)
	if len(list) != 1 || list[0].Sessions != 3 || len(list[0].Away) > 0 {
		t.Errorf("%+v", list)
	}
	h.purged(wrote)
}

// everyStore asserts that each of our stores from which a purge removes something had something: a
// store that only says so in the table would not be noticed.
func (h *purgeHome) everyStore(before map[string][]string) {
	h.t.Helper()
	had := map[string]bool{}
	for _, files := range before {
		for _, file := range files {
			for dir, path := range map[stores.Dir]string{stores.Data: h.data, stores.State: h.state, stores.Cache: h.cache} {
				name, ok := strings.CutPrefix(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(file, " (unpacked)"), " (values)"), " (its name)"), filepath.Base(path)+string(filepath.Separator))
				if s, known := stores.Find(dir, filepath.ToSlash(name)); ok && known {
					had[s.What] = true
				}
			}
		}
	}
	for _, s := range stores.Table {
		// What purges have not removed yet is written by a purge.
		if s.Purge == stores.Cleaned && !had[s.What] && s.What != "what purges have not removed yet" {
			h.t.Errorf("%s: a purge shall remove what is in it, and this test puts nothing there", s.What)
		}
	}
}

// A place of copies that is not there during a purge is purged when it is next reached, without
// being asked to, and the tombstone that waits for it names nothing.
func TestPurgeOfAbsentPlace(t *testing.T) {
	h := newPurgeHome(t)
	away := h.usb + ".unplugged"
	storetest.Must(t, os.Rename(h.usb, away))
	storetest.Must(t, os.Mkdir(h.usb, 0o700))
	list, err := h.open().Purge.Project(t.Context(), acts.Doing{}, h.gone)
	storetest.Must(t, err)
	if want := []string{"copies in " + h.usb}; len(list) != 1 || !slices.Equal(list[0].Away, want) {
		t.Fatalf("%+v", list)
	}
	if left := h.find(h.words); len(left) > 0 {
		t.Fatalf("left: %v", left)
	}
	if notes := h.open().Notes(); len(notes) != 1 || !strings.Contains(notes[0], h.usb) {
		t.Errorf("notes: %q", notes)
	}
	storetest.Must(t, os.Remove(h.usb))
	storetest.Must(t, os.Rename(away, h.usb))
	if left := h.find(h.words); len(left) == 0 {
		t.Fatal("the second place has nothing, so this shows nothing")
	}
	r, err := h.open().Keep.Now(t.Context(), nil)
	if err != nil || len(r.Mirrors) != 1 || r.Mirrors[0].Away != "" || r.Mirrors[0].Waiting != 0 || r.Mirrors[0].Restored != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	h.purged(0)
}

// pauseAt is how long the second client waits for its next line.
func pauseAt(since time.Duration) time.Duration {
	if since < 2*time.Second {
		return 3 * time.Millisecond
	}
	return 300 * time.Millisecond
}

// purged asserts that nothing is left of the project, all of the other, and the lines of the
// second client.
func (h *purgeHome) purged(wrote int) {
	t := h.t
	t.Helper()
	left := h.find(h.words)
	for where, files := range left {
		t.Errorf("%s is left in %q", where, files)
	}
	if t.Failed() {
		return
	}
	a := h.open()
	storetest.Must(t, a.Index.Refresh(t.Context()))
	stays := h.find(h.other)
	for word := range h.other {
		if len(stays[word]) == 0 {
			t.Errorf("kept-%s is gone", word)
		}
	}
	text, err := os.ReadFile(filepath.Join(h.root, "history.jsonl"))
	storetest.Must(t, err)
	for n := range wrote {
		if !bytes.Contains(text, fmt.Appendf(nil, "second client %d\"", n)) {
			t.Errorf("line %d of %d of the second client is gone", n, wrote)
		}
	}
	if notes := a.Notes(); len(notes) > 0 {
		t.Errorf("notes: %q", notes)
	}
	flaws, err := a.Acts.Shelf.Verify(t.Context())
	if err != nil || len(flaws) > 0 {
		t.Errorf("journal: %v, %v", flaws, err)
	}
	v, err := a.Keep.Verify(t.Context(), nil)
	if err != nil || len(v.Flaws) > 0 {
		t.Errorf("copies: %+v, %v", v.Flaws, err)
	}
	rows, err := a.Catalog.Rows(t.Context(), ask.Filter{Source: "all"})
	if err != nil || len(rows) != 1 || rows[0].ID != staysA {
		t.Errorf("sessions: %+v, %v", rows, err)
	}
	for where, files := range h.find(h.words) {
		t.Errorf("%s came back in %q", where, files)
	}
}

// A purge that leaves out one store leaves something, so TestPurgeLeavesNoByte would fail.
func TestPurgeNeedsEveryStore(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a home for every store")
	}
	const place = "copies in "
	names := func() (names []string) {
		h := newPurgeHome(t)
		for _, s := range h.open().Purge.Stores {
			names = append(names, strings.TrimSuffix(s.Name, h.usb))
		}
		return names
	}()
	if !slices.Contains(names, place) || !slices.Contains(names, "links to pages") {
		t.Fatalf("stores: %q", names)
	}
	for _, name := range append(names, "copies") {
		t.Run(name, func(t *testing.T) {
			h := newPurgeHome(t)
			a := h.open()
			if name == place {
				name += h.usb
			}
			for i := range a.Purge.Stores {
				if a.Purge.Stores[i].Name == name {
					a.Purge.Stores[i].Forget = func(context.Context, *mention.Finder) error { return purge.ErrAway }
				}
			}
			if name == "copies" {
				a.Homes.List[0].Copies = nil
			}
			_, err := a.Purge.Project(t.Context(), acts.Doing{}, h.gone)
			storetest.Must(t, err)
			if left := h.find(h.words); len(left) == 0 {
				t.Error("nothing is left")
			}
			want := []string{name}
			if name == "copies" {
				want = append(want, place+h.usb) // it repeats them
			}
			// What was not reached is removed when it is.
			again := h.open()
			if list, err := again.Purge.Tombstones(); err != nil || len(list) != 1 || !slices.Equal(list[0].Left, want) {
				t.Errorf("left: %+v, %v", list, err)
			}
			if n, err := again.Purge.Finish(t.Context(), acts.Doing{}); err != nil || n != 1 {
				t.Fatalf("finished %d, %v", n, err)
			}
			h.purged(0)
		})
	}
}
