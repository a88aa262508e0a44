package sesskeep_test

import (
	"fmt"
	"strings"
	"testing"

	"sesskeep"
)

// standingLines writes a talk in words: each is one line of a transcript.
//
//	p prompt · q prompt typed while the model worked · say[:reason] a text
//	think a thought · call:ID:TOOL · ok:ID a result · stop an interrupt
//	out the output of a local command · meta what the client put in
//	wake a notice that goes to the model · done turn_duration · cmd system/local_command
//	cost cost-state · err an API error · retry api_error · side:… the same of an inline agent
func standingLines(t *testing.T, words string) []string {
	t.Helper()
	var lines []string
	for i, word := range strings.Fields(words) {
		extra := ""
		if rest, ok := strings.CutPrefix(word, "side:"); ok {
			word, extra = rest, `"isSidechain":true,`
		}
		kind, arg, _ := strings.Cut(word, ":")
		id, tool, _ := strings.Cut(arg, ":")
		head := fmt.Sprintf(`%s"uuid":"u%d","timestamp":"2026-01-01T00:00:%02d.000Z",`, extra, i, i)
		answer := func(reason, block string) string {
			return `{"type":"assistant",` + head + `"message":{"id":"m","stop_reason":` + reason + `,"content":[` + block + `]}}`
		}
		user := func(fields, content string) string {
			return `{"type":"user",` + head + fields + `"message":{"content":` + content + `}}`
		}
		reason := "null"
		if arg != "" {
			reason = quote(arg)
		}
		line, ok := map[string]string{
			"p":     user("", `"hello"`),
			"q":     `{"type":"attachment",` + head + `"attachment":{"type":"queued_command","prompt":"and","humanTurn":true}}`,
			"say":   answer(reason, `{"type":"text","text":"hi"}`),
			"think": answer("null", `{"type":"thinking","thinking":""}`),
			"call":  answer(`"tool_use"`, `{"type":"tool_use","id":"`+id+`","name":"`+tool+`","input":{"command":"go test"}}`),
			"ok":    user("", `[{"type":"tool_result","tool_use_id":"`+id+`","content":"fine"}]`),
			"stop":  user("", `[{"type":"text","text":"[Request interrupted by user for tool use]"}]`),
			"out":   user("", `"<local-command-stdout>bye</local-command-stdout>"`),
			"meta":  user(`"isMeta":true,`, `"something"`),
			"wake":  user(`"promptSource":"system",`, `"<task-notification>\n</task-notification>"`),
			"done":  `{"type":"system","subtype":"turn_duration",` + head + `"durationMs":1}`,
			"cmd":   `{"type":"system","subtype":"local_command",` + head + `"content":"x"}`,
			"retry": `{"type":"system","subtype":"api_error",` + head + `"content":"x"}`,
			"err":   `{"type":"assistant",` + head + `"isApiErrorMessage":true,"message":{"model":"<synthetic>","stop_reason":"stop_sequence","content":[{"type":"text","text":"API Error"}]}}`,
			"cost":  `{"type":"cost-state","totalCostUSD":1}`,
		}[kind]
		if !ok {
			t.Fatalf("no line for %q", word)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestStanding(t *testing.T) {
	for _, tt := range []struct{ talk, want string }{
		{"", ":"},
		{"cost", ": closed"},
		{"p", "model:"},
		{"p q", "model:"},
		{"p think", "model:"},
		{"p say", "person: unsure"}, // clients that give no stop reason
		{"p say say:end_turn", "person:"},
		{"p say done", "person:"},
		{"p say call:a:Bash", "call:a"},
		{"p say p", "model:"},
		{"p say:tool_use", "model:"},
		{"p say:pause_turn", "model:"},
		{"p say:end_turn", "person:"},
		{"p say:max_tokens", "person:"},
		{"p err", "person:"},
		{"p retry", "model:"},
		{"p call:a:Bash", "call:a"},
		{"p call:a:Bash call:b:Read", "call:a,b"},
		{"p call:a:Bash call:b:Read ok:b", "call:a"},
		{"p call:a:Bash ok:a call:b:Read", "call:b"},
		{"p call:a:Bash call:b:Read ok:a ok:b", "model:"},
		{"p say:tool_use ok:a call:b:Read call:a:Bash", "call:b"}, // a result before its call (2.1.105 to 2.1.131)
		{"p say:tool_use ok:a call:a:Bash", "model:"},
		{"p say:end_turn ok:a p call:a:Bash", "call:a"}, // of another turn
		{"p call:a:Bash say:tool_use", "call:a"},
		{"p call:a:Bash q", "call:a"}, // a queued prompt leaves the calls alone
		{"p call:a:Bash p", "model:"}, // a new one does not
		{"p call:a:Bash ok:a stop", "person:"},
		{"p call:a:Bash stop", "person:"},
		{"p call:a:Bash done", "person:"},
		{"p call:a:Bash cmd", "call:a"}, // /rename in the middle of a turn
		{"p say:end_turn ok:a", "person:"},
		{"p say:end_turn meta", "person:"},
		{"p say:end_turn wake", "model:"},
		{"p call:a:Bash wake", "call:a"},
		{"p say:end_turn out", "person:"},
		{"p meta", "model:"},
		{"cmd", "person:"},
		{"p say:end_turn done cost", "person: closed"},
		{"p cost", "model: closed"},
		{"p cost p", "model:"},
		{"p cost done", "person: closed"}, // nothing was said after it
		{"p call:a:Task side:p side:call:b:Bash", "call:a"},
		{"p say:end_turn side:p", "person:"},
	} {
		d := fold(t, standingLines(t, tt.talk)...)
		if got := standingText(d.Standing); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.talk, got, tt.want)
		}
		var alone sesskeep.Standing
		for _, line := range standingLines(t, tt.talk) {
			e := decode(t, line)
			alone.Add(&e)
		}
		if got, want := asJSON(t, alone), asJSON(t, d.Standing); got != want {
			t.Errorf("%s: alone %s, in a digest %s", tt.talk, got, want)
		}
	}
}

func standingText(s sesskeep.Standing) string {
	var ids []string
	for _, c := range s.Calls {
		ids = append(ids, c.ID)
	}
	text := string(s.Turn) + ":" + strings.Join(ids, ",")
	if s.Closed {
		text += " closed"
	}
	if s.Unsure {
		text += " unsure"
	}
	return text
}

func TestStandingFacts(t *testing.T) {
	d := fold(t, standingLines(t, "p say:end_turn p q side:p call:a:Bash cost")...)
	if s := d.Standing; s.Prompts != 3 || s.Time.Second() != 5 || !s.Open() || !s.Closed || s.Calls[0].Tool != "Bash" || s.Calls[0].Time != s.Time {
		t.Errorf("got %+v", s)
	}
}

// A copy of a Standing stays as it was while the fold goes on.
func TestStandingCopy(t *testing.T) {
	var s sesskeep.Standing
	var was sesskeep.Standing
	var before string
	for i, line := range standingLines(t, "p call:a:Bash call:b:Read ok:a call:c:Grep") {
		e := decode(t, line)
		s.Add(&e)
		if i == 2 {
			was, before = s, asJSON(t, s)
		}
	}
	if got := asJSON(t, was); got != before {
		t.Errorf("got %s, want %s", got, before)
	}
}

// A hostile file cannot make a Standing grow without end.
func TestStandingBounds(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it is concurrent")
	}
	var s sesskeep.Standing
	for i := range 1000 {
		e := decode(t, fmt.Sprintf(`{"type":"assistant","uuid":"%d","message":{"content":[{"type":"tool_use","id":"%d","name":"Bash","input":{"command":%q}},{"type":"tool_use","id":"%d-"}]}}`, i, i, strings.Repeat("é", 9000), i))
		s.Add(&e)
	}
	if n := len(asJSON(t, s)); len(s.Calls) != 64 || n > 64*700 {
		t.Errorf("%d calls, %d bytes", len(s.Calls), n)
	}
}

func TestOpenCallText(t *testing.T) {
	long := strings.Repeat("x", 400)
	for _, tt := range []struct{ input, want string }{
		{`{}`, ""},
		{``, ""},
		{`{"command":"go test","description":"test"}`, "go test"},
		{`{"replace_all":true,"file_path":"/w/a.go","new_string":"x"}`, "/w/a.go"},
		{`{"command":""  ,"description":"test"}`, "test"},
		{`{"command":" a\n\t b "}`, "a b"},
		{`{"questions":[{"header":"h","question":"Which?"},{"question":"And?"}]}`, "Which?"},
		{`{"command":"` + long, strings.Repeat("x", 200)}, // cut off
		{`{"command":"say \`, "say"},
		{`{"command":"say \u00`, "say"},
		{`{"content":"` + long, ""},
		{`[1]`, ""},
	} {
		if got := (sesskeep.OpenCall{Input: tt.input}).Text(); got != tt.want {
			t.Errorf("%.60s: got %q, want %q", tt.input, got, tt.want)
		}
	}
}
