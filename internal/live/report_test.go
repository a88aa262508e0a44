package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sesskeep"
)

var reported = time.Date(2026, 11, 15, 12, 0, 0, 123456789, time.UTC)

func TestParseReport(t *testing.T) {
	const head = `"session_id":"s1","transcript_path":"/h/s1.jsonl","cwd":"/w","hook_event_name":`
	same := Report{Time: reported, Session: "s1", Cwd: "/w", File: "/h/s1.jsonl"}
	with := func(change func(*Report)) Report {
		r := same
		change(&r)
		return r
	}
	for in, want := range map[string]Report{
		`{` + head + `"PermissionRequest","agent_id":"a1","tool_name":"Bash","tool_input":{"description":"why","command":"rm -rf\n  build/"}}`: with(func(r *Report) {
			r.Event, r.Agent, r.Tool, r.Text = "PermissionRequest", "a1", "Bash", "rm -rf build/"
		}),
		`{` + head + `"PermissionRequest","tool_name":"mcp__x__y","tool_input":{"z":"last","n":4,"b":"first"}}`: with(func(r *Report) {
			r.Event, r.Tool, r.Text = "PermissionRequest", "mcp__x__y", "first"
		}),
		`{` + head + `"Notification","notification_type":"idle_prompt","message":"Claude is waiting"}`: with(func(r *Report) {
			r.Event, r.Type, r.Text = "Notification", "idle_prompt", "Claude is waiting"
		}),
		`{` + head + `"SessionStart","source":"resume","prompt":"x"}`:       with(func(r *Report) { r.Event, r.Type = "SessionStart", "resume" }),
		`{` + head + `"SessionEnd","reason":"other"}`:                       with(func(r *Report) { r.Event, r.Type = "SessionEnd", "other" }),
		`{` + head + `"UserPromptSubmit","prompt":"a secret"}`:              with(func(r *Report) { r.Event = "UserPromptSubmit" }),
		`{` + head + `"Stop","last_assistant_message":"x","tool_input":[]}`: with(func(r *Report) { r.Event = "Stop" }),
	} {
		if got, err := ParseReport([]byte(in), reported); err != nil || got != want {
			t.Errorf("%s\ngot  %+v, %v\nwant %+v", in, got, err, want)
		}
	}
	for _, in := range []string{"", "x", "{}", "[]", `{"session_id":"s"}`, `{"hook_event_name":"Stop"}`} {
		if got, err := ParseReport([]byte(in), reported); err == nil {
			t.Errorf("%q gives %+v", in, got)
		}
	}
}

// Whatever a client says, a report is small and of one line.
func TestReportBounds(t *testing.T) {
	long := strings.Repeat("ä\n", 1<<18)
	data, err := json.Marshal(map[string]any{
		"hook_event_name": "PermissionRequest", "session_id": long, "agent_id": long, "cwd": long,
		"transcript_path": long, "tool_name": long, "tool_input": map[string]string{"command": long},
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := ParseReport(data, reported)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Text) > 500 || strings.Contains(r.Text, "\n") || strings.Contains(r.Text, "\ufffd") {
		t.Errorf("the text is %d bytes: %.20q…", len(r.Text), r.Text)
	}
	if line, _ := json.Marshal(r); len(line) > 16<<10 {
		t.Errorf("a report of %d bytes", len(line))
	}
}

// The real client's reports, as far as we ask for them, are all understood.
func TestReportCorpus(t *testing.T) {
	shared := os.Getenv("SESSKEEP_SHARED")
	if shared == "" {
		t.Skip("SESSKEEP_SHARED is not set")
	}
	data, err := os.ReadFile(filepath.Join(shared, "corpus", "real-client", "p11-hooks", "hook-stdin.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for line := range bytes.Lines(data) {
		var w struct{ Stdin json.RawMessage }
		if err := json.Unmarshal(line, &w); err != nil {
			t.Fatal(err)
		}
		r, err := ParseReport(w.Stdin, reported)
		if err != nil || r.File == "" || r.Cwd == "" {
			t.Errorf("%v: %+v of %s", err, r, w.Stdin)
		}
		seen[r.Event+" "+r.Tool+r.Type]++
	}
	for _, want := range []string{"PermissionRequest Write", "SessionStart startup", "SessionStart resume", "SessionEnd other", "Stop ", "UserPromptSubmit "} {
		if seen[want] == 0 {
			t.Errorf("no %q in %v", want, seen)
		}
	}
}

// numbered is a report that can be told from others.
func numbered(who, n int) Report {
	return Report{Time: reported, Event: "Stop", Session: sesskeep.SessionID(fmt.Sprintf("%d-%d", who, n)), Text: strings.Repeat("x", 480)}
}

func appendReport(t *testing.T, path string, r Report) {
	t.Helper()
	if err := AppendReport(path, r); err != nil {
		t.Fatal(err)
	}
}

func reportLine(t *testing.T, r Report) []byte {
	t.Helper()
	line, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return append(line, '\n')
}

func ids(t *testing.T, r *Reports, path string) string {
	t.Helper()
	list, err := r.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, r := range list {
		words = append(words, string(r.Session))
	}
	return strings.Join(words, " ")
}

// Of fifty that append at once, over several files, none is lost, and a reader
// sees each once.
func TestConcurrentReports(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "reports.jsonl")
	const writers, each = 50, 60 // 1.7 MB: the file is put aside three times
	// A reader that misses two changes of the file has missed what was dropped
	// in between, so the writers do not run that far ahead.
	const ahead = 500
	var unread atomic.Int64
	var all sync.WaitGroup
	for who := range writers {
		all.Go(func() {
			for n := range each {
				for unread.Load() > ahead {
					time.Sleep(time.Millisecond)
				}
				unread.Add(1)
				if err := AppendReport(path, numbered(who, n)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	seen := map[sesskeep.SessionID]int{}
	var r Reports
	for over := false; ; {
		list, err := r.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		unread.Add(-int64(len(list)))
		for _, report := range list {
			seen[report.Session]++
		}
		if over {
			break
		}
		select {
		case <-done:
			over = true
		default:
		}
	}
	for who := range writers {
		for n := range each {
			if id := numbered(who, n).Session; seen[id] != 1 {
				t.Errorf("%s was seen %d times", id, seen[id])
			}
		}
	}
	total := int64(0)
	for _, name := range []string{path, olderReports(path)} {
		info, err := os.Stat(name)
		if errors.Is(err, fs.ErrNotExist) && name == path {
			continue // the last report filled it
		}
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	if total > 1<<20+1<<16 {
		t.Errorf("%d bytes are kept", total)
	}
}

// Whoever opened the file and is slow to write is not left behind with a file
// that others put aside twice, and dropped.
func TestSlowReport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "reports.jsonl")
	slow, err := openReports(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 2000 { // of 600 bytes: two halves, and more
		if a, err := openReports(path, 0); err != nil {
			t.Fatal(err)
		} else if err := a.append(reportLine(t, numbered(1, n))); err != nil {
			t.Fatal(err)
		}
	}
	if err := slow.append(reportLine(t, numbered(0, 0))); err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(ids(t, &Reports{}, path))
	if len(words) != 2001 || !slices.Contains(words, "0-0") {
		t.Errorf("%d reports, the slow one among them: %v", len(words), slices.Contains(words, "0-0"))
	}
	// It is done, so what is full is put aside again.
	appendReport(t, path, numbered(1, 2000))
	if _, err := os.Stat(olderReports(path)); err != nil {
		t.Error("nothing was put aside: ", err)
	}
}

// A reader that starts late gets what is kept, the oldest first.
func TestReportsFromStart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "reports.jsonl")
	if got := ids(t, &Reports{}, path); got != "" {
		t.Errorf("no file gives %q", got)
	}
	for n := range 1000 {
		appendReport(t, path, numbered(0, n))
	}
	if _, err := os.Stat(olderReports(path)); err != nil {
		t.Fatal("nothing was put aside: ", err)
	}
	words := strings.Fields(ids(t, &Reports{}, path))
	if len(words) != 1000 || words[0] != "0-0" || words[999] != "0-999" {
		t.Errorf("%d reports, from %s", len(words), words[0])
	}
}

func TestReportsTail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "reports.jsonl")
	write := func(text string) {
		t.Helper()
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	line := func(n int) string { return string(reportLine(t, numbered(7, n))) }
	var r Reports
	want := func(what, want string) {
		t.Helper()
		if got := ids(t, &r, path); got != want {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
	}
	write(line(1))
	want("one", "7-1")
	want("nothing new", "")
	half := line(2)
	write(half[:30])
	want("half a line", "")
	write(half[30:])
	want("the other half", "7-2")
	write("garbage\n{\"time\":1}\n" + line(3))
	want("bad lines", "7-3")
	write(half[:30] + line(4))
	want("behind a torn one", "7-4")
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	write(line(5))
	want("cut off", "7-5")
	// Systems give the number of a file that is gone to the next one, which can
	// have a line that ends where the old one did.
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	write(line(0) + line(1))
	want("another of the same number", "7-0 7-1")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	want("gone", "")
	write(line(6))
	want("another file", "7-6")
	if err := os.Rename(path, olderReports(path)); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(olderReports(path), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	write(line(8))
	if _, err := f.WriteString(line(7)); err != nil {
		t.Fatal(err)
	}
	want("put aside", "7-7 7-8")
	if _, err := f.WriteString(line(9)); err != nil {
		t.Fatal(err)
	}
	want("late", "7-9")
}
