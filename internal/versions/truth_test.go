package versions_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/storetest"
	"sesskeep/internal/versions"
)

// script writes a history of sessions that edit files, and knows who wrote each line.
type script struct {
	t       *testing.T
	r       *rand.Rand
	work    string // the project
	home    string
	now     time.Time
	files   map[string]*truth
	gone    []string // names that were moved away
	session []*scripted
	n       int // of lines and ids
	edits   int
	outside int
}

// truth is a file, and the true origin of each of its lines: the uuid of a call, or outside.
type truth struct {
	lines  []string
	by     []string
	states []stateAt // after each change
	seen   bool      // a session has seen it as it is
	known  *string   // content when a session saw it last
}

type stateAt struct {
	at   time.Time
	text string
	seen bool // by a session: others have not changed it since
	back bool // others made it and took it back before a session saw it: it left no trace
}

const outside = "outside"

type scripted struct {
	id, parent string
	lines      []any
	tracked    map[string]int // versions of copies
	prompt     string
	asked      time.Time
}

func (f *truth) text() string {
	if len(f.lines) == 0 {
		return ""
	}
	return strings.Join(f.lines, "\n") + "\n"
}

func (s *script) id() string {
	s.n++
	return fmt.Sprintf("%08x-0000-4000-8000-%012x", s.n, s.r.Uint64()&0xffffffffffff)
}

func (s *script) tick() time.Time {
	s.now = s.now.Add(time.Duration(1+s.r.IntN(50)) * time.Second)
	return s.now
}

// fresh is a text that no other line has.
func (s *script) fresh() string {
	s.n++
	return fmt.Sprintf("%sline %d of %x", strings.Repeat("\t", s.r.IntN(3)), s.n, s.r.Uint32())
}

type object = map[string]any

func (c *scripted) line(s *script, kind string, o object) string {
	id := s.id()
	o["type"], o["uuid"], o["parentUuid"], o["sessionId"], o["cwd"], o["version"] = kind, id, any(nil), c.id, s.work, "2.1.200"
	if c.parent != "" {
		o["parentUuid"] = c.parent
	}
	o["timestamp"] = s.tick().UTC().Format("2006-01-02T15:04:05.000Z")
	c.parent = id
	c.lines = append(c.lines, o)
	return id
}

// ask begins a turn.
func (c *scripted) ask(s *script) {
	c.prompt = c.line(s, "user", object{"message": object{"role": "user", "content": fmt.Sprintf("do thing %d", s.n)}})
	c.asked = s.now
}

// call makes a call and answers it, and returns the uuid of its line.
func (c *scripted) call(s *script, tool string, in, out object, failed bool) string {
	use := fmt.Sprintf("toolu_%d_%x", s.n, s.r.Uint64())
	id := c.line(s, "assistant", object{"message": object{"id": "m" + use, "role": "assistant", "model": "claude-opus-5-5",
		"content": []any{object{"type": "tool_use", "id": use, "name": tool, "input": in}}, "usage": object{"input_tokens": 1, "output_tokens": 1}}})
	result := object{"message": object{"role": "user", "content": []any{object{"type": "tool_result", "tool_use_id": use, "content": "done", "is_error": failed}}}}
	if out != nil {
		result["toolUseResult"] = out
	}
	c.line(s, "user", result)
	return id
}

func (s *script) file() (string, *truth) {
	names := make([]string, 0, len(s.files))
	for name := range s.files {
		names = append(names, name)
	}
	slices.Sort(names)
	name := names[s.r.IntN(len(names))]
	return name, s.files[name]
}

// step does one thing to one of the files.
func (s *script) step() {
	name, f := s.file()
	c := s.session[s.r.IntN(len(s.session))]
	if s.r.IntN(4) == 0 || c.prompt == "" {
		c.ask(s)
	}
	switch n := s.r.IntN(20); {
	case n < 3:
		s.others(f)
	case n < 4 && f.seen:
		s.move(c, name, f)
	case n < 6:
		c.call(s, "Read", object{"file_path": name}, object{"type": "text", "file": object{"filePath": name, "content": f.text(),
			"startLine": 1, "numLines": len(f.lines) + 1, "totalLines": len(f.lines) + 1}}, false)
		f.seen = true
	case n < 8:
		s.write(c, name, f)
	case n < 9: // it failed, and changed nothing
		c.call(s, "Edit", object{"file_path": name, "old_string": "nothing like it", "new_string": s.fresh()}, nil, true)
	default:
		s.edit(c, name, f)
	}
	f.note(s.now)
}

// note records what the file is now.
func (f *truth) note(now time.Time) {
	text := f.text()
	switch {
	case f.seen:
		f.known = &text
	case f.known != nil && *f.known == text:
		for i := len(f.states) - 1; i >= 0 && !f.states[i].seen; i-- {
			f.states[i].back = true
		}
	}
	f.states = append(f.states, stateAt{at: now, text: text, seen: f.seen})
}

// others change a file outside of all sessions.
func (s *script) others(f *truth) {
	s.outside++
	s.tick()
	f.seen = false
	at := s.r.IntN(len(f.lines) + 1)
	if s.r.IntN(3) == 0 && at < len(f.lines) && len(f.lines) > 3 {
		f.lines, f.by = slices.Delete(f.lines, at, at+1), slices.Delete(f.by, at, at+1)
		return
	}
	f.lines, f.by = slices.Insert(f.lines, at, s.fresh()), slices.Insert(f.by, at, outside)
}

func (s *script) move(c *scripted, name string, f *truth) {
	s.n++
	to := fmt.Sprintf("%s/moved%d.go", s.work, s.n)
	command := fmt.Sprintf("mv %s %s", strings.TrimPrefix(name, s.work+"/"), to)
	if s.r.IntN(2) == 0 {
		command = fmt.Sprintf("cd %s && git mv -f '%s' \"%s\" && ls", s.work, filepath.Base(name), filepath.Base(to))
	}
	c.call(s, "Bash", object{"command": command}, object{"stdout": "", "stderr": ""}, false)
	delete(s.files, name)
	s.gone = append(s.gone, name)
	s.files[to] = f
}

func (s *script) write(c *scripted, name string, f *truth) {
	before := f.text()
	// Some lines go, some come, the others stay in their order.
	var lines, by []string
	for i := range f.lines {
		if s.r.IntN(8) == 0 {
			lines, by = append(lines, s.fresh()), append(by, "")
		}
		if s.r.IntN(6) > 0 {
			lines, by = append(lines, f.lines[i]), append(by, f.by[i])
		}
	}
	lines, by = append(lines, s.fresh()), append(by, "")
	f.lines, f.by = lines, by
	id := c.call(s, "Write", object{"file_path": name, "content": f.text()}, object{"type": "update", "filePath": name, "content": f.text(),
		"originalFile": before, "structuredPatch": []any{}}, false)
	s.wrote(f, id)
}

func (s *script) wrote(f *truth, id string) {
	s.edits++
	f.seen = true
	for i := range f.by {
		if f.by[i] == "" {
			f.by[i] = id
		}
	}
}

// edit replaces some lines by others. The client refuses it where others changed the file since it was seen,
// so that its result has the content before, or a session read it.
func (s *script) edit(c *scripted, name string, f *truth) {
	before := f.text()
	recorded := !f.seen || s.r.IntN(3) > 0
	at := s.r.IntN(len(f.lines))
	n := min(1+s.r.IntN(3), len(f.lines)-at)
	old := slices.Clone(f.lines[at : at+n])
	var lines, by []string
	for i := range n {
		switch s.r.IntN(3) {
		case 0: // it stays
			lines, by = append(lines, old[i]), append(by, f.by[at+i])
		case 1:
			lines, by = append(lines, s.fresh()), append(by, "")
		}
	}
	lines, by = append(lines, s.fresh()), append(by, "")
	f.lines = slices.Concat(f.lines[:at:at], lines, f.lines[at+n:])
	f.by = slices.Concat(f.by[:at:at], by, f.by[at+n:])
	from, to := strings.Join(old, "\n"), strings.Join(lines, "\n")
	out := object{"filePath": name, "oldString": from, "newString": to, "originalFile": nil, "structuredPatch": []any{}, "replaceAll": false}
	if recorded {
		out["originalFile"] = before
	}
	s.copied(c, name, before)
	id := c.call(s, "Edit", object{"file_path": name, "old_string": from, "new_string": to}, out, false)
	s.wrote(f, id)
}

// copied is the copy that the client makes of a file before the first change of a turn.
func (s *script) copied(c *scripted, name, text string) {
	key := c.prompt + name
	if _, ok := c.tracked[key]; ok || s.r.IntN(2) == 0 {
		return
	}
	c.tracked[name]++
	c.tracked[key] = 1
	sum := sha256.Sum256([]byte(name))
	backup := fmt.Sprintf("%s@v%d", hex.EncodeToString(sum[:])[:16], c.tracked[name])
	path := filepath.Join(s.home, "file-history", c.id, backup)
	s.must(os.MkdirAll(filepath.Dir(path), 0o700))
	s.must(os.WriteFile(path, []byte(text), 0o600))
	at := s.tick().UTC().Format("2006-01-02T15:04:05.000Z")
	c.lines = append(c.lines, object{"type": "file-history-delta", "messageId": s.id(), "snapshotMessageId": c.prompt, "trackingPath": strings.TrimPrefix(name, s.work+"/"),
		"backup": object{"backupFileName": backup, "version": c.tracked[name], "backupTime": at, "realParentDir": s.work}, "timestamp": at})
}

func (s *script) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// run makes the history and writes it.
func run(t *testing.T, seed uint64, files, steps int) *script {
	s := &script{t: t, r: newRand(seed), work: filepath.Join(t.TempDir(), "app"), home: t.TempDir(), files: map[string]*truth{}}
	s.must(os.MkdirAll(s.work, 0o755))
	s.now = time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	for range 6 {
		s.session = append(s.session, &scripted{id: s.id(), tracked: map[string]int{}})
	}
	for i := range files {
		f := &truth{}
		name := fmt.Sprintf("%s/file%d.go", s.work, i)
		s.files[name] = f
		for range 5 + s.r.IntN(15) {
			f.lines, f.by = append(f.lines, s.fresh()), append(f.by, outside)
		}
		if i%2 == 0 { // a session made it
			c := s.session[i%len(s.session)]
			c.ask(s)
			f.by = make([]string, len(f.lines))
			id := c.call(s, "Write", object{"file_path": name, "content": f.text()}, object{"type": "create", "filePath": name, "content": f.text(), "originalFile": nil, "structuredPatch": []any{}}, false)
			s.wrote(f, id)
		}
	}
	for range steps {
		s.step()
	}
	s.store()
	for name, f := range s.files {
		s.must(os.WriteFile(name, []byte(f.text()), 0o644))
	}
	return s
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

func (s *script) clock() time.Time { return s.now.Add(time.Hour) }

// store writes the transcripts.
func (s *script) store() {
	dir := filepath.Join(s.home, "projects", strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, s.work))
	s.must(os.MkdirAll(dir, 0o700))
	for _, c := range s.session {
		var b strings.Builder
		for _, l := range c.lines {
			text, err := json.Marshal(l)
			s.must(err)
			b.Write(append(text, '\n'))
		}
		s.must(os.WriteFile(filepath.Join(dir, c.id+".jsonl"), []byte(b.String()), 0o600))
	}
}

func (s *script) open() *app.App {
	a, err := app.Open(app.Options{Roots: []string{s.home}, Now: s.clock})
	s.must(err)
	s.t.Cleanup(func() { _ = a.Close() })
	return a
}

// Every line of 50 files is attributed to whoever wrote it, after 1,000 changes by six sessions with changes by
// others in between. Nothing is attributed wrongly; unknown is allowed, and counted.
func TestBlameIsTrue(t *testing.T) {
	seed := storetest.Seed(t)
	s := run(t, seed, 50, 1000)
	if s.edits < 500 || s.outside < 50 {
		t.Fatalf("%d edits and %d changes by others: too few", s.edits, s.outside)
	}
	a := s.open()
	lines, unknown, wrong := 0, 0, 0
	for name, f := range s.files {
		page, err := a.Versions.Blame(t.Context(), versions.BlameRequest{Path: name, Named: true})
		if len(f.states) == 0 && err != nil {
			continue // nothing happened to it
		}
		if err != nil {
			if touched(s, name) {
				t.Fatalf("seed %d: %s: %v", seed, name, err)
			}
			continue
		}
		if !page.Present || len(page.Lines) != len(f.lines) {
			t.Fatalf("seed %d: %s has %d lines, want %d", seed, name, len(page.Lines), len(f.lines))
		}
		for i, l := range page.Lines {
			lines++
			by := l.Origin
			if l.Change >= 0 {
				by = page.Changes[l.Change].UUID
			}
			switch {
			case l.Text != f.lines[i]:
				t.Fatalf("seed %d: %s:%d is %q, want %q", seed, name, i+1, l.Text, f.lines[i])
			case by == versions.FromUnknown:
				unknown++
			case by != f.by[i]:
				if wrong++; wrong < 10 {
					t.Errorf("seed %d: %s:%d %q is by %s, want %s", seed, filepath.Base(name), i+1, l.Text, by, f.by[i])
				}
			}
		}
	}
	t.Logf("seed %d: %d edits, %d changes by others, %d moves: %d lines, %d unknown, %d wrong", seed, s.edits, s.outside, len(s.gone), lines, unknown, wrong)
	if unknown*20 > lines {
		t.Errorf("seed %d: %d of %d lines are unknown", seed, unknown, lines)
	}
}

// touched reports whether a session used a file under a name that it has now.
func touched(s *script, name string) bool {
	for _, c := range s.session {
		for _, l := range c.lines {
			if text, _ := json.Marshal(l); strings.Contains(string(text), name) && strings.Contains(string(text), "toolUseResult") {
				return true
			}
		}
	}
	return false
}

// What a file was at a time is what it was then, or the answer says that others changed it around that time.
func TestShowIsTrue(t *testing.T) {
	seed := storetest.Seed(t)
	s := run(t, seed, 5, 120)
	a := s.open()
	shown, gaps, unknown := 0, 0, 0
	for name, f := range s.files {
		for i, at := range f.states {
			v, err := a.Versions.Show(t.Context(), name, at.at.UTC().Format(time.RFC3339Nano))
			if err != nil {
				continue // nothing was known yet
			}
			shown++
			switch {
			case v.Sure == "unknown":
				unknown++
			case v.Outside != nil:
				gaps++
			case at.back:
			case v.Text != at.text && (at.seen || slices.ContainsFunc(f.states[i+1:], func(s stateAt) bool { return s.seen })):
				t.Fatalf("seed %d: %s at %s: got\n%s\nwant\n%s", seed, name, at.at, v.Text, at.text)
			}
		}
	}
	t.Logf("seed %d: %d versions, %d in a gap, %d unknown", seed, shown, gaps, unknown)
	if shown < 50 || gaps*2 > shown || unknown*10 > shown {
		t.Errorf("seed %d: %d versions were known, %d of them in a gap and %d unknown", seed, shown, gaps, unknown)
	}
}
