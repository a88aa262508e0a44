package storetest_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/storetest"
)

// facts are what the plainest possible reader makes of a transcript. It shares
// no code with the maker and knows only files without malice.
type facts struct {
	storetest.File
	uuids    map[string]bool
	parents  []string
	asked    map[string]int             // prompts under each parent
	answered map[string]map[string]bool // message ids under each parent
	usage    map[string]storetest.Usage
	models   map[string]string
}

type fullEntry struct {
	wire
	TurnOrigin string `json:"turnOrigin"`
	Timestamp  string `json:"timestamp"`
}

type wireUsage struct {
	Input         int64 `json:"input_tokens"`
	Output        int64 `json:"output_tokens"`
	CacheRead     int64 `json:"cache_read_input_tokens"`
	CacheCreation int64 `json:"cache_creation_input_tokens"`
	Split         struct {
		M5 int64 `json:"ephemeral_5m_input_tokens"`
		H1 int64 `json:"ephemeral_1h_input_tokens"`
	} `json:"cache_creation"`
}

func read(t *testing.T, c *storetest.Corpus, want storetest.File) *facts {
	t.Helper()
	r := &facts{
		File:  storetest.File{Name: want.Name, Kind: want.Kind, Session: want.Session, ForkOf: want.ForkOf, Title: want.Title},
		uuids: map[string]bool{}, asked: map[string]int{}, answered: map[string]map[string]bool{},
		usage: map[string]storetest.Usage{}, models: map[string]string{},
	}
	path := filepath.Join(c.Dir, want.Name)
	eachLine(t, path, func(line []byte) {
		r.Bytes += int64(len(line)) + 1
		r.Lines++
		var e fullEntry
		if err := json.Unmarshal(line, &e); err != nil {
			r.BadLines++
			return
		}
		r.Entries++
		r.entry(t, &e)
	})
	for _, p := range r.parents {
		if !r.uuids[p] {
			t.Errorf("%s: parent %s is not in the file", r.Name, p)
		}
	}
	for _, u := range r.usage {
		addUsage(&r.Usage, u)
	}
	r.conversations(t)
	return r
}

func (r *facts) entry(t *testing.T, e *fullEntry) {
	t.Helper()
	if e.UUID == "" {
		return
	}
	if r.uuids[e.UUID] {
		t.Errorf("%s: uuid %s twice", r.Name, e.UUID)
	}
	r.uuids[e.UUID] = true
	if at, err := time.Parse(time.RFC3339, e.Timestamp); err != nil {
		t.Errorf("%s: %v", r.Name, err)
	} else {
		if r.FirstTime.IsZero() {
			r.FirstTime = at
		}
		if at.After(r.LastTime) {
			r.LastTime = at
		}
	}
	parent := ""
	if e.ParentUUID != nil {
		parent = *e.ParentUUID
		r.parents = append(r.parents, parent)
	}
	inline := e.IsSidechain && r.Kind == "session"
	if inline && e.Type == "user" && parent == "" {
		r.InlineAgents++
	}
	switch {
	case e.Type == "assistant":
		r.assistant(t, e, parent, inline)
	case inline:
	case e.Type == "user":
		r.UserLines++
		r.user(e, parent)
	case e.Type == "attachment" && strings.Contains(string(e.Attachment), `"humanTurn":true`):
		r.QueuedPrompts++
	}
}

func (r *facts) user(e *fullEntry, parent string) {
	content := string(e.Message.Content)
	switch {
	case e.IsMeta, e.IsCompactSummary, strings.Contains(content, `"type":"tool_result"`):
	case strings.HasPrefix(content, `"<command-message>`) && e.TurnOrigin != "":
		r.CustomCommands++
		r.asked[parent]++
	case strings.HasPrefix(content, `"<`):
	default:
		r.Prompts++
		r.asked[parent]++
	}
}

func (r *facts) assistant(t *testing.T, e *fullEntry, parent string, inline bool) {
	t.Helper()
	var w wireUsage
	if err := json.Unmarshal(e.Message.Usage, &w); err != nil {
		t.Errorf("%s: usage: %v", r.Name, err)
	}
	u := storetest.Usage{
		Input: w.Input, Output: w.Output, CacheRead: w.CacheRead, CacheCreation: w.CacheCreation,
		Cache5m: w.Split.M5, Cache1h: w.Split.H1,
	}
	id := e.Message.ID
	_, known := r.usage[id]
	r.usage[id] = maxUsage(r.usage[id], u)
	r.models[id] = e.Message.Model
	if inline {
		return
	}
	if r.FirstModel == "" {
		r.FirstModel = e.Message.Model
	}
	r.AssistantLines++
	if !known {
		r.AssistantMessages++
	}
	if r.answered[parent] == nil {
		r.answered[parent] = map[string]bool{}
	}
	r.answered[parent][id] = true
}

// conversations counts forks: prompts under the same row.
func (r *facts) conversations(t *testing.T) {
	t.Helper()
	if r.UserLines == 0 {
		return
	}
	r.Conversations = 1
	for parent, n := range r.asked {
		if parent != "" {
			r.Conversations += n - 1
		}
	}
	for parent, ids := range r.answered {
		if len(ids) > 1 {
			t.Errorf("%s: %d answers under %s", r.Name, len(ids), parent)
		}
	}
}

func maxUsage(a, b storetest.Usage) storetest.Usage {
	return storetest.Usage{
		Input: max(a.Input, b.Input), Output: max(a.Output, b.Output),
		CacheRead: max(a.CacheRead, b.CacheRead), CacheCreation: max(a.CacheCreation, b.CacheCreation),
		Cache5m: max(a.Cache5m, b.Cache5m), Cache1h: max(a.Cache1h, b.Cache1h),
	}
}

func addUsage(sum *storetest.Usage, u storetest.Usage) {
	sum.Input += u.Input
	sum.Output += u.Output
	sum.CacheRead += u.CacheRead
	sum.CacheCreation += u.CacheCreation
	sum.Cache5m += u.Cache5m
	sum.Cache1h += u.Cache1h
}

// The maker's truth is what a reader finds in the files.
func TestTruth(t *testing.T) {
	for seed := range uint64(3) {
		c := corpus(t, storetest.S, seed)
		usage, models := map[string]storetest.Usage{}, map[string]string{}
		for _, want := range c.Files {
			got := read(t, c, want)
			for id, u := range got.usage {
				usage[id] = maxUsage(usage[id], u)
				models[id] = got.models[id]
			}
			want.FirstTime, want.LastTime = want.FirstTime.UTC(), want.LastTime.UTC()
			if want.UserLines == 0 {
				got.FirstTime, got.LastTime = want.FirstTime, want.LastTime
			}
			if got.File != want {
				t.Errorf("seed %d: the files say\n%+v, the maker\n%+v", seed, got.File, want)
			}
			info, err := os.Stat(filepath.Join(c.Dir, want.Name))
			if err != nil || !info.ModTime().Equal(want.LastTime) {
				t.Errorf("%s: mtime %v, want %v (%v)", want.Name, info.ModTime(), want.LastTime, err)
			}
			if want.LastTime.After(storetest.Until) || want.LastTime.Before(storetest.Until.Add(-storetest.Span)) {
				t.Errorf("%s: ends %v, outside the span", want.Name, want.LastTime)
			}
		}
		checkTotals(t, c, usage, models)
	}
}

func checkTotals(t *testing.T, c *storetest.Corpus, usage map[string]storetest.Usage, models map[string]string) {
	t.Helper()
	if got, want := len(usage), c.Messages; got != want {
		t.Errorf("%d messages, want %d", got, want)
	}
	got := map[string]storetest.Usage{}
	for id, u := range usage {
		sum := got[models[id]]
		addUsage(&sum, u)
		got[models[id]] = sum
	}
	if len(got) != len(c.Models) {
		t.Errorf("%d models, want %d", len(got), len(c.Models))
	}
	for m, u := range got {
		if c.Models[m] != u {
			t.Errorf("usage of %s: %+v, want %+v", m, u, c.Models[m])
		}
	}
}
