package catalog

import (
	"errors"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/errcode"
	"sesskeep/internal/query"
	"sesskeep/internal/reading"
	"sesskeep/internal/storetest"
)

const refusedHome = `
-- projects/-w-a/11111111-0000-4000-8000-000000000001.jsonl --
{"type":"user","uuid":"u1","cwd":"/w/a","sessionId":"11111111-0000-4000-8000-000000000001","timestamp":"2026-11-15T10:00:00.000Z","message":{"role":"user","content":"count the lighthouses"}}
-- projects/-w-a/11111111-0000-4000-8000-000000000001/subagents/agent-abc1.jsonl --
{"type":"user","uuid":"u2","isSidechain":true,"agentId":"abc1","cwd":"/w/a","sessionId":"11111111-0000-4000-8000-000000000001","timestamp":"2026-11-15T10:00:01.000Z","message":{"role":"user","content":"help"}}
-- projects/-w-a/11112222-0000-4000-8000-000000000002.jsonl --
{"type":"user","uuid":"u3","cwd":"/w/a","sessionId":"11112222-0000-4000-8000-000000000002","timestamp":"2026-11-15T11:00:00.000Z","message":{"role":"user","content":"something else"}}
-- projects/-v-a/33333333-0000-4000-8000-000000000003.jsonl --
{"type":"user","uuid":"u4","cwd":"/v/a","sessionId":"33333333-0000-4000-8000-000000000003","timestamp":"2026-11-15T12:00:00.000Z","message":{"role":"user","content":"the other a"}}
-- projects/-d-e-f/44444444-0000-4000-8000-000000000004.jsonl --
{"type":"user","uuid":"u5","cwd":"/d/e-f","sessionId":"44444444-0000-4000-8000-000000000004","timestamp":"2026-11-15T13:00:00.000Z","message":{"role":"user","content":"one path"}}
-- projects/-d-e-f/55555555-0000-4000-8000-000000000005.jsonl --
{"type":"user","uuid":"u6","cwd":"/d/e/f","sessionId":"55555555-0000-4000-8000-000000000005","timestamp":"2026-11-15T14:00:00.000Z","message":{"role":"user","content":"another path"}}
-- projects/-g-h/66666666-0000-4000-8000-000000000006.jsonl --
{"type":"user","uuid":"u7","cwd":"/g/h","sessionId":"66666666-0000-4000-8000-000000000006","timestamp":"2026-11-15T15:00:00.000Z","message":{"role":"user","content":"by its directory"}}
-- projects/-elsewhere/77777777-0000-4000-8000-000000000007.jsonl --
{"type":"user","uuid":"u8","cwd":"/g-h","sessionId":"77777777-0000-4000-8000-000000000007","timestamp":"2026-11-15T16:00:00.000Z","message":{"role":"user","content":"by its path"}}
`

// Whatever an address or a name lacks, the error says so: nothing else is found in its place.
func TestRefused(t *testing.T) {
	c := open(t, storetest.Home(t, refusedHome), "")
	snapshot, err := c.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	whole := func(address string) error {
		found, err := c.Find(t.Context(), address)
		if err != nil {
			return err
		}
		_, err = found.Session(address)
		return err
	}
	find := func(address string) func() error {
		return func() error { return whole(address) }
	}
	project := func(name string) func() error {
		return func() error { _, err := snapshot.FindProject(name); return err }
	}
	list := func(text string) func() error {
		return func() error {
			q, err := query.Parse(text, time.Now())
			if err != nil {
				return err
			}
			_, err = c.List(t.Context(), ask.Filter{Query: q, Now: time.Now()})
			return err
		}
	}
	for name, test := range map[string]struct {
		do   func() error
		want errcode.Code
	}{
		"a session":                        {find("11111111"), ""},
		"a session in a home that is none": {find("11111111@nowhere"), errcode.NotFound},
		"a message in a home that is none": {find("11111111#u1@nowhere"), errcode.NotFound},
		"an id of no session":              {find("99999999"), errcode.NotFound},
		"an id of two sessions":            {find("1111"), errcode.Ambiguous},
		"a part of a title":                {find("lighthouses"), errcode.NotFound},
		"an agent as a session":            {find("11111111/abc1"), errcode.Conflict},
		"an agent that is none":            {find("11111111/abc2"), errcode.NotFound},
		"a message as a session":           {find("11111111#u1"), errcode.Invalid},
		"a running session of none":        {find("@live"), errcode.NotFound},
		"keys in a home that is none":      {func() error { _, err := c.Keys("11111111@nowhere"); return err }, errcode.NotFound},
		"a project":                        {project("/w/a"), ""},
		"a name of two projects":           {project("a"), errcode.Ambiguous},
		"a directory of two projects":      {func() error { _, err := snapshot.ProjectNamed("-d-e-f"); return err }, errcode.Ambiguous},
		"a name of two directories":        {func() error { _, err := snapshot.ProjectsNamed("-g-h"); return err }, errcode.Ambiguous},
		"a filter by a session":            {list("session:11111111"), ""},
		"a filter in a home that is none":  {list("session:11111111@nowhere"), errcode.NotFound},
		"a kind of text":                   {func() error { _, err := TextKinds("prompts"); return err }, ""},
		"a kind of text that is none":      {func() error { _, err := TextKinds("prompts,rumour"); return err }, errcode.Invalid},
		"a session of a home that is not open": {func() error {
			_, err := c.TargetOf(&Session{Row: ask.Row{Root: "/nowhere"}})
			return err
		}, errcode.NotFound},
	} {
		err := test.do()
		if got := errcode.Of(err); err == nil && test.want != "" || err != nil && got != test.want {
			t.Errorf("%s: %v (%s), want %q", name, err, got, test.want)
		}
	}
	var part *PartOfTitle
	if err := whole("lighthouses"); !errors.As(err, &part) || len(part.Sessions) != 1 || part.Sessions[0].ID != "11111111-0000-4000-8000-000000000001" {
		t.Errorf("a part of a title: %v", err)
	}
	var at *sesskeep.Error
	if err := whole("11111111/abc2"); !errors.As(err, &at) || at.Op != "find agent" || at.Name != "abc2" {
		t.Errorf("an agent that is none: %v", err)
	}
	var short *reading.TooShort
	if err := whole("111"); !errors.As(err, &short) || len(short.Candidates) != 2 {
		t.Errorf("an id that is too short: %v", err)
	}
}
