package claudehome_test

import (
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/internal/storetest"
)

const historyHome = `
-- history.jsonl --
{"display":"old one","pastedContents":{},"timestamp":1700000000000,"project":"/w/a"}
{"display":"Fix the PARSER [Pasted text #1 +3 lines]","pastedContents":{"1":{"id":1,"type":"text","content":"line [Pasted text #2]"}},"timestamp":1700086400000,"project":"/w/a/sub","sessionId":"s1"}
{"display":"[Pasted text #2 +99 lines] and [Image #3]","pastedContents":{"2":{"id":2,"type":"text","contentHash":"00112233445566aa"}},"timestamp":1700086401000,"project":"/w/ab","sessionId":"s2"}
{"display":"[...Truncated text #4 +9 lines...]","pastedContents":{"4":{"id":4,"type":"text","contentHash":"ffffffffffffffff"},"5":{"id":5,"type":"text","contentHash":"../../.credentials"}},"timestamp":"1700172800000","project":"/w/ab","sessionId":"s2"}

{"display":"broken
{"display":"Fix the PARSER [Pasted text #1 +3 lines]","pastedContents":{},"timestamp":1700086400000,"project":"/w/a/sub","sessionId":"s1"}
[1,2]
{"project":"/w/a"}
{"display":"/clear","pastedContents":[],"timestamp":1699999999000,"project":"C:\\Src\\X"}
-- paste-cache/00112233445566aa.txt --
from the cache
`

func TestHistory(t *testing.T) {
	s := openHome(t, historyHome)
	h, problems, err := claudehome.ReadHistory(s)
	if err != nil {
		t.Fatal(err)
	}
	var lines []int
	for _, e := range h {
		lines = append(lines, e.Line)
	}
	if want := []int{1, 2, 3, 4, 10}; !reflect.DeepEqual(lines, want) {
		t.Errorf("entries of lines %v, want %v", lines, want)
	}
	var bad []int
	for _, p := range problems {
		if p.File != "history.jsonl" || p.Offset == 0 || p.Length == 0 || !p.Lost {
			t.Errorf("problem without its place: %+v", p)
		}
		bad = append(bad, p.Line)
	}
	if want := []int{6, 8, 9}; !reflect.DeepEqual(bad, want) {
		t.Errorf("problems in lines %v, want %v", bad, want)
	}
	if got, want := h[3].Time, time.UnixMilli(1700172800000).UTC(); !got.Equal(want) {
		t.Errorf("quoted time is %v, want %v", got, want)
	}
}

func TestHistoryMissing(t *testing.T) {
	h, problems, err := claudehome.ReadHistory(openHome(t, "-- settings.json --\n{}\n"))
	if len(h) != 0 || len(problems) != 0 || err != nil {
		t.Errorf("got %v, %v, %v", h, problems, err)
	}
}

// The last line may lack its line end: whole or being written.
func TestHistoryTail(t *testing.T) {
	for _, tt := range []struct {
		tail    string
		entries int
		bad     int
	}{
		{`{"display":"b","timestamp":2}`, 2, 0},
		{`{"display":"b","times`, 1, 1},
		{"\x00\x00\x00", 1, 1},
		{`{"display":"b","timestamp":2}{"display":"c","timestamp":3}` + "\n", 3, 0},
		{`{"display":"b","times{"display":"c","timestamp":3}` + "\n", 2, 1},
	} {
		dir := t.TempDir()
		storetest.AppendBytes(t, filepath.Join(dir, "history.jsonl"), []byte("\ufeff{\"display\":\"a\",\"timestamp\":1}\r\n"+tt.tail))
		h, problems, err := claudehome.ReadHistory(openDir(t, dir))
		if err != nil || len(h) != tt.entries || len(problems) != tt.bad {
			t.Errorf("%q: %d entries, problems %v, error %v", tt.tail, len(h), problems, err)
		}
	}
}

func TestExpand(t *testing.T) {
	s := openHome(t, historyHome)
	h, _, err := claudehome.ReadHistory(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		entry   int
		want    string
		missing int
	}{
		{0, "old one", 0},
		{1, "Fix the PARSER line [Pasted text #2]", 0},
		{2, "from the cache\n and [Image #3]", 0},
		{3, "[...Truncated text #4 +9 lines...]", 2},
	} {
		got, missing := claudehome.Expand(s, h[tt.entry])
		if got != tt.want || len(missing) != tt.missing {
			t.Errorf("entry %d: %q with %d missing, want %q with %d", tt.entry, got, len(missing), tt.want, tt.missing)
		}
	}
	for _, p := range h[3].Pastes {
		if _, err := claudehome.ReadPaste(s, p); !errors.Is(err, sesskeep.ErrNotFound) {
			t.Errorf("paste %d: error %v, want not found", p.ID, err)
		}
	}
}

func TestHistorySearch(t *testing.T) {
	h, _, err := claudehome.ReadHistory(openHome(t, historyHome))
	if err != nil {
		t.Fatal(err)
	}
	at := func(ms int64) time.Time { return time.UnixMilli(ms) }
	for _, tt := range []struct {
		name string
		q    claudehome.HistoryQuery
		want []int // lines
	}{
		{"all, newest first", claudehome.HistoryQuery{}, []int{4, 3, 2, 1, 10}},
		{"limit", claudehome.HistoryQuery{Limit: 2}, []int{4, 3}},
		{"any case", claudehome.HistoryQuery{Text: "parser"}, []int{2}},
		{"not in pastes", claudehome.HistoryQuery{Text: "LINE ["}, nil},
		{"in pastes", claudehome.HistoryQuery{Text: "LINE [", Pastes: true}, []int{2}},
		{"below a project", claudehome.HistoryQuery{Project: "/w/a"}, []int{2, 1}},
		{"trailing slash", claudehome.HistoryQuery{Project: "/w/a/"}, []int{2, 1}},
		{"root", claudehome.HistoryQuery{Project: "/"}, []int{4, 3, 2, 1}},
		{"windows", claudehome.HistoryQuery{Project: `c:\src`}, []int{10}},
		{"windows part", claudehome.HistoryQuery{Project: `c:\sr`}, nil},
		{"session", claudehome.HistoryQuery{Session: "s2"}, []int{4, 3}},
		{"since", claudehome.HistoryQuery{Since: at(1700086401000)}, []int{4, 3}},
		{"until", claudehome.HistoryQuery{Until: at(1700086401000)}, []int{2, 1, 10}},
	} {
		var got []int
		for _, e := range h.Search(tt.q) {
			got = append(got, e.Line)
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: lines %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestHistoryProjects(t *testing.T) {
	h, _, err := claudehome.ReadHistory(openHome(t, historyHome))
	if err != nil {
		t.Fatal(err)
	}
	at := func(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
	want := []claudehome.ProjectUse{
		{Path: "/w/ab", Prompts: 2, Sessions: 1, First: at(1700086401000), Last: at(1700172800000)},
		{Path: "/w/a/sub", Prompts: 1, Sessions: 1, First: at(1700086400000), Last: at(1700086400000)},
		{Path: "/w/a", Prompts: 1, Sessions: 0, First: at(1700000000000), Last: at(1700000000000)},
		{Path: `C:\Src\X`, Prompts: 1, Sessions: 0, First: at(1699999999000), Last: at(1699999999000)},
	}
	if got := h.Projects(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestHistoryTimeline(t *testing.T) {
	h, _, err := claudehome.ReadHistory(openHome(t, historyHome))
	if err != nil {
		t.Fatal(err)
	}
	day := func(d, hour int) time.Time { return time.Date(2023, 11, d, hour, 0, 0, 0, time.UTC) }
	for _, tt := range []struct {
		name string
		loc  *time.Location
		want []claudehome.Day
	}{
		{"UTC", nil, []claudehome.Day{
			{Start: day(14, 0), Prompts: 2, Projects: 2},
			{Start: day(15, 0), Prompts: 2, Sessions: 2, Projects: 2},
			{Start: day(16, 0), Prompts: 1, Sessions: 1, Projects: 1},
		}},
		{"two hours east", time.FixedZone("east", 2*60*60), []claudehome.Day{
			{Start: day(14, 22), Prompts: 2, Projects: 2},
			{Start: day(15, 22), Prompts: 2, Sessions: 2, Projects: 2},
			{Start: day(16, 22), Prompts: 1, Sessions: 1, Projects: 1},
		}},
	} {
		got := h.Timeline(tt.loc)
		for i := range got {
			got[i].Start = got[i].Start.UTC()
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", tt.name, got, tt.want)
		}
	}
}

func TestRealHistory(t *testing.T) {
	total := 0
	for name, s := range realHomes(t, "*/.claude") {
		h, problems, err := claudehome.ReadHistory(s)
		if err != nil || len(problems) != 0 {
			t.Errorf("%s: problems %v, error %v", name, problems, err)
		}
		for _, e := range h {
			if e.Display == "" || e.Time.Year() != 2026 || !strings.HasPrefix(e.Project, "/") {
				t.Errorf("%s: line %d has %+v", name, e.Line, e)
			}
			if _, missing := claudehome.Expand(s, e); len(missing) != 0 {
				t.Errorf("%s: line %d misses %v", name, e.Line, missing)
			}
		}
		total += len(h)
	}
	if total < 50 {
		t.Errorf("%d entries in all homes, want at least 50", total)
	}
}
