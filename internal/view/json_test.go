package view_test

import (
	"encoding/json"
	"testing"
	"time"
	"unicode/utf8"

	"sesskeep/internal/view"
)

func TestJSON(t *testing.T) {
	parts := turn(t, use("Edit", `{"file_path":"/w/p.go","old_string":"a","new_string":"b"}`), got(`"ok"`, ""))
	got, err := json.Marshal(parts)
	if err != nil {
		t.Fatal(err)
	}
	const want = `[{"kind":"call","timestamp":"2026-11-15T01:00:00.000Z","messageId":"c","line":1,"also":["r"],"model":"claude-x",` +
		`"call":{"id":"t","tool":"Edit","short":"edit","summary":"p.go","outcome":"+1 −1","state":"ok",` +
		`"input":{"file_path":"/w/p.go","old_string":"a","new_string":"b"},"output":"ok",` +
		`"file":"/w/p.go","diff":[{"lines":["-a","+b"]}],"added":1,"removed":1,"durationMs":4000}}]`
	if string(got) != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	got, err = json.Marshal(view.Part{Kind: view.ThinkingPart, Took: 4200 * time.Millisecond})
	if want := `{"kind":"thinking","durationMs":4200}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

// Parts are JSON whatever they were made from.
func TestJSONOfAnything(t *testing.T) {
	lines := []string{use("X", "{\"a\":\"\xff\"}"), use("X", `{"a":"\ud800"}`), use("X", `{"a":1,"a":"b"}`), user("\"\xfe\""), user("[{\"x\":\"\xfe\"}]")}
	entries := decode(t, append(lines, odd...)...)
	got, err := json.Marshal(view.Turn(entries, view.Options{}))
	if err != nil || !json.Valid(got) || !utf8.Valid(got) {
		t.Errorf("got %v: %s", err, got)
	}
}
