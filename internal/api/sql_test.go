package api_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"sesskeep/internal/access"
	"sesskeep/internal/views"
)

// Statements need the role to operate, agree with the other routes, and cannot write.
func TestSQL(t *testing.T) {
	w := sharedWorld(t)
	ask := func(role access.Role, statement string) (views.Selection, int) {
		body, err := json.Marshal(map[string]any{"sql": statement})
		w.must(err)
		r := w.ask(role, http.MethodPost, "/sql", string(body))
		var found views.Selection
		if r.status == http.StatusOK && !unmarshals(r.body, &found) {
			t.Errorf("%s: %s", statement, clipped(r.body))
		}
		return found, r.status
	}
	found, status := ask(access.Operate, "select count(*) as n from sessions where source = 'user' and archived_at is null")
	if want := get[sessionPage](w, "/sessions?limit=1").Total; status != http.StatusOK || len(found.Rows) != 1 || found.Rows[0]["n"] != float64(want) || want == 0 {
		t.Errorf("status %d, rows %v; the list has %d", status, found.Rows, want)
	}
	if _, status := ask(access.Read, "select 1"); status != http.StatusForbidden {
		t.Errorf("a token that may read gets %d", status)
	}
	for _, statement := range []string{"", "delete from sessions", "select 1; select 2", "attach '/tmp/x' as x", "select * from pragma_table_info('sessions')", "selec"} {
		if _, status := ask(access.Operate, statement); status != http.StatusBadRequest {
			t.Errorf("%q: status %d", statement, status)
		}
	}
}
