package jsonl_test

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"sesskeep/internal/jsonl"
)

// texts are good and bad JSON, at the edges of the grammar.
var texts = []string{
	`{}`, `[]`, ` { } `, "\t[\n]\r ", `null`, `true`, `false`, `0`, `-0`, `""`,
	`{"a":1,"b":[true,false,null],"c":{"d":"e"}}`,
	` { "a" : [ 1 , 2 ] , "b" : { } } `,
	`{"a":1,"a":2,"b":3,"a":[4]}`,
	`{"\u0061":1,"a\n":2,"é":3,"\ud83d\ude00":4}`,
	`"\u0000\b\f\n\r\t\/\\\""`, `"\ud800"`, `"\udc00\ud800"`, `"\ud800\ud800\udc00"`, `"\ud83d\ude00"`,
	`"\uD83D\uDE00 \u00e9\u20AC"`, `"\ud800\u0041"`, `"\ud800x"`, `"\ud800\n"`, `"\ufffd"`,
	"\"\xff\"", "\"a\xc3\"", "\"\xed\xa0\x80\"", "\"\xc3\\u00a9\"", "\"\\u00e9\x80\"", "\"\xf0\x9f\x98\"", "{\"\xff\":1}",
	"\"\x7f\"", "\"日本語 and more text\"", `"exactly8"`, `"sevenby"`, `"nine bytes"`, `"1234567\n12345678\"1234567"`,
	`1e3`, `1.0`, `-1.5E-3`, `123456789012345678901234567890`, `1e999`, `9007199254740993`, `1E+2`, `0e0`, `0.0e-1`,
	// Not JSON.
	``, ` `, `{`, `[`, `}`, `]`, `{]`, `[}`, `[1}`, `{"a":1]`, `,`, `:`, `{,}`, `[,]`, `[1,]`, `{"a":1,}`, `{"a"}`, `{"a":}`,
	`{"a":1 "b":2}`, `[1 2]`, `{a:1}`, `{'a':1}`, `{1:2}`, `{null:1}`, `{"a"::1}`, `{"a",1}`, `[1:2]`, `{}{}`, `{} x`, `1 2`, `nul`, `nulll`, `tru`, `True`,
	`"`, `"a`, `"\`, `"\"`, `"\x"`, `"\u"`, `"\u12`, `"\u12G4"`, `"\'"`, "\"\n\"", "\"\x00\"", "\"\x1f\"", "\"12345678\x01\"",
	`01`, `-`, `-a`, `+1`, `.5`, `1.`, `1.e3`, `1e`, `1e+`, `0x1`, `1_0`, `NaN`, `Infinity`, `-01`, `--1`,
	"\ufeff{}", "{}\x00", "\v1", "[1]\u00a0",
	strings.Repeat("[", 70) + strings.Repeat("]", 70),
	strings.Repeat(`{"a":[`, 70) + "1" + strings.Repeat("]}", 70),
	strings.Repeat(`{"a":[`, 70) + "1" + strings.Repeat("}]", 70),
	strings.Repeat(`[{"":`, 64) + "[]" + strings.Repeat("}]", 63),
}

func nest(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

// tree reads the next value as encoding/json would into an any.
func tree(p *jsonl.Parser) any {
	switch p.Kind() {
	case jsonl.Object:
		m := map[string]any{}
		for key := range p.Object() {
			m[string(key)] = tree(p)
		}
		return m
	case jsonl.Array:
		a := []any{}
		for i := range p.Array() {
			if i != len(a) {
				panic("index out of step")
			}
			a = append(a, tree(p))
		}
		return a
	case jsonl.String:
		return p.Text()
	case jsonl.Number:
		return json.Number(p.Raw())
	case jsonl.True, jsonl.False:
		return p.Bool()
	}
	p.Skip()
	return nil
}

// checkText holds every way of reading b against encoding/json.
func checkText(t *testing.T, b []byte) {
	t.Helper()
	want := json.Valid(b)
	var p jsonl.Parser
	p.Reset(b)
	if err := p.End(); (err == nil) != want {
		t.Fatalf("skip %q: got %v, want valid %v", b, err, want)
	}
	p.Reset(b)
	if raw, err := p.Raw(), p.End(); want && !bytes.Equal(raw, bytes.Trim(b, " \t\r\n")) || (err == nil) != want {
		t.Fatalf("raw %q: got %q, %v", b, raw, err)
	}
	checkBreak(t, b, want)
	p.Reset(b)
	got := tree(&p)
	if err := p.End(); (err == nil) != want {
		t.Fatalf("tree %q: got %v, want valid %v", b, err, want)
	}
	if !want {
		return
	}
	var wanted any
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&wanted); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, wanted) {
		t.Fatalf("tree %q:\n got %#v\nwant %#v", b, got, wanted)
	}
}

// checkBreak leaves objects and arrays at their first member, which must not
// hide what is wrong behind it.
func checkBreak(t *testing.T, b []byte, want bool) {
	t.Helper()
	var p jsonl.Parser
	p.Reset(b)
	for range p.Object() {
		for range p.Array() {
			break
		}
		break
	}
	if err := p.End(); (err == nil) != want {
		t.Fatalf("break out of object %q: got %v, want valid %v", b, err, want)
	}
	p.Reset(b)
	for range p.Array() {
		for range p.Object() {
			break
		}
		p.Text() // there is nothing left to take
		break
	}
	if err := p.End(); (err == nil) != want {
		t.Fatalf("break out of array %q: got %v, want valid %v", b, err, want)
	}
}

func TestParser(t *testing.T) {
	for _, s := range texts {
		checkText(t, []byte(s))
	}
	for _, n := range []int{63, 64, 65, 128, 129, 9999, 10000, 10001} {
		checkText(t, []byte(nest(n)))
		checkText(t, []byte(strings.Repeat(`{"":`, n)+"1"+strings.Repeat("}", n)))
		checkText(t, []byte(`{"a":`+nest(n)+`,"b":`+nest(n)+`}`))
	}
}

// Every cut of a line ends in an error, at the place where it was cut or before.
func TestParserCut(t *testing.T) {
	line := `{"a":"x\u00e9\n日本","b":[1,-2.5e+3,true,false,null,{}],"c":{"d":""}}`
	for i := range line {
		checkText(t, []byte(line[:i]))
		checkText(t, []byte(line[:i]+"{\"type\":1}"))
		checkText(t, []byte(line[:i]+"\x00"+line[i:]))
	}
}

// Random tokens make text that is nearly JSON far more often than random bytes.
func TestParserRandom(t *testing.T) {
	tokens := []string{
		"{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\"\":", "1", "-", "0", ".", "e", "+", "true", "null", "fals", " ", "\n",
		"\\", "\\u", "\\ud83d", "\\ude00", "\\n", "12ab", "x", "\x00", "\x1f", "\xff", "é", "\xe6\x97", "\"a\":{", "\"b\":[", "12345678",
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 50_000 {
		var b []byte
		for range 1 + rng.IntN(12) {
			b = append(b, tokens[rng.IntN(len(tokens))]...)
		}
		checkText(t, b)
		checkText(t, append(append([]byte{'"'}, b...), '"'))
		checkText(t, append(append([]byte(`{"a":[`), b...), "]}"...))
	}
}

func FuzzParser(f *testing.F) {
	for _, s := range append(texts, traps...) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkText(t, b) })
}

func TestParserSticky(t *testing.T) {
	var p jsonl.Parser
	p.Reset([]byte(`{"a":1,"b":x,"c":3}`))
	var keys []string
	for key := range p.Object() {
		keys = append(keys, string(key))
		p.Int()
	}
	if got := strings.Join(keys, " "); got != "a b" {
		t.Errorf("got keys %q", got)
	}
	if err := p.Err(); err == nil || err.Error() != "unexpected character at byte 11" {
		t.Errorf("got %v", err)
	}
	if p.Kind() != jsonl.Invalid || p.Text() != "" || p.Int() != 0 || p.Float() != 0 || p.Bool() || p.Raw() != nil || p.Bytes() != nil {
		t.Error("got a value after an error")
	}
	for range p.Object() {
		t.Error("got a key after an error")
	}
	if p.End() == nil {
		t.Error("got no error at the end")
	}
	p.Reset([]byte(`1`))
	if p.Int() != 1 || p.End() != nil {
		t.Error("Reset does not forget the error")
	}
	var zero jsonl.Parser
	if zero.Kind() != jsonl.Invalid || zero.End() == nil {
		t.Error("the zero Parser has something to read")
	}
}

// A field of another kind than asked for is passed over and costs only itself.
func TestParserOtherKinds(t *testing.T) {
	values := []string{`{"x":[1]}`, `[1,{"y":2}]`, `"s"`, `7`, `true`, `false`, `null`}
	asks := map[string]func(p *jsonl.Parser){
		"Bytes": func(p *jsonl.Parser) { p.Bytes() }, "Int": func(p *jsonl.Parser) { p.Int() },
		"Float": func(p *jsonl.Parser) { p.Float() }, "Bool": func(p *jsonl.Parser) { p.Bool() },
		"Raw": func(p *jsonl.Parser) { p.Raw() }, "Skip": func(p *jsonl.Parser) { p.Skip() },
		"Object": func(p *jsonl.Parser) {
			for range p.Object() {
			}
		},
		"Array": func(p *jsonl.Parser) {
			for range p.Array() {
			}
		},
		"Kind":  func(p *jsonl.Parser) { p.Kind() },
		"twice": func(p *jsonl.Parser) { p.Skip(); p.Skip() },
	}
	for name, ask := range asks {
		for _, v := range values {
			var p jsonl.Parser
			p.Reset([]byte(`{"a":` + v + `,"b":"end"}`))
			got := ""
			for key := range p.Object() {
				if string(key) == "a" {
					ask(&p)
				} else {
					got = p.Text()
				}
			}
			if err := p.End(); got != "end" || err != nil {
				t.Errorf("%s of %s: got %q, %v", name, v, got, err)
			}
		}
	}
}

func TestParserNumbers(t *testing.T) {
	tests := []struct {
		text  string
		whole int64
		float float64
	}{
		{`0`, 0, 0}, {`-0`, 0, 0}, {`42`, 42, 42}, {`-7`, -7, -7}, {`1e3`, 1000, 1000}, {`1.0`, 1, 1}, {`1.5e1`, 15, 15},
		{`2.99`, 2, 2.99}, {`-2.99`, -2, -2.99}, {`125e-1`, 12, 12.5}, {`0.0012E3`, 1, 1.2}, {`5e-324`, 0, 5e-324},
		{`9007199254740993`, 9007199254740993, 9007199254740992}, {`9007199254740993.0`, 9007199254740993, 9007199254740992},
		{`9223372036854775807`, math.MaxInt64, 1 << 63}, {`9223372036854775808`, math.MaxInt64, 1 << 63},
		{`-9223372036854775808`, math.MinInt64, -1 << 63}, {`-9223372036854775809`, math.MinInt64, -1 << 63},
		{`99999999999999999999`, math.MaxInt64, 1e20}, {`1e999999999999`, math.MaxInt64, math.MaxFloat64},
		{`-1e400`, math.MinInt64, -math.MaxFloat64}, {`0e999999999999`, 0, 0}, {`1e-999999999999`, 0, 0}, {`922337203685477580.7e1`, math.MaxInt64, 1 << 63},
		{`0.` + strings.Repeat("0", 400) + `12e402`, 12, 12},
		{`"42"`, 42, 42}, {`"-1.5"`, -1, -1.5}, {`"\u0034"`, 4, 4}, {`""`, 0, 0}, {`"x"`, 0, 0}, {`"0x10"`, 0, 0}, {`"Inf"`, 0, 0}, {`"1 "`, 0, 0},
		{`null`, 0, 0}, {`true`, 0, 0}, {`[1]`, 0, 0}, {`{"a":1}`, 0, 0},
	}
	for _, tt := range tests {
		var p jsonl.Parser
		p.Reset([]byte(tt.text))
		if got, err := p.Int(), p.End(); got != tt.whole || err != nil {
			t.Errorf("%s: got %d, %v, want %d", tt.text, got, err, tt.whole)
		}
		p.Reset([]byte(tt.text))
		if got, err := p.Float(), p.End(); got != tt.float || err != nil {
			t.Errorf("%s: got %v, %v, want %v", tt.text, got, err, tt.float)
		}
	}
}

func TestParserAllocates(t *testing.T) {
	line := bytes.TrimSpace(sample(1))
	var p jsonl.Parser
	got := testing.AllocsPerRun(100, func() {
		p.Reset(line)
		for key := range p.Object() {
			if string(key) == "message" {
				message(&p)
			}
		}
	})
	if got != 0 {
		t.Errorf("got %v allocations for a line", got)
	}
}
