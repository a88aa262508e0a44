package launch_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/launch"
)

const twoQuestions = `{"questions":[` +
	`{"question":"Which colour?","header":"Colour","multiSelect":false,"options":[{"label":"Red","description":"r"},{"label":"Blue","description":"b"}]},` +
	`{"question":"Which sizes?","header":"Size","multiSelect":true,"options":[{"label":"S","description":""},{"label":"M","description":""},{"label":"L","description":""}]}]}`

// asking is a machine with one open prompt.
func asking(t *testing.T, tool, input, suggestions string) (*launch.Machine, launch.Prompt, time.Time) {
	t.Helper()
	now := time.Unix(1e9, 0)
	m := launch.New(launch.Limits{Answer: time.Minute}, now)
	m.Launched(now)
	m.Receive(now, launch.Decode([]byte(`{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","tool_name":"`+tool+
		`","input":`+input+`,"permission_suggestions":`+suggestions+`}}`)))
	m.Effects()
	if len(m.Prompts()) != 1 {
		t.Fatalf("%d prompts", len(m.Prompts()))
	}
	return m, m.Prompts()[0], now
}

// replies are the behaviours that were written to the client, and the last input.
func replies(m *launch.Machine) (list []launch.Behavior, input json.RawMessage) {
	for _, e := range m.Effects() {
		var w struct {
			Response struct {
				Response struct {
					Behavior launch.Behavior
					Input    json.RawMessage `json:"updatedInput"`
				}
			}
		}
		if e.Kind == launch.Write && json.Unmarshal(e.Data, &w) == nil && w.Response.Response.Behavior != "" {
			list, input = append(list, w.Response.Response.Behavior), w.Response.Response.Input
		}
	}
	return list, input
}

// An ill-formed answer is refused with the reason and leaves the prompt open: a good
// answer still counts, and the time limit still denies.
func TestIllFormedAnswer(t *testing.T) {
	const rules = `[{"type":"addRules","rules":[{"toolName":"Bash"}],"behavior":"allow","destination":"localSettings"}]`
	both := map[string]string{"Which colour?": "Red", "Which sizes?": "S"}
	for name, test := range map[string]struct {
		tool, input, rules string
		change             func(*launch.Answer)
		is                 error
		says               string
	}{
		"another input":     {"Bash", `{"command":"ls"}`, rules, func(a *launch.Answer) { a.Hash = launch.HashInput([]byte("{}")) }, launch.ErrInput, "another input"},
		"no hash":           {"Bash", `{"command":"ls"}`, rules, func(a *launch.Answer) { a.Hash = "" }, launch.ErrInput, "another input"},
		"no behaviour":      {"Bash", `{"command":"ls"}`, rules, func(a *launch.Answer) { a.Behavior = "perhaps" }, launch.ErrAnswer, `behavior "perhaps"`},
		"always, no rules":  {"Bash", `{"command":"ls"}`, `[]`, func(a *launch.Answer) { a.Scope = launch.Always }, launch.ErrAnswer, "no rules"},
		"unknown scope":     {"Bash", `{"command":"ls"}`, rules, func(a *launch.Answer) { a.Scope = "for ever" }, launch.ErrAnswer, `scope "for ever"`},
		"input not JSON":    {"Bash", `{"command":"ls"}`, rules, func(a *launch.Answer) { a.Input = json.RawMessage(`[1]`) }, launch.ErrAnswer, "no JSON object"},
		"nothing was asked": {"Bash", `{"command":"ls"}`, rules, func(a *launch.Answer) { a.Answers = both }, launch.ErrAnswer, "no question was asked"},
		"no answer":         {"AskUserQuestion", twoQuestions, `[]`, func(a *launch.Answer) { a.Answers = nil }, launch.ErrAnswer, `no answer to "Which colour?"`},
		"one of two":        {"AskUserQuestion", twoQuestions, `[]`, func(a *launch.Answer) { a.Answers = map[string]string{"Which colour?": "Red"} }, launch.ErrAnswer, `no answer to "Which sizes?"`},
		"a blank answer":    {"AskUserQuestion", twoQuestions, `[]`, func(a *launch.Answer) { a.Answers = map[string]string{"Which colour?": "Red", "Which sizes?": " "} }, launch.ErrAnswer, `no answer to "Which sizes?"`},
		"another question": {"AskUserQuestion", twoQuestions, `[]`, func(a *launch.Answer) {
			a.Answers = map[string]string{"Which colour?": "Red", "Which sizes?": "S", "Why?": "so"}
		}, launch.ErrAnswer, `"Why?" was not asked`},
		"a question without a text": {"AskUserQuestion", `{"questions":7}`, `[]`, func(a *launch.Answer) { a.Answers = both }, launch.ErrAnswer, "not a question that can be answered"},
	} {
		t.Run(name, func(t *testing.T) {
			m, p, now := asking(t, test.tool, test.input, test.rules)
			a := launch.Answer{Prompt: p.ID, Hash: p.Hash, Behavior: launch.Allow, By: "x"}
			good := a
			if p.Kind == launch.Question {
				good.Answers = both
			}
			test.change(&a)
			err := m.Answer(now, a)
			if !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%v, want %q", err, test.says)
			}
			if err := a.Check(&p); !errors.Is(err, test.is) {
				t.Errorf("checked: %v", err)
			}
			if list, _ := replies(m); len(list) != 0 || len(m.Prompts()) != 1 {
				t.Fatalf("the client got %v, %d prompts are open", list, len(m.Prompts()))
			}
			if test.input == `{"questions":7}` {
				m.Tick(now.Add(time.Hour))
				if list, _ := replies(m); len(list) != 1 || list[0] != launch.Deny {
					t.Errorf("after the limit the client got %v", list)
				}
				return
			}
			if err := m.Answer(now, good); err != nil {
				t.Errorf("the good answer after it: %v", err)
			}
			if list, _ := replies(m); len(list) != 1 || list[0] != launch.Allow {
				t.Errorf("the client got %v", list)
			}
		})
		t.Run(name+", then the limit", func(t *testing.T) {
			m, p, now := asking(t, test.tool, test.input, test.rules)
			a := launch.Answer{Prompt: p.ID, Hash: p.Hash, Behavior: launch.Allow, By: "x"}
			test.change(&a)
			_ = m.Answer(now, a)
			m.Tick(now.Add(time.Hour))
			if list, _ := replies(m); len(list) != 1 || list[0] != launch.Deny {
				t.Errorf("the client got %v", list)
			}
		})
	}
}

// A denial counts whatever it was shown: it can do no harm.
func TestDenyOtherInput(t *testing.T) {
	m, p, now := asking(t, "Bash", `{"command":"ls"}`, `[]`)
	if err := m.Answer(now, launch.Answer{Prompt: p.ID, Behavior: launch.Deny}); err != nil {
		t.Error(err)
	}
	if list, _ := replies(m); len(list) != 1 || list[0] != launch.Deny {
		t.Errorf("the client got %v", list)
	}
}

// What is typed at a question is an option by its number or label, several of them
// where that is allowed, or words of one's own.
func TestAskedParse(t *testing.T) {
	_, p, _ := asking(t, "AskUserQuestion", twoQuestions, `[]`)
	if len(p.Questions) != 2 || p.Questions[0].Several || !p.Questions[1].Several || p.Questions[1].Options[2].Label != "L" {
		t.Fatalf("%+v", p.Questions)
	}
	for _, test := range []struct {
		question    int
		typed, want string // "!" and words of the error
	}{
		{0, "2", "Blue"},
		{0, " red ", "Red"},
		{0, "Green, please", "Green, please"},
		{0, "3", "!no option 3"},
		{0, "0", "!no option 0"},
		{0, "= 3", "3"},
		{0, "1,2", "!one option only"},
		{0, "1 2", "!one option only"},
		{0, "  ", "!empty"},
		{0, "=", "!empty"},
		{1, "1,3", "S, L"},
		{1, "3 1 3", "S, L"},
		{1, "m", "M"},
		{1, "1, extra large", "S, extra large"},
		{1, "l, s", "S, L"},
		{1, "1,4", "!no option 4"},
		{1, "= 1, 4", "1, 4"},
		{1, "any of them", "any of them"},
	} {
		got, err := p.Questions[test.question].Parse(test.typed)
		if err != nil {
			got = "!" + err.Error()
		}
		if got != test.want && !(strings.HasPrefix(test.want, "!") && strings.HasPrefix(got, "!") && strings.Contains(got, test.want[1:])) {
			t.Errorf("question %d, %q: %q, want %q", test.question, test.typed, got, test.want)
		}
	}
}

// A form asks for one answer after the other, and what it has collected is accepted.
func TestForm(t *testing.T) {
	m, p, now := asking(t, "AskUserQuestion", twoQuestions, `[]`)
	f := launch.NewForm(&p)
	for _, typed := range []string{"2", "7", "1,2"} {
		q, _ := f.Next()
		if q == nil {
			t.Fatal("it is complete too early")
		}
		if err := f.Enter(typed); (err != nil) != (typed == "7") {
			t.Errorf("%s: %q: %v", q.Text, typed, err)
		}
	}
	if q, _ := f.Next(); q != nil {
		t.Errorf("it still asks %q", q.Text)
	}
	if err := m.Answer(now, launch.Answer{Prompt: p.ID, Hash: p.Hash, Behavior: launch.Allow, Answers: f.Answers()}); err != nil {
		t.Fatal(err)
	}
	_, input := replies(m)
	var given struct{ Answers map[string]string }
	if err := json.Unmarshal(input, &given); err != nil || given.Answers["Which colour?"] != "Blue" || given.Answers["Which sizes?"] != "S, M" {
		t.Errorf("%s", input)
	}
}
