package jsonl_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/jsonl"
	"sesskeep/internal/storetest"
)

// show writes pieces as their bytes behind a letter: = a record alone, + one
// that is glued, c cut, n NUL, x not JSON.
func show(pieces []jsonl.Piece) string {
	letters := map[jsonl.Flaw]string{
		0: "=", jsonl.Glued: "+", jsonl.Cut: "c", jsonl.NUL: "n", jsonl.NotJSON: "x",
	}
	var s []string
	for _, p := range pieces {
		s = append(s, letters[p.Flaw]+string(p.Bytes))
	}
	return strings.Join(s, " ¦ ")
}

func TestSalvage(t *testing.T) {
	const (
		whole  = `{"parentUuid":"b","type":"user","sessionId":"s"}`
		title  = `{"type":"tag","tag":"x","sessionId":"s"}`
		broken = `{"parentUuid":"a","forkedFrom":{"sessionId":"r","messageUuid":"u"},"message":{"content":[{"type":"text","text":"hi"},`
	)
	tests := []struct{ name, line, want string }{
		{"valid", whole, "=" + whole},
		{"glued", whole + title, "+" + whole + " ¦ +" + title},
		{"glued, unknown keys", `{"a":1}{"b":2} {"c":3}`, `+{"a":1} ¦ +{"b":2} ¦ +{"c":3}`},
		{"cut in a string", `{"a":"abc` + whole, `c{"a":"abc ¦ +` + whole},
		{"cut in a key", `{"a":1,"ab` + title, `c{"a":1,"ab ¦ +` + title},
		{"cut in an escape", `{"a":"\` + whole, `c{"a":"\ ¦ +` + whole},
		{"cut in a unicode escape", `{"a":"\u00` + whole, `c{"a":"\u00 ¦ +` + whole},
		{"cut behind a key", `{"a"` + title, `c{"a" ¦ +` + title},
		{"cut behind a colon", `{"a":` + title, `c{"a": ¦ +` + title},
		{"cut behind a comma", `{"a":[1,` + title, `c{"a":[1, ¦ +` + title},
		{"cut in a word", `{"a":tr` + title, `c{"a":tr ¦ +` + title},
		{"cut in a number", `{"a":-1.` + title, `c{"a":-1. ¦ +` + title},
		{"cut behind a bracket", `{` + title, `c{ ¦ +` + title},
		{"cut between blocks", broken + whole, "c" + broken + " ¦ +" + whole},
		{"cut in a block", broken + `{"type":"text","text":"so` + whole, "c" + broken + `{"type":"text","text":"so ¦ +` + whole},
		{"cut twice", `{"type":"a` + `{"type":"b` + title + title, `c{"type":"a ¦ c{"type":"b ¦ +` + title + " ¦ +" + title},
		{"whole, then cut", whole + broken, "+" + whole + " ¦ c" + broken},
		{"torn", broken, "c" + broken},
		{"torn behind a value", broken[:len(broken)-1], "c" + broken[:len(broken)-1]},
		{"blocks are no records", broken + "\x01" + `,{"type":"text","text":"a"}]}}`, "x" + broken + "\x01" + `,{"type":"text","text":"a"}]}}`},
		{"NUL between", whole + "\x00\x00" + title, "+" + whole + " ¦ n\x00\x00 ¦ +" + title},
		{"NUL behind a cut", `{"a":"b` + "\x00\x00" + title, `c{"a":"b ¦ n` + "\x00\x00 ¦ +" + title},
		{"NUL before junk", whole + "\x00junk", "=" + whole + " ¦ n\x00 ¦ xjunk"},
		{"lost head", `ext":"hi"}}` + whole, `xext":"hi"}} ¦ =` + whole},
		{"junk", `hello`, `xhello`},
		{"junk before", `hello ` + title, `xhello  ¦ =` + title},
		{"too many braces", title + `}}`, "=" + title + " ¦ x}}"},
		{"control character", "{\"a\":\"\x01\"}" + title, "c{\"a\":\"\x01\"} ¦ +" + title},
		{"not an object", `[1,2]`, `x[1,2]`},
		{"braces in a string", `{"a":"}{","b":"{\"type\":1}"}` + title, `+{"a":"}{","b":"{\"type\":1}"} ¦ +` + title},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := jsonl.Line{Bytes: []byte(tt.line), Offset: 1000, Skip: 3}
			if got := show(jsonl.Salvage(l)); got != tt.want {
				t.Errorf("\n got %q\nwant %q", got, tt.want)
			}
			checkPieces(t, l)
		})
	}
}

// A line cut off at any byte costs that record and not the next.
func TestSalvageEveryCut(t *testing.T) {
	lines := bytes.Split(bytes.TrimSpace(sample(3)), []byte("\n"))
	next := lines[1]
	for i := 1; i < len(lines[0]); i++ {
		l := jsonl.Line{Bytes: append(lines[0][:i:i], next...)}
		pieces := jsonl.Salvage(l)
		if len(pieces) != 2 || pieces[0].Flaw != jsonl.Cut || !bytes.Equal(pieces[1].Bytes, next) {
			t.Fatalf("cut at %d: got %s", i, show(pieces))
		}
	}
}

func TestSalvageNULLine(t *testing.T) {
	r := jsonl.NewReader(strings.NewReader("a\n\x00\x00\x00\n"), 0, 0)
	r.Next()
	r.Next()
	got := jsonl.Salvage(r.Line())
	if len(got) != 1 || got[0].Flaw != jsonl.NUL || got[0].Offset != 2 || got[0].Whole() {
		t.Errorf("got %+v", got)
	}
}

// Hostile lines take time in proportion to their length.
func TestSalvageHostile(t *testing.T) {
	const size = 1 << 18
	for _, s := range []string{
		`{"type"`, `{"type":`, `{"type":"`, `[{"type":`, `{"type" `, `{`, `{"`, `{"type":{}`, `{"type":[{},`,
		`{"type":{"type":1},"a":`, "{\"type\":1\x00", "\x00 ", `{"type":1}x`, `{"sessionId":1,"type":`, `}{"`,
	} {
		line := []byte(strings.Repeat(s, size/len(s)))
		start := storetest.CPU(t)
		pieces := jsonl.Salvage(jsonl.Line{Bytes: line})
		took := storetest.CPU(t) - start
		t.Logf("%-26q %6d pieces %v", s, len(pieces), took)
		if took > 5*time.Second {
			t.Errorf("%q: took %v", s, took)
		}
		bad := 0
		for _, p := range pieces {
			if !p.Whole() {
				bad++
			}
		}
		if whole := len(pieces) - bad; bad > jsonl.MaxBad+whole {
			t.Errorf("%q: got %d bad pieces and %d whole ones", s, bad, whole)
		}
	}
}

// checkPieces holds what is true of the pieces of any line.
func checkPieces(t *testing.T, l jsonl.Line) {
	t.Helper()
	end := 0
	for _, p := range jsonl.Salvage(l) {
		at := int(p.Offset - l.Offset - int64(l.Skip))
		if len(l.Bytes) == 0 && l.Flaws&jsonl.NUL != 0 {
			at = 0
		}
		if at < end || at+len(p.Bytes) > len(l.Bytes) || !bytes.Equal(l.Bytes[at:at+len(p.Bytes)], p.Bytes) {
			t.Fatalf("%q: piece %q at %d is out of place", l.Bytes, p.Bytes, at)
		}
		if between := bytes.Trim(l.Bytes[end:at], " \t\r\n"); len(between) > 0 {
			t.Fatalf("%q: %q is in no piece", l.Bytes, between)
		}
		if p.Whole() && (!json.Valid(p.Bytes) || p.Bytes[0] != '{') {
			t.Fatalf("%q: piece %q is not whole", l.Bytes, p.Bytes)
		}
		end = at + len(p.Bytes)
	}
	if left := bytes.Trim(l.Bytes[end:], " \t\r\n"); len(left) > 0 {
		t.Fatalf("%q: %q is in no piece", l.Bytes, left)
	}
	if b := bytes.Trim(l.Bytes, " \t\r\n"); json.Valid(b) && b[0] == '{' {
		if got := jsonl.Salvage(l); len(got) != 1 || got[0].Flaw != 0 {
			t.Fatalf("%q: a good record came back as %s", b, show(got))
		}
	}
}

func FuzzLine(f *testing.F) {
	for _, s := range append(traps, texts...) {
		f.Add([]byte(s))
	}
	for i := 5; i < 120; i += 11 {
		line := `{"parentUuid":"a\n","message":{"content":[{"type":"text"}]},"type":"user","sessionId":"s"}`
		f.Add(fmt.Appendf(nil, "%s%s\x00%s\n", line[:min(i, len(line))], line, line[i/2:]))
	}
	var r jsonl.Reader
	f.Fuzz(func(t *testing.T, file []byte) {
		r.Reset(bytes.NewReader(file), 0, 0)
		for r.Next() {
			checkPieces(t, r.Line())
		}
		if rest, ok := r.Rest(); ok {
			checkPieces(t, rest)
		}
	})
}
