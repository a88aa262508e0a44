package query

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAppendCanonical(t *testing.T) {
	for _, tt := range []struct{ raw, want string }{
		{`plain`, `plain`},
		{`a\/b`, `a/b`},
		{`\u0041\u00e9\u4f60`, `Aé你`},
		{`\ud83d\ude00!`, `😀!`},
		{`\u0022\u005c\u000a\u001B\u007f`, `\"\\\n\u001b` + "\x7f"},
		{`\\u0041`, `\\u0041`},
		{`\\\u0041`, `\\A`},
		{`\"q\" \t`, `\"q\" \t`},
		{`\ud83d alone`, `\ud83d alone`},
		{`\uZZZZ \x`, `\uZZZZ \x`},
		{`cut \u00`, `cut \u00`},
		{`cut \`, `cut \`},
	} {
		if got := string(AppendCanonical(nil, []byte(tt.raw))); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.raw, got, tt.want)
		}
	}
}

// However a text is escaped, its canonical form is that of the text itself.
func TestCanonicalForms(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 2000 {
		var text, raw strings.Builder
		for range rng.IntN(20) {
			r := []rune(`aZ/"\<&é你😀` + "\n\t\x01\x7f\u2028")[rng.IntN(15)]
			text.WriteRune(r)
			switch q, _ := json.Marshal(string(r)); {
			case rng.IntN(3) == 0 && r <= 0xFFFF:
				raw.WriteString(`\u` + string("0123456789abcdef"[r>>12]) + string("0123456789abcdef"[r>>8&15]) + string("0123456789ABCDEF"[r>>4&15]) + string("0123456789abcdef"[r&15]))
			case r == '/' && rng.IntN(2) == 0:
				raw.WriteString(`\/`)
			default:
				raw.Write(q[1 : len(q)-1])
			}
		}
		if !utf8.ValidString(text.String()) {
			t.Fatal("the test makes broken text")
		}
		got, want := string(AppendCanonical(nil, []byte(raw.String()))), string(CanonicalText([]byte(text.String())))
		if got != want {
			t.Fatalf("%s: %s, want %s", raw.String(), got, want)
		}
	}
}
