package demo_test

import (
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/internal/demo"
)

var _ claudehome.Alive = demo.Alive

// transcript is a file of the home as our own reader sees it.
type transcript struct {
	sesskeep.Digest
	name     string
	modified time.Time
}

func (f transcript) agent() bool { return strings.HasPrefix(path.Base(f.name), "agent-") }
func (f transcript) id() string  { return strings.TrimSuffix(path.Base(f.name), ".jsonl") }

// title is what a list would show.
func (f transcript) title() string {
	for _, title := range []string{f.CustomTitle, f.AITitle} {
		if title != "" {
			return title
		}
	}
	for _, link := range f.Chain {
		if link.Text != "" {
			return link.Text
		}
	}
	return ""
}

func open(t *testing.T) (*sesskeep.Store, []transcript) {
	t.Helper()
	dir := write(t)
	store, err := sesskeep.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var files []transcript
	walk(t, dir, func(name string, info fs.FileInfo) {
		if !strings.HasPrefix(name, "projects/") || !strings.HasSuffix(name, ".jsonl") {
			return
		}
		d, err := store.Digest(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, transcript{d, name, info.ModTime()})
	})
	return store, files
}

func find(t *testing.T, files []transcript, title string) transcript {
	t.Helper()
	for _, f := range files {
		if !f.agent() && strings.HasPrefix(f.title(), title) {
			return f
		}
	}
	t.Fatalf("no session %q", title)
	return transcript{}
}

func TestConversations(t *testing.T) {
	_, files := open(t)
	for _, f := range files {
		tree := f.Tree()
		var got []sesskeep.ConversationKind
		for _, c := range tree.Conversations {
			got = append(got, c.Kind)
		}
		want := []sesskeep.ConversationKind{sesskeep.ConversationMain}
		switch {
		case f.Entries == 0:
			want = nil
		case f.title() == "Fix the flaky parser test on CI":
			want = append(want, sesskeep.ConversationRewind, sesskeep.ConversationEdit)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s %q has conversations %v, want %v", f.name, f.title(), got, want)
		}
		if len(tree.Conversations) > 0 && tree.Active != len(tree.Conversations)-1 {
			t.Errorf("%s %q: active is %d of %d", f.name, f.title(), tree.Active, len(tree.Conversations))
		}
		if f.Damage == 0 && (len(tree.Repaired) > 0 || len(tree.Detached) > 0 || len(tree.Duplicates) > 0) {
			t.Errorf("%s: repaired %v, detached %v, duplicates %v", f.name, tree.Repaired, tree.Detached, tree.Duplicates)
		}
		if len(f.Unknown) > 0 {
			t.Errorf("%s has unknown %v", f.name, f.Unknown)
		}
	}
}

func TestCast(t *testing.T) {
	_, files := open(t)
	var sessions, agents, helpers, warmups, inline, empty, damaged, expiring int
	directories, versions, models := map[string]bool{}, map[string]bool{}, map[string]bool{}
	var newest time.Time
	for _, f := range files {
		if f.LastActive.After(newest) {
			newest = f.LastActive
		}
		for _, m := range f.Models {
			models[m] = true
		}
		if f.agent() {
			agents++
			if sesskeep.AgentID(strings.TrimPrefix(f.id(), "agent-")).Helper() {
				helpers++
			}
			if f.title() == "Warmup" {
				warmups++
			}
			continue
		}
		sessions++
		directories[path.Dir(f.name)], versions[f.Version] = true, true
		inline += len(f.Tree().Inline)
		if f.Entries == 0 {
			empty++
		}
		if f.Damage > 0 {
			damaged++
		}
		if age := now.Sub(f.modified); age > 20*24*time.Hour && age < 29*24*time.Hour {
			expiring++
		}
		if age := now.Sub(f.modified); age > 29*24*time.Hour {
			t.Errorf("%s is %v old: the client would have deleted it", f.name, age)
		}
	}
	got := []int{sessions, agents, helpers, warmups, inline, empty, damaged, expiring, len(directories), len(models)}
	want := []int{22, 24, 2, 12, 1, 1, 1, 8, 5, 5}
	if !slices.Equal(got, want) {
		t.Errorf("sessions, agents, helpers, warm-ups, inline, empty, damaged, expiring, directories, models:\n%v, want\n%v", got, want)
	}
	for _, v := range []string{"2.1.325", "2.0.31", "1.0.128"} {
		if !versions[v] {
			t.Errorf("no session of %s", v)
		}
	}
	if age := now.Sub(newest); age > 3*time.Minute {
		t.Errorf("the newest line is %v old", age)
	}
}

func TestDamage(t *testing.T) {
	_, files := open(t)
	f := find(t, files, "Benchmark the tokenizer")
	var reasons []string
	for _, p := range f.Problems {
		reasons = append(reasons, p.Reason)
	}
	want := []string{"record cut off", "two records on one line", "NUL bytes", "unfinished last line"}
	if !slices.Equal(reasons, want) {
		t.Errorf("problems are %q, want %q", reasons, want)
	}
}

func TestLineage(t *testing.T) {
	_, files := open(t)
	shared := func(a, b transcript) int {
		n := 0
		for _, l := range a.Chain {
			if slices.ContainsFunc(b.Chain, func(o sesskeep.Link) bool { return o.UUID == l.UUID }) {
				n++
			}
		}
		return n
	}
	flaky, docs := find(t, files, "Fix the flaky"), find(t, files, "Docs sweep")
	if n := shared(docs, flaky); n == 0 || docs.ForkedFrom != "" || n == len(docs.Chain) {
		t.Errorf("the fork shares %d of %d rows and says it is from %q", n, len(docs.Chain), docs.ForkedFrom)
	}
	search, branch := find(t, files, "Speed up the order search"), find(t, files, "try-covering-index")
	if n := shared(branch, search); n == 0 || string(branch.ForkedFrom) != search.id() {
		t.Errorf("the branch shares %d rows and says it is from %q", n, branch.ForkedFrom)
	}
	deploy := find(t, files, "Deploy to the preview server")
	for _, s := range deploy.Summaries {
		has := func(f transcript) bool {
			return slices.ContainsFunc(f.Chain, func(l sesskeep.Link) bool { return l.UUID == s.Leaf })
		}
		if has(deploy) || !slices.ContainsFunc(files, has) {
			t.Errorf("summary %q is not of another file", s.Text)
		}
	}
	if len(deploy.Summaries) != 3 {
		t.Errorf("%d summaries", len(deploy.Summaries))
	}
}

func TestAgentsAreLinked(t *testing.T) {
	store, files := open(t)
	calls := map[string]bool{}
	for _, f := range files {
		for _, l := range f.Chain {
			calls[l.Tool] = true
		}
	}
	nested := 0
	for _, f := range files {
		data, err := store.Files().ReadFile(strings.TrimSuffix(f.name, ".jsonl")+".meta.json", 1<<20)
		if err != nil || len(data) == 0 {
			continue
		}
		var meta struct{ ToolUseID, ParentAgentID string }
		if err := json.Unmarshal(data, &meta); err != nil {
			t.Fatal(err)
		}
		if !calls[meta.ToolUseID] {
			t.Errorf("%s: no call %s", f.name, meta.ToolUseID)
		}
		if meta.ParentAgentID != "" {
			nested++
		}
	}
	if nested != 1 {
		t.Errorf("%d agents have a parent agent, want 1", nested)
	}
}

func TestState(t *testing.T) {
	store, files := open(t)
	lives, problems, err := claudehome.Registry(store.Files(), demo.Alive)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	states := map[string]int{}
	for _, l := range lives {
		if !slices.ContainsFunc(files, func(f transcript) bool { return f.id() == string(l.Session) }) {
			t.Errorf("%s is of no session", l.File)
		}
		word := l.Status
		if !l.Alive {
			word += " but dead"
		}
		states[word]++
	}
	for _, word := range []string{"busy", "waiting", "idle", "busy but dead"} {
		if states[word] != 1 {
			t.Errorf("%d processes are %s, want 1", states[word], word)
		}
	}
	if r := claudehome.FindRetention(store.Files(), claudehome.RetentionOptions{}); r.Days != claudehome.DefaultRetention || r.LastSweep.IsZero() || len(r.Problems) > 0 {
		t.Errorf("retention is %+v", r)
	}
	jobs, problems, err := claudehome.Jobs(store.Files())
	if err != nil || len(problems) > 0 || len(jobs) != 1 {
		t.Errorf("jobs %v, problems %v, error %v", jobs, problems, err)
	}
	plans, err := claudehome.Plans(store.Files())
	if err != nil || len(plans) != 1 {
		t.Errorf("plans %v, error %v", plans, err)
	}
	todos, problems, err := claudehome.Todos(store.Files(), "")
	if err != nil || len(problems) > 0 || len(todos) != 1 {
		t.Errorf("todos %v, problems %v, error %v", todos, problems, err)
	}
	tasks, problems, err := claudehome.Tasks(store.Files(), "")
	if err != nil || len(problems) > 0 || len(tasks) != 1 {
		t.Errorf("tasks %v, problems %v, error %v", tasks, problems, err)
	}
}

func TestHistoryAndCommands(t *testing.T) {
	store, _ := open(t)
	history, problems, err := claudehome.ReadHistory(store.Files())
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	kept, cached := 0, 0
	for _, e := range history {
		if _, missing := claudehome.Expand(store.Files(), e); len(missing) > 0 {
			t.Errorf("%q misses %v", e.Display, missing)
		}
		for _, p := range e.Pastes {
			if p.Hash != "" {
				cached++
			} else {
				kept++
			}
		}
	}
	if kept != 1 || cached != 1 {
		t.Errorf("%d pastes in the line and %d in the cache, want 1 each", kept, cached)
	}
	commands, bad := claudehome.Commands(store.Files(), claudehome.ScopeUser)
	if len(bad) > 0 {
		t.Error(bad)
	}
	var names []string
	for _, c := range commands {
		names = append(names, c.Name)
	}
	want := []string{"docs-editor", "reviewer", "db:explain", "git:bisect", "git:commit", "review", "standup", "changelog", "release-notes"}
	if !slices.Equal(names, want) {
		t.Errorf("commands %v, want %v", names, want)
	}
}

func TestSize(t *testing.T) {
	var size int64
	walk(t, write(t), func(name string, info fs.FileInfo) {
		if info.Mode().IsRegular() {
			size += info.Size()
		}
	})
	if size < 1<<20 || size > 2<<20 {
		t.Errorf("the home has %d bytes", size)
	}
}
