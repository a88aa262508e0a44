package price_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/price"
)

const ownRow = `{"model": "anthropic/claude-opus-5.5", "input": 3, "output": 15, "cacheWrite5m": 4, "cacheWrite1h": 6, "cacheRead": 0}`

func with(t testing.TB, file string) *price.Table {
	t.Helper()
	table, err := price.Default().With(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func cost(table *price.Table, model string, u sesskeep.Usage) string {
	amount, _, ok := table.Cost(model, time.Time{}, u)
	if !ok {
		return "no price"
	}
	return amount.Exact()
}

func TestWith(t *testing.T) {
	const M = 1_000_000
	table := with(t, `{
		"date": "2026-11-01", "usOnly": 1.25, "webSearchesPer1000": 5,
		"models": [
			`+ownRow+`,
			{"model": "glm-5", "input": 0.6, "output": 2.2, "cacheWrite5m": 0, "cacheWrite1h": 0, "cacheRead": 0.000001}
		]
	}`)
	for _, tt := range []struct {
		name, model string
		usage       sesskeep.Usage
		want        string
	}{
		{"replaced", "claude-opus-5-5", sesskeep.Usage{Input: M}, "$3.00"},
		{"with all its rows", "claude-opus-5-5", sesskeep.Usage{Input: M, Fast: true}, "no price"},
		{"added", "z-ai/glm-5", sesskeep.Usage{Input: M, CacheRead: M}, "$0.600001"},
		{"left alone", "claude-opus-5", sesskeep.Usage{Input: M, Fast: true}, "$10.00"},
		{"rule replaced", "claude-opus-5", sesskeep.Usage{Input: M, USOnly: true}, "$6.25"},
		{"rule left alone", "claude-opus-5", sesskeep.Usage{Input: M, Batch: true}, "$2.50"},
		{"searches", "claude-opus-5", sesskeep.Usage{WebSearches: 1}, "$0.005"},
	} {
		if got := cost(table, tt.model, tt.usage); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
	if got := cost(price.Default(), "claude-opus-5-5", sesskeep.Usage{Input: M}); got != "$4.00" {
		t.Errorf("the table below was changed: %s", got)
	}
	if want := []string{"claude-opus-5-5", "glm-5"}; !slices.Equal(table.Own, want) || table.Date != price.Default().Date {
		t.Errorf("own models are %v of a table of %s", table.Own, table.Date)
	}
	if p, _ := table.Lookup("glm-5", time.Time{}, sesskeep.Usage{}); p.Date != "2026-11-01" || p.Source != "own prices" {
		t.Errorf("a row is from %q of %q", p.Source, p.Date)
	}
}

func TestWithSmallFiles(t *testing.T) {
	for _, file := range []string{`{}`, "\ufeff{}", `{"models": []}`, `{"webSearchesPer1000": 0}`} {
		if got := cost(with(t, file), "claude-opus-5-5", sesskeep.Usage{Input: 1e6}); got != "$4.00" {
			t.Errorf("%s: got %s", file, got)
		}
	}
	if got := cost(with(t, `{"webSearchesPer1000": 0}`), "claude-opus-5", sesskeep.Usage{WebSearches: 5}); got != "$0.00" {
		t.Errorf("free searches: got %s", got)
	}
}

// A file may price a whole family; versions the table knows keep their price.
func TestWithFamily(t *testing.T) {
	table := with(t, `{"models": [`+strings.Replace(ownRow, "anthropic/claude-opus-5.5", "claude", 1)+`]}`)
	for model, want := range map[string]string{
		"claude-opus-4": "$15.00", "claude-opus-4-9": "$3.00", "claude-mythos-preview": "$3.00", "gpt-6": "no price",
	} {
		if got := cost(table, model, sesskeep.Usage{Input: 1e6}); got != want {
			t.Errorf("%s: got %s, want %s", model, got, want)
		}
	}
}

func TestWithErrors(t *testing.T) {
	row := func(old, new string) string {
		return "{\n \"models\": [\n  " + strings.Replace(ownRow, old, new, 1) + "\n ]\n}"
	}
	for _, tt := range []struct{ name, file, want string }{
		{"empty", ``, "line 1: the file: the file ends here"},
		{"no object", `[]`, "line 1: the file: is not in braces"},
		{"cut", "{\n\"date\":", "line 2: date: the file ends here"},
		{"cut row", "{\"models\": [\n{\"model\": \"a\",", "line 2: models: the file ends here"},
		{"goes on", "{}\n\n{}", "line 3: the file: has text after its end"},
		{"no JSON", "{\n\n\"date\" \"2026-01-01\"}", "line 3: date: invalid character '\"' after object key"},
		{"bad number", row("15", "15.x"), "line 3: output: invalid character 'x' after decimal point in numeric literal"},
		{"unknown field", "{\n\"currency\": \"EUR\"}", "line 2: currency: no such field"},
		{"date", "{\n\"date\": \"01.11.2026\"}", `line 2: date: is not a date such as "2026-10-07"`},
		{"date as number", "{\n\"date\": 2026}", `line 2: date: is not a date such as "2026-10-07"`},
		{"factor", "{\n\n\"batch\": 50}", "line 3: batch: 50 is not between 0.000001 and 10"},
		{"no factor", "{\"usOnly\": 0}", "line 1: usOnly: 0 is not between 0.000001 and 10"},
		{"models", "{\n\"models\": {}}", "line 2: models: is not a list of rows"},
		{"row", "{\n\"models\": [\n1]}", "line 3: models: is not in braces"},
		{"misspelt", row("cacheRead", "cache_read"), "line 3: cache_read: no such field"},
		{"missing", row(`, "cacheRead": 0`, ""), "line 3: cacheRead: is missing"},
		{"twice", row("cacheRead", "input"), "line 3: input: is there twice"},
		{"text", row("15", `"15"`), "line 3: output: is not a number"},
		{"null", row("15", `null`), "line 3: output: is not a number"},
		{"negative", row("15", "-0.5"), "line 3: output: -0.5 is not between 0 and 10000"},
		{"too dear", row("15", "10000.01"), "line 3: output: 10000.01 is not between 0 and 10000"},
		{"exponent", row("15", "1e1"), "line 3: output: 1e1 is not a plain number such as 0.125"},
		{"too fine", row("15", "0.1234567"), "line 3: output: 0.1234567 has more than 6 decimals"},
		{"huge", row("15", "99999999999999999999"), "line 3: output: 99999999999999999999 is not a plain number such as 0.125"},
		{"no name", row("anthropic/claude-opus-5.5", "anthropic/"), `line 3: model: "anthropic/" names no model`},
		{"name as number", row(`"anthropic/claude-opus-5.5"`, "5"), "line 3: model: is not a text in quotes"},
		{"fast", row(`"input"`, `"fast": "yes", "input"`), "line 3: fast: is not true or false"},
		{"over", row(`"input"`, `"over": 0, "input"`), "line 3: over: is not a number of tokens"},
		{"since", row(`"input"`, `"since": "soon", "input"`), `line 3: since: is not a date such as "2026-10-07"`},
		{"long prompts only", row(`"input"`, `"over": 1000, "input"`), "line 3: over: claude-opus-5-5, over 1000 tokens has no row for shorter prompts"},
		{
			"two rows", "{\"models\": [\n" + ownRow + ",\n" + strings.Replace(ownRow, "anthropic/claude-opus-5.5", "claude-opus-5-5", 1) + "]}",
			"line 3: model: claude-opus-5-5 has this row already, on line 2",
		},
	} {
		_, err := price.Default().With(strings.NewReader(tt.file))
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %s", tt.name, err, tt.want)
		}
	}
}

func TestWithUnreadable(t *testing.T) {
	broken := errors.New("broken pipe")
	if _, err := price.Default().With(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	long := strings.NewReader(strings.Repeat(" ", 1<<20+1))
	if _, err := price.Default().With(long); !errors.Is(err, homefs.ErrTooLarge) {
		t.Errorf("got %v", err)
	}
}

func FuzzWith(f *testing.F) {
	f.Add(`{"date": "2026-11-01", "batch": 0.4, "models": [` + ownRow + `]}`)
	f.Add(`{"models": [{"model": "a", "over": 5`)
	f.Fuzz(func(t *testing.T, file string) {
		table, err := price.Default().With(strings.NewReader(file))
		if err != nil {
			return
		}
		u := sesskeep.Usage{Input: 1 << 40, Output: 1, Batch: true, USOnly: true}
		for _, r := range table.Rows() {
			if p, ok := table.Lookup(r.Model, time.Time{}, u); ok && p.Total(u) < 0 {
				t.Errorf("%s: %s", p, p.Total(u).Exact())
			}
		}
	})
}
