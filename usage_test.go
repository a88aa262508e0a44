package sesskeep_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sesskeep"
)

func TestUsage(t *testing.T) {
	for _, tt := range []struct {
		name, usage string
		want        sesskeep.Usage
	}{
		{"none", `{}`, sesskeep.Usage{}},
		{"null", `null`, sesskeep.Usage{}},
		{"no object", `[1]`, sesskeep.Usage{}},
		{"plain", `{"input_tokens":1,"output_tokens":2,"cache_read_input_tokens":3}`, sesskeep.Usage{Input: 1, Output: 2, CacheRead: 3}},
		{"strings as numbers", `{"input_tokens":"12","output_tokens":"x","cache_read_input_tokens":""}`, sesskeep.Usage{Input: 12}},
		{
			"fewer than none", `{"input_tokens":-5,"output_tokens":-1,"cache_read_input_tokens":-2,"cache_creation_input_tokens":-3,
			"cache_creation":{"ephemeral_5m_input_tokens":-4,"ephemeral_1h_input_tokens":4},"server_tool_use":{"web_search_requests":-1}}`,
			sesskeep.Usage{CacheWrite1h: 4},
		},
		{"nulls", `{"input_tokens":null,"output_tokens":2,"cache_creation":null,"server_tool_use":null}`, sesskeep.Usage{Output: 2}},
		{"over 2^53", `{"input_tokens":9007199254740993}`, sesskeep.Usage{Input: 9007199254740993}},
		{"fraction", `{"input_tokens":12.9}`, sesskeep.Usage{Input: 12}},
		{"sum only: five minutes", `{"cache_creation_input_tokens":7}`, sesskeep.Usage{CacheWrite5m: 7}},
		{
			"sum and breakdown",
			`{"cache_creation_input_tokens":7,"cache_creation":{"ephemeral_5m_input_tokens":3,"ephemeral_1h_input_tokens":4}}`,
			sesskeep.Usage{CacheWrite5m: 3, CacheWrite1h: 4},
		},
		{
			"sum of 0 beside a breakdown", // before 2.1.152
			`{"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":4},"cache_creation_input_tokens":0}`,
			sesskeep.Usage{CacheWrite1h: 4},
		},
		{
			"breakdown of zeros beside a sum",
			`{"cache_creation_input_tokens":7,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0}}`,
			sesskeep.Usage{CacheWrite5m: 7},
		},
		{
			"what is priced apart",
			`{"server_tool_use":{"web_search_requests":2,"web_fetch_requests":9},"speed":"fast","service_tier":"batch","inference_geo":"us"}`,
			sesskeep.Usage{WebSearches: 2, Fast: true, Batch: true, USOnly: true},
		},
		{"what is not", `{"speed":"standard","service_tier":"standard","inference_geo":"global"}`, sesskeep.Usage{}},
	} {
		e := decode(t, `{"type":"assistant","uuid":"a","message":{"id":"m","usage":`+tt.usage+`}}`)
		if got := e.Message.Usage; got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

// What the usage of an answer leaves out is found among its iterations, and nothing that
// it has already. A call that names no model was one of the answer's model.
func TestSideCalls(t *testing.T) {
	const message, advisor = `{"type":"message","input_tokens":1,"output_tokens":2}`, `{"type":"advisor_message","model":"o","input_tokens":7,"output_tokens":8}`
	call := func(kind, model string, in, out int64, n int) sesskeep.UsageRow {
		return sesskeep.UsageRow{Message: fmt.Sprint("m#", n), Call: kind, Model: model, Usage: sesskeep.Usage{Input: in, Output: out}}
	}
	for _, tt := range []struct {
		name, iterations string // of an answer of 1 and 2 tokens
		want             []sesskeep.UsageRow
	}{
		{"none", `[]`, nil},
		{"null", `null`, nil},
		{"no list", `{"type":"advisor_message"}`, nil},
		{"only messages", `[` + message + `,` + message + `]`, nil},
		{"an advisor", `[` + message + `,` + advisor + `]`, []sesskeep.UsageRow{call("advisor_message", "o", 7, 8, 2)}},
		{"spaces", `[ { "type" : "advisor_message" , "input_tokens" : 7 } ]`, []sesskeep.UsageRow{call("advisor_message", "x", 7, 0, 1)}},
		{"an advisor who said nothing", `[{"type":"advisor_message"}]`, nil},
		{"two attempts and a fallback", `[{"type":"message","model":"a","output_tokens":3},{"type":"fallback_message","model":"b","output_tokens":4},
			{"type":"fallback_message","input_tokens":1,"output_tokens":2}]`, []sesskeep.UsageRow{call("attempt", "a", 0, 3, 1), call("attempt", "b", 0, 4, 2)}},
		{"a fallback that is in the sum", `[{"type":"message","input_tokens":1},{"type":"fallback_message","output_tokens":2}]`, nil},
		{"a message behind a fallback", `[{"type":"message","output_tokens":5},{"type":"fallback_message","input_tokens":1},{"type":"message","output_tokens":2}]`,
			[]sesskeep.UsageRow{call("attempt", "x", 0, 5, 1)}},
		{"a compaction", `[{"type":"compaction","input_tokens":9},` + message + `]`, []sesskeep.UsageRow{call("compaction", "x", 9, 0, 1)}},
		{"nobody knows it", `[` + message + `,{"type":"oracle","input_tokens":9}]`, []sesskeep.UsageRow{call("oracle", "x", 9, 0, 2)}},
		{"nobody knows it, and it is in the sum", `[{"type":"message","input_tokens":1},{"type":"oracle","output_tokens":2}]`, nil},
		{"iterations of an iteration", `[{"type":"oracle","iterations":[` + advisor + `],"input_tokens":9}]`, []sesskeep.UsageRow{call("oracle", "x", 9, 0, 1)}},
	} {
		e := decode(t, `{"type":"assistant","uuid":"a","message":{"id":"m","model":"x","usage":{"input_tokens":1,"output_tokens":2,"iterations":`+tt.iterations+`}}}`)
		answer := sesskeep.UsageRow{Message: "m", Model: "x", Usage: sesskeep.Usage{Input: 1, Output: 2}}
		if got := slices.Collect(e.UsageRows()); !slices.Equal(got, append([]sesskeep.UsageRow{answer}, tt.want...)) {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

// fold makes a Digest of lines.
func fold(tb testing.TB, lines ...string) *sesskeep.Digest {
	tb.Helper()
	var d sesskeep.Digest
	for i, line := range lines {
		e := decode(tb, line)
		e.Line = i + 1
		d.Add(&e)
	}
	return &d
}

func answerLine(uuid, message, model, usage string) string {
	return `{"type":"assistant","uuid":"` + uuid + `","message":{"id":"` + message + `","model":"` + model + `","usage":` + usage + `}}`
}

// The lines of one message repeat its figures, or let them grow; a message
// counts once, with the largest of each.
func TestUsageRows(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines []string
		want  sesskeep.Usage
		rows  string
	}{
		{"repeated", []string{
			answerLine("a", "m", "x", `{"input_tokens":10,"output_tokens":5}`),
			answerLine("b", "m", "x", `{"input_tokens":10,"output_tokens":5}`),
		}, sesskeep.Usage{Input: 10, Output: 5}, "m"},
		{"growing", []string{
			answerLine("a", "m", "x", `{"input_tokens":10,"output_tokens":5,"cache_read_input_tokens":7}`),
			answerLine("b", "m", "x", `{"input_tokens":10,"output_tokens":631}`),
			answerLine("c", "m", "x", `{"input_tokens":0,"output_tokens":1}`),
		}, sesskeep.Usage{Input: 10, Output: 631, CacheRead: 7}, "m"},
		{"two messages", []string{
			answerLine("a", "m", "x", `{"input_tokens":10}`), answerLine("b", "n", "x", `{"input_tokens":10}`),
			answerLine("c", "m", "x", `{"input_tokens":11}`),
		}, sesskeep.Usage{Input: 21}, "m n"},
		{"without message ids", []string{
			answerLine("a", "", "x", `{"input_tokens":10}`), answerLine("b", "", "x", `{"input_tokens":10}`),
		}, sesskeep.Usage{Input: 20}, "a b"},
		{"doubled file", []string{
			answerLine("a", "", "x", `{"input_tokens":10}`), answerLine("a", "", "x", `{"input_tokens":10}`),
		}, sesskeep.Usage{Input: 10}, "a"},
		{"made up by the client", []string{
			answerLine("a", "m", "<synthetic>", `{"input_tokens":10}`),
		}, sesskeep.Usage{}, ""},
		{"zeros first", []string{
			answerLine("a", "m", "x", `{"output_tokens":0}`), answerLine("b", "m", "x", `{"output_tokens":3}`),
		}, sesskeep.Usage{Output: 3}, "m"},
		{"no message", []string{`{"type":"assistant","uuid":"a"}`}, sesskeep.Usage{}, ""},
	} {
		d := fold(t, tt.lines...)
		var rows []string
		for _, row := range d.Usage {
			rows = append(rows, row.Message)
		}
		if got := d.Total(); got != tt.want || strings.Join(rows, " ") != tt.rows {
			t.Errorf("%s: %+v of %v, want %+v of %s", tt.name, got, rows, tt.want, tt.rows)
		}
	}
}

func TestUsageLaws(t *testing.T) {
	number := rapid.Int64Range(0, 1<<40)
	usage := rapid.Custom(func(t *rapid.T) sesskeep.Usage {
		return sesskeep.Usage{
			Input: number.Draw(t, "in"), Output: number.Draw(t, "out"), CacheRead: number.Draw(t, "read"),
			CacheWrite5m: number.Draw(t, "5m"), CacheWrite1h: number.Draw(t, "1h"), WebSearches: number.Draw(t, "web"),
			Fast: rapid.Bool().Draw(t, "fast"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		u, v, w := usage.Draw(t, "u"), usage.Draw(t, "v"), usage.Draw(t, "w")
		if u.Larger(v) != v.Larger(u) || u.Larger(u) != u || u.Larger(v).Larger(w) != u.Larger(v.Larger(w)) {
			t.Fatalf("the larger of two depends on the order")
		}
		if u.Larger(v).Context() < u.Context() {
			t.Fatalf("the larger one is smaller")
		}
		if u.Add(v).Context() != u.Context()+v.Context() {
			t.Fatalf("the sum has another context")
		}
	})
}
