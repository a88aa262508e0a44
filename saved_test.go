package sesskeep

import "testing"

// Only the last part of the path is taken, and only from text that the client
// wrote in place of an output.
func TestParseSaved(t *testing.T) {
	for text, want := range map[string]SavedOutput{
		"<persisted-output>\nOutput too large (340.7KB). Full output saved to: /h/tool-results/b1.txt\n\nPreview": {"b1.txt", "340.7KB"},
		"Output too large (4.8MB). Full output saved to: C:\\Users\\x\\tool-results\\b 2.txt\r\n":                 {"b 2.txt", "4.8MB"},
		"Output too large (1KB). Full output saved to: /h/..":                                                     {},
		"Output too large (1KB). Full output saved to: /h/":                                                       {},
		"Output too large, lost": {},
		"He said: Output too large (1KB). Full output saved to: /h/x": {},
		"": {},
	} {
		if got, ok := ParseSaved(text); ok != (want.Name != "") || ok && got != want {
			t.Errorf("%q: %+v %v", text, got, ok)
		}
	}
}

func TestEntrySaved(t *testing.T) {
	const saved = `<persisted-output>\nOutput too large (1KB). Full output saved to: /h/b.txt\n\nPreview`
	for content, want := range map[string]int{
		`[{"type":"tool_result","tool_use_id":"t","content":"` + saved + `"}]`:                          1,
		`[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"` + saved + `"}]}]`: 1,
		`[{"type":"text","text":"` + saved + `"}]`:                                                      0,
		`"` + saved + `"`: 0,
	} {
		e, err := Decode([]byte(`{"type":"user","uuid":"u","message":{"role":"user","content":` + content + `}}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Saved(); len(got) != want || want > 0 && got[0].Name != "b.txt" {
			t.Errorf("%s: %+v", content, got)
		}
	}
}
