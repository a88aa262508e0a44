package api_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"sesskeep/internal/access"
)

// problem is an answer that says what is wrong.
type problem struct{ Field, Code, Detail, Hint string }

func problemIn(t *testing.T, r reply) (p problem) {
	t.Helper()
	if err := json.Unmarshal(r.body, &p); err != nil {
		t.Fatalf("%v in %s", err, clipped(r.body))
	}
	return p
}

// No operation ignores a parameter that it does not have.
func TestUnknownParameters(t *testing.T) {
	w := sharedWorld(t)
	for _, op := range operations(w) {
		if !strings.HasPrefix(op.path, "/api/v1") {
			continue // the pages of the dashboard
		}
		r := w.ask(access.Operate, op.method, concrete(op.path)+"?noSuchThing=1", "", briefly)
		if p := (problem{}); r.status != 400 || json.Unmarshal(r.body, &p) != nil && len(r.body) > 0 || len(r.body) > 0 && (p.Field != "noSuchThing" || p.Code != "invalid" || p.Hint == "") {
			t.Errorf("%s %s: %d %s", op.method, op.path, r.status, clipped(r.body))
		}
	}
}

// A request that may mean something else than it does is refused, and the answer names
// the word that was probably meant.
func TestMisnamed(t *testing.T) {
	w := newWorld(t)
	const one = "/sessions/4861f75c"
	before := tree(w)
	for _, test := range []struct{ method, path, body, field, meant string }{
		{"DELETE", one + "?permanent=true&dryRum=true", "", "dryRum", "did you mean dryRun?"},
		{"DELETE", one + "?permanent=true&DryRun=true", "", "DryRun", "did you mean dryRun?"},
		{"DELETE", one + "?permanent=true&dry_run=true", "", "dry_run", "did you mean dryRun?"},
		{"DELETE", one + "?permanent=true&dryRun", "", "dryRun", "true or false"},
		{"DELETE", one + "?permanent=true&dryRun=", "", "dryRun", "true or false"},
		{"DELETE", one + "?permanent=true&dryRun=yes", "", "dryRun", "boolean"},
		{"DELETE", one + "?permanent=true&dryRun=false&dryRun=true", "", "dryRun", "2 times"},
		{"DELETE", one + "?permanent=true&dryRun=true;x", "", "query", "semicolon"},
		{"DELETE", one + "?permanent=true&dryRun=%zz", "", "query", "%zz"},
		{"DELETE", one + "?permanent=true", `{"dryRun":true}`, "dryRun", "parameter of the address"},
		{"DELETE", one + "?permanent=true", `{"dry":true}`, "dry", "no such field"},
		{"POST", one + "/archive?titel=x", "", "titel", "no such parameter"},
		{"PUT", one + "?title=x", `{"title":"x"}`, "title", "a field of the body here"},
		{"PUT", one, `{"titel":"x"}`, "titel", "did you mean title?"},
		{"PUT", one, `{"Title":"x"}`, "Title", "did you mean title?"},
		{"PUT", one, `{"title":"x","dryRun":true}`, "dryRun", "parameter of the address"},
		{"POST", "/sessions/bulk", `{"sessionIds":["4861f75c"],"operation":{"action":"delete","permament":true}}`, "operation.permament", "no such field"},
		{"POST", "/sessions/bulk", `{"sessionIds":["4861f75c"],"operation":{"action":"update","tag":["x"]}}`, "operation.tag", "did you mean tags?"},
		{"POST", "/sessions/bulk", `{"filter":{"sorce":"all"},"operation":{"action":"delete"}}`, "filter.sorce", "did you mean source?"},
		{"POST", "/clean", `{"sessions":{"olderThanDays":1},"dryrun":true}`, "dryrun", "did you mean dryRun?"},
		{"PUT", "/keep/retention", `{"days":9,"homes":"x"}`, "homes", "no such field"},
	} {
		r := w.ask(access.Operate, test.method, test.path, test.body)
		if p := problemIn(t, r); r.status != 400 || p.Field != test.field || !strings.Contains(p.Detail, test.meant) {
			t.Errorf("%s %s %s: %d %+v, want %s in the field %s", test.method, test.path, test.body, r.status, p, test.meant, test.field)
		}
	}
	if names := differing(before, tree(w)); len(names) > 0 {
		t.Errorf("what was refused changed %q", names)
	}
	// A dry run can be said in the address wherever the body can say it.
	if got := do[struct{ DryRun bool }](w, access.Manage, "POST", "/sessions/bulk?dryRun=true", `{"sessionIds":["4861f75c"],"operation":{"action":"delete"}}`, 200); !got.DryRun {
		t.Error("dryRun in the address of a bulk is ignored")
	}
}

// described is an operation of our document.
type described struct {
	OperationID string
	Parameters  []struct {
		Name, In string
		Schema   struct{ Type any }
	}
}

// document are all of them, by path and method.
func document(w *world) map[string]map[string]described {
	w.t.Helper()
	return get[struct {
		Paths map[string]map[string]described
	}](w, "/api/v1/openapi.json").Paths
}

// needed are parameters without which an operation answers nothing.
var needed = map[string]string{"search": "&q=the", "searchProject": "&q=the", "blame": "&path=/work/app/main.go", "compareConversations": "&a=x&b=y"}

// What is a number is one in the document, and nonsense instead of it is a mistake.
func TestNumbersAreNumbers(t *testing.T) {
	w := sharedWorld(t)
	numbers := 0
	for path, methods := range document(w) {
		op, ok := methods["get"]
		if !ok || strings.HasSuffix(op.OperationID, "OfAll") {
			continue
		}
		for _, p := range op.Parameters {
			if p.In != "query" || p.Name == "cursor" || strings.Contains(needed[op.OperationID], "&"+p.Name+"=") { // which is a text of ours, or a number
				continue
			}
			refuses := func(value string) bool {
				r := w.ask(access.Operate, http.MethodGet, concrete(path)+"?"+p.Name+"="+url.QueryEscape(value)+needed[op.OperationID], "", briefly)
				return r.status == 400 && (len(r.body) == 0 || problemIn(t, r).Field == p.Name)
			}
			number := p.Schema.Type == "integer"
			if number {
				numbers++
			}
			if p.Schema.Type == "string" && refuses("x") && !refuses("1") && !refuses("17") {
				t.Errorf("%s: %s is a number, and a string in the document", op.OperationID, p.Name)
			}
			for _, nonsense := range []string{"x", "1.5", "0x10", "1e3", "1 2", "NaN"} {
				if number && !refuses(nonsense) {
					t.Errorf("%s takes %s=%s", op.OperationID, p.Name, nonsense)
				}
			}
		}
	}
	if numbers < 40 {
		t.Errorf("only %d parameters are numbers", numbers)
	}
}

// Parameters and fields of cli-bridge are known wherever its clients can send them.
func TestContractIsKnown(t *testing.T) {
	w := sharedWorld(t)
	contract := readContract(t)
	ours := map[string]map[string]bool{}
	for path, methods := range document(w) {
		for method, op := range methods {
			known := map[string]bool{}
			for _, p := range op.Parameters {
				known[p.In+" "+p.Name] = true
			}
			name := strings.NewReplacer("/api/v1", "", "{project}", "{encodedPath}", "{id}", "{sessionId}").Replace(path)
			ours[strings.ToUpper(method)+" "+name] = known
		}
	}
	checked := 0
	for path, methods := range contract.Paths {
		for method, op := range methods {
			known, served := ours[strings.ToUpper(method)+" "+path]
			if !served {
				continue
			}
			for _, p := range op.Parameters {
				if checked++; p.In == "query" && !known["query "+p.Name] {
					t.Errorf("%s %s does not know %s", method, path, p.Name)
				}
			}
		}
	}
	if checked < 20 {
		t.Errorf("the contract has %d parameters of ours", checked)
	}
	// Every field of the bodies that its clients send.
	w = newWorld(t)
	id := restingOne(w)
	for body, path := range map[string]string{
		`{"title":"x"}`: "/sessions/" + id, `{"customTitle":"x"}`: "/sessions/" + id, `{"title":null,"customTitle":null}`: "/sessions/" + id,
	} {
		do[row](w, access.Manage, "PUT", path, body, 200)
	}
	do[map[string]any](w, access.Manage, "POST", "/sessions/bulk", `{"sessionIds":["`+id+`"],"operation":{"action":"update","customTitle":"x"}}`, 200)
}
