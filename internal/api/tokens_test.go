package api_test

import (
	"net/http"
	"testing"
	"time"

	"sesskeep/internal/access"
)

type madeToken struct{ Token, ID, Name, Role string }

// A token that was made is good until it is revoked.
func TestTokens(t *testing.T) {
	w := newWorld(t)
	made := do[madeToken](w, access.Operate, "POST", "/tokens", `{"role":"manage","name":"phone"}`, 200)
	with := func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+made.Token) }
	if made.Role != "manage" || made.Name != "phone" || w.ask("", "GET", "/projects", "", with).status != 200 {
		t.Errorf("%+v is not good", made)
	}
	if r := w.ask("", "GET", "/tokens", "", with); r.status != http.StatusForbidden {
		t.Errorf("who may not make tokens lists them: %d", r.status)
	}
	list := do[struct {
		Tokens []struct {
			ID         string
			LastUsedAt time.Time
			Current    bool
		}
		Total int
	}](w, access.Operate, "GET", "/tokens", "", 200)
	if list.Total != len(access.Roles())+1 || list.Tokens[list.Total-1].ID != made.ID {
		t.Errorf("the list is %+v", list)
	}
	for _, one := range list.Tokens {
		asked := one.ID == made.ID || one.Current
		if one.LastUsedAt.IsZero() == asked {
			t.Errorf("%+v: used %v", one, asked)
		}
	}
	do[madeToken](w, access.Operate, "DELETE", "/tokens/"+made.ID, "", 200)
	do[map[string]any](w, access.Operate, "DELETE", "/tokens/"+made.ID, "", 404)
	if r := w.ask("", "GET", "/projects", "", with); r.status != http.StatusUnauthorized {
		t.Errorf("a revoked token: %d", r.status)
	}
	do[map[string]any](w, access.Operate, "POST", "/tokens", `{"role":"root"}`, 400)
}

// A code is changed into a token once, and not after its time.
func TestLogin(t *testing.T) {
	w := newWorld(t)
	type newCode struct{ Code string }
	code := do[newCode](w, access.Operate, "POST", "/codes", `{"role":"manage"}`, 200).Code
	made := do[madeToken](w, "", "POST", "/login", `{"code":"`+code+`"}`, 200)
	if made.Role != "manage" || made.Token == "" {
		t.Errorf("the code gives %+v", made)
	}
	do[map[string]any](w, "", "POST", "/login", `{"code":"`+code+`"}`, 401) // while it would still be in time
	late := do[newCode](w, access.Operate, "POST", "/codes", `{}`, 200).Code
	for range 60 {
		w.clock.tick()
	}
	for _, bad := range []string{code, late, "guess"} {
		do[map[string]any](w, "", "POST", "/login", `{"code":"`+bad+`"}`, 401)
	}
	for range 7 {
		do[map[string]any](w, "", "POST", "/login", `{"code":"guess"}`, 401)
	}
	if r := w.ask("", "POST", "/login", `{"code":"guess"}`); r.status != 429 {
		t.Errorf("the eleventh guess: %d", r.status)
	}
	do[map[string]any](w, access.Manage, "POST", "/codes", `{}`, 403)
}

// What was done is in the list of changes, and can be taken back.
func TestUndo(t *testing.T) {
	w := newWorld(t)
	do[map[string]any](w, access.Manage, "POST", "/undo", "", 404)
	ended := get[sessionPage](w, "/sessions?state=ended&limit=2").Sessions
	before := get[counts](w, "/sessions/count")
	body := `{"sessionIds":["` + ended[0].ID + `","` + ended[1].ID + `"],"operation":{"action":"delete"}}`
	do[map[string]any](w, access.Manage, "POST", "/sessions/bulk", body, 200)
	type acts struct {
		Acts []struct {
			ID    int
			Verb  string
			State string
			Actor struct{ From string }
		}
		HasMore bool
	}
	list := get[acts](w, "/activity?limit=1")
	if len(list.Acts) != 1 || !list.HasMore || list.Acts[0].Verb != "trash" || list.Acts[0].Actor.From != "api" {
		t.Fatalf("%+v", list)
	}
	if older := get[acts](w, "/activity?before="+itoa(list.Acts[0].ID)); len(older.Acts) != 1 || older.Acts[0].ID >= list.Acts[0].ID {
		t.Errorf("before it: %+v", older)
	}
	type outcome struct {
		Changed, Failed int
		DryRun          bool
	}
	if plan := do[outcome](w, access.Manage, "POST", "/undo?dryRun=true", "", 200); plan.Changed != 2 || !plan.DryRun {
		t.Errorf("the plan is %+v", plan)
	}
	if got := get[counts](w, "/sessions/count"); got.User != before.User-2 {
		t.Errorf("a dry run left %+v of %+v", got, before)
	}
	do[outcome](w, access.Manage, "POST", "/undo", "", 200)
	if got := get[counts](w, "/sessions/count"); got != before {
		t.Errorf("%+v sessions came back of %+v", got, before)
	}
	do[map[string]any](w, access.Manage, "POST", "/undo?id=99999", "", 404)
}
