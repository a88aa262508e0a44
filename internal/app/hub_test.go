package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/storetest"
)

// statesHome has a session that a client works in, one whose client rests and
// one that was left in the middle of a turn.
const statesHome = `
-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"a","sessionId":"11111111-0000-4000-8000-000000000000","cwd":"/w","message":{"role":"user","content":"work"}}
-- projects/-w/22222222-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"b","sessionId":"22222222-0000-4000-8000-000000000000","cwd":"/w","message":{"role":"user","content":"left"}}
-- sessions/1.json --
{"pid":1,"sessionId":"11111111-0000-4000-8000-000000000000","status":"busy","startedAt":%[1]d,"statusUpdatedAt":%[1]d,"cwd":"/w"}
-- sessions/2.json --
{"pid":2,"sessionId":"33333333-0000-4000-8000-000000000000","status":"idle","startedAt":%[1]d,"statusUpdatedAt":%[1]d,"cwd":"/w"}
`

// A list that is made while an owner runs has the states of its Hub, and they are
// those that a look of its own finds.
func TestStatesOfHub(t *testing.T) {
	dir := storetest.Home(t, fmt.Sprintf(statesHome, time.Now().UnixMilli()))
	a, err := app.Open(app.Options{Roots: []string{dir}, Alive: func(int, string, string) bool { return true }})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(filepath.Join(dir, "projects", "-w", "22222222-0000-4000-8000-000000000000.jsonl"), old, old); err != nil {
		t.Fatal(err)
	}
	look := func() string {
		list, err := a.Index.States(t.Context(), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, s := range list {
			text += fmt.Sprintln(s.Key.Session, s.State.Word, s.State.Why, s.Client != nil, s.Row != nil)
		}
		return text
	}
	want := look()
	if strings.Count(want, "\n") < 2 {
		t.Fatalf("too little is known: %s", want)
	}
	a.Stay()
	storetest.Soon(t, func() string {
		if a.Index.Hub() == nil {
			return "there is no Hub"
		}
		if got := look(); got != want {
			return "got\n" + got + "want\n" + want
		}
		return ""
	})
}
