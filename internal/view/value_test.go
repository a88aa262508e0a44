package view

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"sesskeep"
)

// What a field is, is what encoding/json says, in damaged JSON too.
func TestFieldsAsEncodingJSON(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := strings.Split(`{|}|[|]|:|,|"a"|"b"|"\u0061"|"é"|"\ud83d\ude00"|"\ud83d"|"|`+"\xff"+`|\n|1|-0.5e3|01|true|null|nul| |	|"x y"`, "|")
	valid := 0
	for range 200_000 {
		var raw string
		if rng.IntN(2) == 0 {
			raw = randomValue(rng, 3)
		} else {
			for range 1 + rng.IntN(9) {
				raw += pieces[rng.IntN(len(pieces))]
			}
		}
		var want map[string]json.RawMessage
		if !strings.HasPrefix(strings.TrimLeft(raw, " \t\r\n"), "{") || json.Unmarshal([]byte(raw), &want) != nil {
			want = nil
		}
		got := object([]byte(raw))
		if (got == nil) != (want == nil) {
			t.Fatalf("%q: %d fields, want %v", raw, len(got), want)
		}
		for name, value := range want {
			valid++
			var text string
			var list []json.RawMessage
			_ = json.Unmarshal(value, &text) // another type has no text
			_ = json.Unmarshal(value, &list)
			if string(got.raw(name)) != string(value) || got.text(name) != text || len(got.list(name)) != len(list) {
				t.Fatalf("%q, %q: %s, %q, %d elements; want %s, %q, %d", raw, name, got.raw(name), got.text(name), len(got.list(name)), value, text, len(list))
			}
			if one := fieldOf([]byte(raw), name); string(one) != string(value) {
				t.Fatalf("%q, %q alone: %s, want %s", raw, name, one, value)
			}
		}
		if want == nil && fieldOf([]byte(raw), "a") != nil {
			t.Fatalf("%q is not an object and has a field", raw)
		}
	}
	if valid < 10_000 {
		t.Errorf("only %d fields were compared", valid)
	}
}

func randomValue(rng *rand.Rand, depth int) string {
	names := []string{`"a"`, `"b"`, `"\u0061"`, `"c d"`}
	switch n := rng.IntN(8); {
	case depth == 3 || depth > 0 && n < 2:
		var parts []string
		for range rng.IntN(5) {
			parts = append(parts, names[rng.IntN(len(names))]+strings.Repeat(" ", rng.IntN(2))+":"+randomValue(rng, depth-1))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case depth > 0 && n < 4:
		var parts []string
		for range rng.IntN(4) {
			parts = append(parts, randomValue(rng, depth-1))
		}
		return "[" + strings.Join(parts, ",") + "]"
	default:
		return []string{`"text"`, `"\n\"\\é"`, `"\ud800x"`, "\"\xff\"", `12`, `"3"`, `true`, `null`}[n]
	}
}

// Two entries of one time and one length are the same only if they say the same.
func TestSaidTwice(t *testing.T) {
	entry := func(uuid, text string) sesskeep.Entry {
		e, err := sesskeep.Decode(fmt.Appendf(nil, `{"type":"user","uuid":%q,"timestamp":"2026-11-01T10:00:00.000Z","message":{"role":"user","content":%q}}`, uuid, text))
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	parts := Turn([]sesskeep.Entry{entry("1", "one"), entry("2", "two"), entry("3", "one"), entry("4", "two"), entry("5", "six")}, Options{})
	var got []string
	for _, p := range parts {
		got = append(got, p.UUID+strings.Join(p.Also, "+"))
	}
	if strings.Join(got, " ") != "13 24 5" {
		t.Errorf("%q", got)
	}
}
