package bridge

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/stamp"
)

// replayed gives a log and then the state of a run to an agent, and returns what it sends.
func replayed(t *testing.T, c *cursor, asked string, lines []string) (sent []event) {
	t.Helper()
	run := holder.Record{Run: holder.Run{ID: "r1", CreatedAt: stamp.Milli(1e12)}}
	run.State, run.Status.State = launch.YourTurn, launch.YourTurn
	a := newAgent(&run, c, func(e event) error {
		sent = append(sent, e)
		return nil
	}, func() time.Time { return time.UnixMilli(1e12) })
	a.asked = asked
	ctx, stop := context.WithCancel(t.Context())
	_, err := a.follow(ctx, func(_ context.Context, _ string, from int64, give func(holder.Frame) error) error {
		defer stop()
		for _, line := range lines {
			from += int64(len(line)) + 1
			if err := give(holder.Frame{Next: from, Line: json.RawMessage(line)}); err != nil {
				return err
			}
		}
		return give(holder.Frame{Next: from, Record: &run})
	})
	if err != context.Canceled {
		t.Fatal(err)
	}
	return sent
}

func assistantLine(text string) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"content":[{"type":"text","text":%q}]}}`, text)
}

// Who missed more than fits is sent to the history, and gets what comes from then on.
func TestCursorEvicted(t *testing.T) {
	var many []string
	for i := range maxReplay + 2 {
		many = append(many, assistantLine(fmt.Sprint(i)))
	}
	large := []string{assistantLine("first"), assistantLine(strings.Repeat("x", maxReplayBytes)), assistantLine("last")}
	for _, lines := range [][]string{many, large} {
		run := runHash(&holder.Run{ID: "r1", CreatedAt: stamp.Milli(1e12)})
		id := position{}.id(run)
		sent := replayed(t, newCursor(id, run), id, lines)
		if e, ok := sent[0].(cursorEvicted); !ok || e.LastMessageID != id || len(sent) != 2 {
			t.Errorf("%d sent, first %#v", len(sent), sent[0])
		}
	}
}

// What the log says, and what is left out of it.
func TestRead(t *testing.T) {
	const tool = `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}}`
	for _, c := range []struct {
		lines []string
		want  []event // of the last line
	}{
		{[]string{`{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"a"}]}}`},
			[]event{thinkingMessage{"hm", "hm"}, assistantMessage{"a"}}},
		{[]string{`{"type":"assistant","message":{"content":"plain"}}`}, []event{assistantMessage{"plain"}}},
		{[]string{`{"type":"assistant","parent_tool_use_id":"t1","message":{"content":"of a sub-agent"}}`}, nil},
		{[]string{`{"type":"user","isReplay":true,"message":{"content":[{"type":"image"},{"type":"text","text":"what?"}]}}`}, []event{userMessage{"[image]\nwhat?"}}},
		{[]string{`{"type":"user","message":{"content":[{"type":"text","text":"[Request interrupted by user]"}]}}`}, nil},
		{[]string{tool, `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"x"},{"type":"image"}],"is_error":true}]}}`},
			[]event{toolResult{ID: "t1", Tool: "Bash", Output: "x\n[image]", IsError: true}}},
		{[]string{`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t9","content":"x"}]}}`},
			[]event{toolResult{ID: "t9", Tool: "unknown", Output: "x", Success: true}}},
		{[]string{`{"type":"tool_progress","tool_use_id":"t1","tool_name":"Bash","elapsed_time_seconds":2.5}`}, []event{progressMessage{"t1", "Bash", 2.5}}},
		{[]string{`{"type":"system","subtype":"compact_boundary"}`}, []event{systemMessage{"The conversation was compacted.", "progress"}}},
		{[]string{`{"type":"result","subtype":"success","usage":{"input_tokens":1,"output_tokens":2},"total_cost_usd":0.5,"modelUsage":{"m":{"contextWindow":200000}}}`},
			[]event{usageMessage{InputTokens: 1, OutputTokens: 2, TotalCost: 0.5, ContextLimit: 200000}}},
		{[]string{`{"type":"result","subtype":"error_during_execution","errors":["a","b"]}`}, []event{systemMessage{"a; b", "result"}}},
		{[]string{`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"X","input":"no object"}]}}`}, []event{toolUse{"t1", "X", json.RawMessage("{}")}}},
		{[]string{`{"type":"never_seen"}`}, nil},
	} {
		r := newReader()
		var got []event
		for _, line := range c.lines {
			var l logLine
			if err := json.Unmarshal([]byte(line), &l); err != nil {
				t.Fatal(err)
			}
			got = r.read(&l)
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %#v, want %#v", c.lines[len(c.lines)-1], got, c.want)
		}
	}
}

// A long output says that it was cut, and where the rest is.
func TestLongOutput(t *testing.T) {
	if got := cut(strings.Repeat("x", 30), 10); got != "xxxxxxxxxx\n… (20 bytes more are in the history of the session)" {
		t.Errorf("%q", got)
	}
}

// An id is a position and nothing else, in either case; no other UUID is taken for one.
func TestPosition(t *testing.T) {
	run, other := runHash(&holder.Run{ID: "r1"}), runHash(&holder.Run{ID: "r2"})
	for _, p := range []position{{}, {offset: 1}, {offset: 1<<offsetBits - 1, index: maxIndex}, {offset: 77, index: 3, before: true}} {
		id := p.id(run)
		for _, text := range []string{id, strings.ToUpper(id)} {
			if got, ok := parsePosition(text, run); !ok || got != p {
				t.Errorf("%+v: %+v, %v", p, got, ok)
			}
		}
		if _, ok := parsePosition(id, other); ok {
			t.Errorf("%s is taken for one of another run", id)
		}
		last := "0"
		if strings.HasSuffix(id, last) {
			last = "1"
		}
		if _, ok := parsePosition(id[:35]+last, run); ok {
			t.Errorf("%s is taken for a position", id[:35]+last)
		}
	}
}

// The id of a question stands for its run, its request and its exact input.
func TestPromptID(t *testing.T) {
	run := holder.Record{Run: holder.Run{ID: "r1"}}
	run.Prompts = []launch.Prompt{{ID: "p", Hash: launch.HashInput([]byte(`{"command":"ls"}`))}}
	id := promptID("r1", &run.Prompts[0])
	if findPrompt(&run, id) == nil {
		t.Fatal("the question is not found")
	}
	run.Prompts[0].Hash = launch.HashInput([]byte(`{"command":"rm -rf /"}`))
	if findPrompt(&run, id) != nil {
		t.Error("the id stands for another input")
	}
	if promptID("r2", &run.Prompts[0]) == promptID("r1", &run.Prompts[0]) {
		t.Error("two runs share an id")
	}
}

// Only what somebody stopped was stopped by the user.
func TestStopReason(t *testing.T) {
	for _, c := range []struct {
		why     string
		outcome launch.Outcome
		want    string
	}{
		{"stopped by api", launch.Answered, "user"}, {"stopped by api", launch.Failed, "user"}, {"", launch.Answered, "complete"}, {"", "", "complete"},
		{"no message came", launch.Answered, "timeout"}, {"the time limit of the run is reached", launch.Limited, "timeout"},
		{"the budget is spent", launch.Spent, "error"}, {"", launch.ClientDied, "error"}, {"its holder was killed", launch.HolderDied, "error"},
	} {
		run := holder.Record{}
		run.Why, run.Outcome = c.why, c.outcome
		if got := stopReason(&run); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
