package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sesskeep/internal/access"
)

// Who came in and what was taken out is written down before it happens, by whom and
// from where; it cannot be undone, and is in the way of no undo.
func TestJournal(t *testing.T) {
	w := newWorld(t)
	s := get[sessionPage](w, "/sessions?limit=1").Sessions[0]
	do[map[string]any](w, access.Manage, "PUT", "/sessions/"+s.ID, `{"starred":true}`, 200)
	code := do[struct{ Code string }](w, access.Operate, "POST", "/codes", `{"role":"read","name":"phone"}`, 200).Code
	made := do[madeToken](w, "", "POST", "/login", `{"code":"`+code+`"}`, 200)
	do[madeToken](w, access.Operate, "DELETE", "/tokens/"+made.ID, "", 200)
	if r := w.ask(access.Read, "GET", "/sessions/"+s.ID+"/export?format=text", ""); r.status != 200 {
		t.Fatalf("export: %d", r.status)
	}
	if r := w.ask(access.Read, "HEAD", "/sessions/"+s.ID+"/export?format=text", ""); r.status != 200 {
		t.Fatalf("the head of an export: %d", r.status)
	}
	type act struct {
		ID                                 int
		Verb, What, State, SessionID, Root string
		Timestamp                          string
		Actor                              struct{ User, From, Token string }
	}
	list := get[struct{ Acts []act }](w, "/activity").Acts
	var verbs []string
	for _, a := range list {
		verbs = append(verbs, a.Verb)
		if a.Timestamp == "" || a.Actor.From != "api" || a.Actor.User != "127.0.0.1" || strings.Contains(fmt.Sprint(a), made.Token) {
			t.Errorf("%+v", a)
		}
	}
	if want := []string{"export", "token revoke", "login", "star"}; !slices.Equal(verbs, want) {
		t.Fatalf("the journal has %v, want %v", verbs, want)
	}
	if e := list[0]; e.State != "noted" || !strings.Contains(e.SessionID, s.ID) || e.Actor.Token == "" || !strings.Contains(e.What, "text") {
		t.Errorf("the export is %+v", e)
	}
	if l := list[2]; l.State != "noted" || !strings.Contains(l.What, made.ID) || !strings.Contains(l.What, "phone") || l.Root != "" {
		t.Errorf("the login is %+v", l)
	}
	do[map[string]any](w, access.Manage, "POST", "/undo?id="+itoa(list[0].ID), "", 404)
	do[map[string]any](w, access.Manage, "POST", "/undo", "", 200) // takes the star away
	if got := get[struct{ Starred bool }](w, "/sessions/"+s.ID); got.Starred {
		t.Error("the star is still there")
	}
}
