package redact_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sesskeep/internal/redact"
	"sesskeep/internal/storetest"
	"sesskeep/internal/storetest/planted"
)

const aToken = "ghp_8dQz1kFvTb0LxYw3Rj7NcPs5HmGe2UaKoI9V"

func TestText(t *testing.T) {
	r := rules(t, redact.Options{})
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "a token of my appreciation", "a token of my appreciation"},
		{"alone", aToken, "[github-token:1]"},
		{"twice", aToken + " and " + aToken, "[github-token:1] and [github-token:1]"},
		{"two", aToken + " and " + strings.Replace(aToken, "8", "9", 1), "[github-token:1] and [github-token:2]"},
		{"after an escape", `a\n` + aToken + `\n`, `a\n[github-token:1]\n`},
		{"after a percent", "x%3D" + aToken, "x%3D[github-token:1]"},
		{"within a word", "x" + aToken, "x" + aToken},
		{"too long", aToken + strings.Repeat("a1B2", 70), aToken + strings.Repeat("a1B2", 70)},
		{"a form wins over its name", "GITHUB_TOKEN=" + aToken, "GITHUB_TOKEN=[github-token:1]"},
		{"a value is found again", "password: 'Blue-42-Moon!'\nlogin with Blue-42-Moon! now", "password: '[password:1]'\nlogin with [password:1] now"},
		{"but not in other words", "password='Blue42Moon'\nxBlue42Moons", "password='[password:1]'\nxBlue42Moons"},
		{"one value, two names", "password=Q7rT-zP0!\nDB_TOKEN=Q7rT-zP0!", "password=[password:1]\nDB_TOKEN=[password:1]"},
		{"escaped quotes", `{\"password\": \"pa\\\"ss1W\"}`, `{\"password\": \"[password:1]\"}`},
		{"a URL", "postgres://app:s3cr3t-x@db/app", "postgres://app:[url-password:1]@db/app"},
		{"a key that is cut off", "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("MIIEvQIBADANBgkq\n", 4) + "(cut)", "[private-key:1]\n(cut)"},
		{"a header alone", "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----"},
	} {
		if got := r.Document().Text(tt.text); got != tt.want {
			t.Errorf("%s:\n got %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

// What a user wants hidden besides.
func TestUserRules(t *testing.T) {
	r := rules(t, redact.Options{
		Patterns: []string{`ACME-\d{4}`, `\bINC[0-9]+`}, Words: []string{"Bluebird", "x1"}, Domains: []string{"corp.example"},
		Emails: []string{"me@home.test", "*@acme.test"}, Home: "/home/mara/", User: "mara",
	})
	for text, want := range map[string]string{
		"ticket ACME-1234 of INC77":                        "ticket [pattern:1] of [pattern:2]",
		"BlueBird and bluebirds":                           "[word:1] and bluebirds",
		"x1 is short":                                      "[word:1] is short",
		"https://git.corp.example/x, notcorp.example":      "https://[domain:1]/x, notcorp.example",
		"corp.example.org":                                 "corp.example.org",
		"me@home.test, some@home.test, John.Doe@ACME.test": "[email:1], some@home.test, [email:2]",
		"/home/mara/src, /home/maraschino, by mara":        "[home-path:1]/src, /home/maraschino, by [user-name:1]",
		`{"cwd":"\n/home/mara"}`:                           `{"cwd":"\n[home-path:1]"}`,
	} {
		if got := r.Document().Text(text); got != want {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
	}
	for _, o := range []redact.Options{{Patterns: []string{"("}}, {Patterns: []string{"a*"}}} {
		if _, err := redact.New(o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

// Redacting what is redacted changes nothing, whatever was in it.
func TestIdempotent(t *testing.T) {
	m, r := planted.New(storetest.Seed(t)), rules(t, redact.Options{Home: "/home/mara", Emails: []string{"*"}})
	for _, s := range append(m.Formed(5), m.Framed(20)...) {
		once := r.Document().Text(s.Text)
		if twice := r.Document().Text(once); twice != once {
			t.Fatalf("%q\nonce  %q\ntwice %q", s.Text, once, twice)
		}
	}
}

// JSON stays JSON, and what stood in its strings is gone from them, however deep.
func TestJSON(t *testing.T) {
	m, r := planted.New(storetest.Seed(t)), rules(t, redact.Options{})
	for _, s := range append(m.Formed(5), m.Framed(20)...) {
		line, _ := json.Marshal(map[string]any{"type": "user", "a": []any{1, "x", s.Text}, "b": map[string]string{"stdout": s.Text, "é\"": "ok"}})
		got := r.Document().JSON(slices.Clone(line))
		var before, after map[string]any
		if err := json.Unmarshal(got, &after); err != nil {
			t.Fatalf("%v:\n%s", err, got)
		}
		_ = json.Unmarshal(line, &before)
		want := r.Document().Text(s.Text)
		if after["a"].([]any)[2] != want || after["b"].(map[string]any)["stdout"] != want {
			t.Fatalf("%s\nbecomes %s", line, got)
		}
		if want == s.Text && string(got) != string(line) {
			t.Fatalf("bytes of no secret changed:\n%s\n%s", line, got)
		}
	}
	for raw, want := range map[string]string{
		`{"password":"Tr0ub4dor","n":1}`:         `{"password":"[password:1]","n":1}`,
		`{"password" : "a b","x":["Tr0ub4dor"]}`: `{"password" : "a b","x":["Tr0ub4dor"]}`,
		`{"a":"` + aToken:                        `{"a":"[github-token:1]`,
		`["` + aToken + `", "\u0041"]`:           `["[github-token:1]", "\u0041"]`,
	} {
		if got := string(r.Document().JSON([]byte(raw))); got != want {
			t.Errorf("%s\n got %s\nwant %s", raw, got, want)
		}
	}
}

func TestFamilies(t *testing.T) {
	formed := 0
	for _, f := range redact.Families() {
		if redact.Structured(f) {
			formed++
		}
	}
	if formed < 40 {
		t.Errorf("%d structured families", formed)
	}
}

func ExampleDocument() {
	r, _ := redact.New(redact.Options{})
	d := r.Document()
	fmt.Println(d.Text("curl -H 'Authorization: Bearer aZ3kQ9xP7mW2vT8nB4yL' https://api.test"))
	fmt.Println(d.Text("DB_PASSWORD=hunter2-and-more"))
	fmt.Println(d.Text("it was hunter2-and-more"))
	// Output:
	// curl -H 'Authorization: Bearer [authorization:1]' https://api.test
	// DB_PASSWORD=[password:1]
	// it was [password:1]
}

// Marks that a text has already keep their numbers, wherever the pieces end in which it is
// read; and a document can be told to find nothing new.
func TestReserve(t *testing.T) {
	const key, other = "ghp_8dQz1kFvTb0LxYw3Rj7NcPs5HmGe2UaKoI9V", "ghp_9eRa2lGwUc1MyZx4Sk8OdQt6InHf3VbLpJ0W"
	for _, pad := range []int{0, 256<<10 - 5, 256<<10 + 50} {
		d := rules(t, redact.Options{}).Document()
		text := strings.Repeat("x", pad) + "[github-token:7] [github-token:3] [no: 4] [:5] []"
		if err := d.Reserve(strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		if got := d.Text(key); got != "[github-token:8]" {
			t.Errorf("after %d bytes: %s", pad, got)
		}
		d.Known = true
		if got := d.Text(key + " " + other); got != "[github-token:8] "+other {
			t.Errorf("only what is known: %s", got)
		}
	}
}

// What was cut is no JSON, and is redacted all the same.
func TestJSONCut(t *testing.T) {
	const key = "ghp_8dQz1kFvTb0LxYw3Rj7NcPs5HmGe2UaKoI9V"
	for _, text := range []string{`{"a":"x","b":"say ` + key + ` and`, "plain " + key, `{"a":1} ` + key} {
		if got := string(rules(t, redact.Options{}).Document().JSON([]byte(text))); strings.Contains(got, key) {
			t.Errorf("%s\nbecomes %s", text, got)
		}
	}
}
