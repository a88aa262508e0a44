package saved

import (
	"errors"
	"testing"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/storetest"
)

// Only the last part of the path is taken, and only from text that the client
// wrote in place of an output.
func TestParse(t *testing.T) {
	for text, want := range map[string]Output{
		"<persisted-output>\nOutput too large (340.7KB). Full output saved to: /h/tool-results/b1.txt\n\nPreview": {"b1.txt", "340.7KB"},
		"Output too large (4.8MB). Full output saved to: C:\\Users\\x\\tool-results\\b 2.txt\r\n":                 {"b 2.txt", "4.8MB"},
		"Output too large (1KB). Full output saved to: /h/..":                                                     {},
		"Output too large (1KB). Full output saved to: /h/":                                                       {},
		"Output too large, lost": {},
		"He said: Output too large (1KB). Full output saved to: /h/x": {},
		"": {},
	} {
		if got, ok := Parse(text); ok != (want.Name != "") || ok && got != want {
			t.Errorf("%q: %+v %v", text, got, ok)
		}
	}
}

func TestOutputs(t *testing.T) {
	const saved = `<persisted-output>\nOutput too large (1KB). Full output saved to: /h/b.txt\n\nPreview`
	for content, want := range map[string]int{
		`[{"type":"tool_result","tool_use_id":"t","content":"` + saved + `"}]`:                          1,
		`[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"` + saved + `"}]}]`: 1,
		`[{"type":"text","text":"` + saved + `"}]`:                                                      0,
		`"` + saved + `"`: 0,
	} {
		e, err := sesskeep.Decode([]byte(`{"type":"user","uuid":"u","message":{"role":"user","content":` + content + `}}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := Outputs(&e); len(got) != want || want > 0 && got[0].Name != "b.txt" {
			t.Errorf("%s: %+v", content, got)
		}
	}
}

const (
	sessionA = "11111111-0000-4000-8000-000000000000"
	sessionB = "22222222-0000-4000-8000-000000000000"

	savedHome = "-- projects/-w/" + sessionA + "/tool-results/blypdow50.txt --\nx\n-- projects/-w/" + sessionA + "/tool-results/deep/x.txt --\nx\n-- projects/-w/" + sessionB + ".jsonl --\n{}\n-- settings.json --\n{}\n"
)

// Of the path a transcript names only the last part counts.
func TestFile(t *testing.T) {
	files, err := homefs.Open(storetest.Home(t, savedHome))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		saved string
		ok    bool
	}{
		{"/home/someone/.claude/projects/-x/" + sessionB + "/tool-results/blypdow50.txt", true},
		{`C:\Users\u\.claude\projects\-x\tool-results\blypdow50.txt`, true},
		{"blypdow50.txt", true},
		{"/etc/../../blypdow50.txt", true},
		{"/etc/passwd", false},
		{"../../../../secrets.txt", false},
		{"..", false}, {".", false}, {"", false}, {"tool-results/", false},
		{"blypdow50.txt\x00", false},
		{"deep", false},
	} {
		name, err := File(files, "-w", sessionA, tt.saved)
		if (err == nil) != tt.ok || err != nil && !errors.Is(err, sesskeep.ErrNotFound) {
			t.Errorf("%q: %q %v", tt.saved, name, err)
		}
		if err == nil && name != "projects/-w/"+sessionA+"/tool-results/blypdow50.txt" {
			t.Errorf("%q: %q", tt.saved, name)
		}
	}
	for _, id := range []sesskeep.SessionID{"", "..", "-w", sessionB} {
		if name, err := File(files, "-w", id, "blypdow50.txt"); err == nil {
			t.Errorf("of session %q: %q", id, name)
		}
	}
}
