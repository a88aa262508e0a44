package settings

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sesskeep/internal/jsonedit"

	"pgregory.net/rapid"
)

const command = "/opt/bin/sesskeep hook report"

func TestOurs(t *testing.T) {
	for text, want := range map[string]string{
		command:                                        "ours",
		"sesskeep hook report":                         "ours",
		" sesskeep hook report ":                       "ours",
		"'/my apps/sesskeep' hook report":              "ours",
		`"C:/Program Files/sesskeep.exe" hook report`:  "ours",
		`C:\bin\sesskeep.exe hook report`:              "ours",
		"timeout 1 sesskeep hook report || true":       "theirs",
		"/x/sesskeep-1.2 hook report;":                 "theirs",
		"/x/sesskeep hook report; ~/bin/ding.sh":       "theirs",
		"sesskeep hook reporter":                       "",
		"sesskeep usage statusline":                    "",
		"/sesskeep/other hook report":                  "",
		"other hook report":                            "",
		"echo hook report":                             "",
		"":                                             "",
		`'/Users/o'\''neil/apps/sesskeep' hook report`: "ours",
		"/a=b/sesskeep-1.2 hook report":                "ours",
		// What a shell reads as more than our command is not ours.
		"beep;sesskeep hook report":        "theirs",
		"beep&&sesskeep hook report":       "theirs",
		"beep|sesskeep hook report":        "theirs",
		"(sesskeep hook report)":           "theirs",
		"`beep`/sesskeep hook report":      "theirs",
		"$(beep)/sesskeep hook report":     "theirs",
		`"$(beep)/sesskeep" hook report`:   "theirs",
		"X=1/sesskeep hook report":         "theirs",
		"X=sesskeep hook report":           "theirs",
		"sesskeep hook report\nbeep":       "theirs",
		"sesskeep hook report > /tmp/x":    "theirs",
		"/x/my-sesskeep hook report":       "theirs",
		"/x/sesskeep-and-beep hook report": "theirs",
		"'beep; sesskeep' hook report":     "theirs",
		"sesskeep hook report 'unfinished": "theirs",
	} {
		got := ""
		switch {
		case Reports.isOurs(text):
			got = "ours"
		case Reports.runs(text):
			got = "theirs"
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// TestTheirs: what people made of our hook stays as it is, and no second one is
// put beside it.
func TestTheirs(t *testing.T) {
	theirs := `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/old/sesskeep hook report; ~/bin/ding.sh"}]}]}}`
	after, err := Reports.Add([]byte(theirs), command)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(after), "hook report"); n != len(Reports.Events) || !strings.Contains(string(after), `/old/sesskeep hook report; ~/bin/ding.sh`) {
		t.Errorf("%d reports in %s", n, after)
	}
	again, err := Reports.Remove(after, Origin{Text: []byte(theirs)})
	if err != nil || string(again) != theirs {
		t.Errorf("taken out again: %s, %v", again, err)
	}
}

// Commands of the user that only look like ours stay as they are, through adding
// and removing.
func TestLookAlikes(t *testing.T) {
	for _, theirs := range []string{
		"beep;sesskeep hook report", "sesskeep hook report && beep", "sesskeep hook report --of mine", "sesskeep hook report hook report",
		"/opt/bin/not-sesskeep hook report", "echo sesskeep hook report", "sesskeep hook status", "sesskeep  'hook report'",
	} {
		text := fmt.Sprintf(`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":%q}]}]}}`, theirs)
		after, err := Reports.Add([]byte(text), command)
		if err != nil || !strings.Contains(string(after), fmt.Sprintf("%q", theirs)) {
			t.Errorf("%s: after adding: %s, %v", theirs, after, err)
			continue
		}
		if again, err := Reports.Remove(after, Origin{Text: []byte(text)}); err != nil || string(again) != text {
			t.Errorf("%s: after removing: %s, %v", theirs, again, err)
		}
		if again, err := Reports.Remove([]byte(text), Origin{}); err != nil || string(again) != text {
			t.Errorf("%s: removed: %s, %v", theirs, again, err)
		}
	}
}

// TestOtherProgram: one whose path ends like the new one is another.
func TestOtherProgram(t *testing.T) {
	after, err := Reports.Add([]byte(`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/usr/opt/bin/sesskeep hook report"}]}]}}`), command)
	if err != nil || strings.Contains(string(after), "/usr/opt") {
		t.Errorf("%s, %v", after, err)
	}
}

// What an installation writes, to the byte, in the style it finds.
func TestInsertedText(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"nothing": {"{}\n", "{\n  \"hooks\": {\n    \"PermissionRequest\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n" +
			"            \"command\": \"/opt/bin/sesskeep hook report\",\n            \"timeout\": 5,\n            \"async\": true\n          }\n        ]\n      }\n    ],\n    \"Notification\": ["},
		"tabs":    {"{\n\t\"a\": 1\n}", "{\n\t\"a\": 1,\n\t\"hooks\": {\n\t\t\"PermissionRequest\": [\n\t\t\t{\n\t\t\t\t\"hooks\": ["},
		"crlf":    {"{\r\n    \"a\": 1\r\n}\r\n", "{\r\n    \"a\": 1,\r\n    \"hooks\": {\r\n        \"PermissionRequest\": [\r\n"},
		"one row": {`{"a":1}`, `{"a":1,"hooks":{"PermissionRequest":[{"hooks":[{"type":"command","command":"/opt/bin/sesskeep hook report","timeout":5,"async":true}]}],"Notification":[`},
		"spaced":  {`{"a": 1, "b": 2}`, `{"a": 1, "b": 2, "hooks": {"PermissionRequest": [{"hooks": [{"type": "command", "command"`},
		"mark":    {"\ufeff{\"a\":1}", "\ufeff{\"a\":1,\"hooks\":{"},
		"others": {"{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": []\n      }\n    ]\n  }\n}\n",
			"{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": []\n      },\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\","},
	} {
		got, err := Reports.Add([]byte(c.in), command)
		if err != nil || !strings.HasPrefix(string(got), c.want) {
			t.Errorf("%s: got %v\n%s\nwant it to begin\n%s", name, err, got, c.want)
		}
	}
}

func TestRefused(t *testing.T) {
	for in, want := range map[string]string{
		"{\"a\":":                     "not valid JSON at 1:5: it ends too soon",
		"{\n  // mine\n  \"a\": 1\n}": "not valid JSON at 2:3: '/' is not expected there, as JSON has no comments; fix it first",
		"{\"a\":1,}":                  "not valid JSON at 1:8: '}' is not expected there",
		"[1]":                         "not a JSON object, at 1:1",
		`{"hooks":[]}`:                `"hooks" is not an object, at 1:10`,
		`{"hooks":{"Stop":{}}}`:       `hooks for "Stop" are not a list, at 1:18`,
	} {
		if _, err := Reports.Add([]byte(in), command); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q gives %v, want %s", in, err, want)
		}
	}
}

// Another path of the program is another command, and nothing else changes.
func TestMoved(t *testing.T) {
	before := []byte("{\n  \"x\": [1, 2],\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"beep\"}]}]}\n}")
	old := must(Reports.Add(before, "/old/sesskeep hook report"))
	got := must(Reports.Add(old, command))
	if want := strings.ReplaceAll(string(old), "/old/sesskeep", "/opt/bin/sesskeep"); string(got) != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if again := must(Reports.Add(got, command)); string(again) != string(got) {
		t.Error("the second installation changes something")
	}
}

// The laws of installing and taking out, over documents of every style.
func TestHookLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := []byte(documents().Draw(t, "document"))
		after := must(Reports.Add(before, command))
		if !reflect.DeepEqual(decode(t, after), expected(t, before)) {
			t.Fatalf("means something else:\n%s\n%s", before, after)
		}
		if !subsequence(before, after) {
			t.Fatalf("bytes were lost:\n%s\n%s", before, after)
		}
		if again := must(Reports.Add(after, command)); string(again) != string(after) {
			t.Fatalf("the second installation changes something:\n%s", again)
		}
		if back := must(Reports.Remove(after, Origin{Text: before})); string(back) != string(before) {
			t.Fatalf("taken out it is\n%q\nwant\n%q", back, before)
		}
		// Without knowing what was before, it means the same but for what is empty.
		back := must(Reports.Remove(after, Origin{}))
		if got, want := pruned(decode(t, back)), pruned(decode(t, before)); !reflect.DeepEqual(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
		// What others add in between stays, to the byte.
		at := slices.Index(before, '{') + 1
		if d := must(jsonedit.ParseObject(before)); len(d.Root.Items()) == 0 {
			return
		}
		foreign := slices.Concat(after[:at], []byte("\n \"theirs\" :\t[1 ],"), after[at:])
		want := slices.Concat(before[:at], []byte("\n \"theirs\" :\t[1 ],"), before[at:])
		if got := must(Reports.Remove(foreign, Origin{Text: before})); string(got) != string(want) {
			t.Fatalf("got\n%q\nwant\n%q", got, want)
		}
	})
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func decode(t *rapid.T, text []byte) map[string]any {
	var v map[string]any
	if err := json.Unmarshal([]byte(strings.TrimPrefix(string(text), "\ufeff")), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

// expected is a document with our hooks, made the simple way.
func expected(t *rapid.T, text []byte) map[string]any {
	v := decode(t, text)
	hooks, _ := v["hooks"].(map[string]any)
	if hooks == nil {
		hooks = map[string]any{}
		v["hooks"] = hooks
	}
	for _, event := range Reports.Events {
		groups, _ := hooks[event].([]any)
		h := map[string]any{"type": "command", "command": command, "timeout": 5.0}
		if event != "SessionEnd" {
			h["async"] = true
		}
		hooks[event] = append(groups, map[string]any{"hooks": []any{h}})
	}
	return v
}

// pruned leaves out hooks that hold nothing.
func pruned(v map[string]any) map[string]any {
	hooks, _ := v["hooks"].(map[string]any)
	for event, groups := range hooks {
		if list, ok := groups.([]any); ok && len(list) == 0 {
			delete(hooks, event)
		}
	}
	if len(hooks) == 0 {
		delete(v, "hooks")
	}
	return v
}

func subsequence(small, large []byte) bool {
	for _, c := range large {
		if len(small) > 0 && small[0] == c {
			small = small[1:]
		}
	}
	return len(small) == 0
}

// documents are settings as people and programs write them, and worse.
func documents() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		g := &texts{t: t, newline: rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "newline")}
		g.tall = rapid.Bool().Draw(t, "tall")
		g.wild = rapid.IntRange(0, 3).Draw(t, "wild") == 0
		g.unit = rapid.SampledFrom([]string{"  ", "    ", "\t", ""}).Draw(t, "unit")
		g.colon = rapid.SampledFrom([]string{":", ": ", " : "}).Draw(t, "colon")
		mark := rapid.SampledFrom([]string{"", "", "\ufeff"}).Draw(t, "mark")
		end := rapid.SampledFrom([]string{"", g.newline, g.newline + g.newline}).Draw(t, "end")
		return mark + g.settings() + end
	})
}

type texts struct {
	t                    *rapid.T
	tall, wild           bool
	newline, unit, colon string
}

func (g *texts) white(depth int) string {
	if g.wild {
		return rapid.StringOfN(rapid.SampledFrom([]rune(" \t\n\r")), 0, 3, -1).Draw(g.t, "white")
	}
	if g.tall {
		return g.newline + strings.Repeat(g.unit, depth)
	}
	return ""
}

func (g *texts) wrap(ends string, items []string, depth int) string {
	if len(items) == 0 {
		return ends[:1] + rapid.SampledFrom([]string{"", " ", "\n"}).Draw(g.t, "empty") + ends[1:]
	}
	in := g.white(depth + 1)
	return ends[:1] + in + strings.Join(items, ","+g.white(depth+1)) + g.white(depth) + ends[1:]
}

func (g *texts) settings() string {
	keys := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "env", "über", "q\"x", "permissions", "{", "hooks"}), 0, 5, rapid.ID).Draw(g.t, "keys")
	var items []string
	for _, key := range keys {
		if key == "hooks" {
			items = append(items, string(jsonedit.Quote(key))+g.colon+g.hooks())
			continue
		}
		items = append(items, string(jsonedit.Quote(key))+g.colon+g.value(1))
	}
	return g.wrap("{}", items, 0)
}

func (g *texts) hooks() string {
	events := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"Stop", "PreToolUse", "Notification", "SessionEnd"}), 0, 4, rapid.ID).Draw(g.t, "events")
	var items []string
	for _, event := range events {
		var groups []string
		for range rapid.IntRange(0, 2).Draw(g.t, "groups") {
			groups = append(groups, g.wrap("{}", []string{`"hooks"` + g.colon + `[{"type":"command","command":"beep \"]}, hook report"}]`}, 3))
		}
		items = append(items, string(jsonedit.Quote(event))+g.colon+g.wrap("[]", groups, 2))
	}
	return g.wrap("{}", items, 1)
}

func (g *texts) value(depth int) string {
	kind := rapid.IntRange(0, 5).Draw(g.t, "kind")
	if depth > 3 {
		kind %= 4
	}
	switch kind {
	case 4, 5:
		var items []string
		for i := range rapid.IntRange(0, 3).Draw(g.t, "length") {
			text := g.value(depth + 1)
			if kind == 4 {
				text = string(jsonedit.Quote(strings.Repeat("k", i+1))) + g.colon + text
			}
			items = append(items, text)
		}
		return g.wrap([]string{"{}", "[]"}[kind-4], items, depth)
	}
	return rapid.SampledFrom([]string{"null", "-1.50e+3", "true", `"a\\\"b,}]{[\u00e9 é"`}).Draw(g.t, "scalar")
}

// TestRemoveMany: what it costs to take hooks out does not grow with the square
// of their number.
func TestRemoveMany(t *testing.T) {
	one := `{"hooks":[{"type":"command","command":"sesskeep hook report"}]}`
	many := strings.Repeat(one+",", 20_000) + `{"hooks":[{"type":"command","command":"beep"}]}`
	got, err := Reports.Remove([]byte(`{"hooks":{"Stop":[`+many+`]}}`), Origin{})
	if want := `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"beep"}]}]}}`; err != nil || string(got) != want {
		t.Errorf("got %.200s, %v", got, err)
	}
}
