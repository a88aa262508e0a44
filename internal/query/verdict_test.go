package query_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sesskeep/internal/query"
)

// writer makes objects at random, and knows which of their strings are text.
type writer struct {
	random *rand.Rand
	text   func() string
	values []string
}

func (w *writer) space() string { return []string{"", "", "", " ", "\t "}[w.random.IntN(5)] }

func (w *writer) string(s string) []byte {
	forms := encodings(w.random, s)
	return forms[w.random.IntN(len(forms))]
}

func (w *writer) object(depth int) []byte {
	out := []byte("{" + w.space())
	for i := range w.random.IntN(5) {
		if i > 0 {
			out = append(out, ","+w.space()...)
		}
		key := []string{"text", "type", "signature", "uuid", "a b", w.text()}[w.random.IntN(6)]
		out = slices.Concat(out, w.string(key), []byte(w.space()+":"+w.space()), w.value(key, depth))
	}
	return append(out, w.space()+"}"...)
}

func (w *writer) value(key string, depth int) []byte {
	switch n := w.random.IntN(10); {
	case n < 5 || depth > 3:
		s := w.text()
		if key != "signature" {
			w.values = append(w.values, s)
		}
		return w.string(s)
	case n < 7:
		return w.object(depth + 1)
	case n < 8:
		return []byte([]string{"true", "false", "null", "12", "-1.5e3"}[w.random.IntN(5)])
	}
	out := []byte("[" + w.space())
	for i := range w.random.IntN(3) {
		if i > 0 {
			out = append(out, ","...)
		}
		out = append(out, w.value(key, depth+1)...)
	}
	return append(out, "]"...)
}

// What the raw bytes decide is what the decoded values decide, and they decide
// most of what can be decided at all.
func TestJudge(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	needles := []string{"alpha", "lse", "ue", "e3", "true", "né", "\"q", "\\", "n", "nah", "12", "/a(l|m)pha/", "/t.?e/", "-beta", "日本", "u00", "k", "x\ny"}
	decided, lines := map[query.Verdict]int{}, tries(15000)
	for range lines {
		text := needles[random.IntN(len(needles))]
		w := &writer{random: random}
		w.text = func() string {
			if random.IntN(3) == 0 {
				return randomText(random, 12) + otherCase(random, text) + randomText(random, 6)
			}
			return randomText(random, 12)
		}
		line := w.object(0)
		if !json.Valid(line) {
			t.Fatalf("not valid: %s", line)
		}
		if random.IntN(4) == 0 {
			text += " " + needles[random.IntN(len(needles))]
		}
		q, err := query.Parse(text, now)
		if err != nil {
			q = query.Q{Text: []query.Clause{{Any: []query.Atom{{Kind: query.Phrase, Text: text}}}}}
		}
		m := q.Matcher()
		want := m.Line(slices.Values(w.values))
		verdict := m.Judge(line)
		decided[verdict]++
		if verdict == query.Matches && !want || verdict == query.MatchesNot && want {
			t.Fatalf("%q: judged %d, want %v\n%s", text, verdict, want, line)
		}
	}
	if decided[query.Matches] < lines/50 || decided[query.MatchesNot] < lines/50 {
		t.Errorf("decided are %v", decided)
	}
}

// Ordinary lines are decided, whatever else they hold.
func TestJudges(t *testing.T) {
	for _, c := range []struct {
		query, line string
		want        query.Verdict
	}{
		{"error", `{"type":"user","message":{"content":"an Error\nerror"},"uuid":"u"}`, query.Matches},
		{"error", `{"error":1,"x":"\"error\":"}`, query.Matches},
		{"error", `{"error":{"error":2},"a":"b","error" : "x"}`, query.MatchesNot},
		{"error", `{"signature":"xxerrorxx"}`, query.MatchesNot},
		{"error", `{"data":"xxerrorxx"}`, query.Undecided},
		{"error", `{"data":"xxerrorxx","b":"error"}`, query.Matches},
		{"error", `{"lines":["a", "b\"" ,"an error"]}`, query.Matches},
		{"error", `{"lines":["error"]}`, query.Matches},
		{"error", `{"signature":["a","error"]}`, query.MatchesNot},
		{"error", `{"data":["a","error"]}`, query.Undecided},
		{"error", `{"lines":[1,"error"]}`, query.Undecided},
		{"nothing", `{"a":"x\nothing"}`, query.MatchesNot},
		{"nothing", `{"a":"x\\nothing"}`, query.Matches},
		{"9abc", `{"a":"\u00e9abc"}`, query.MatchesNot},
		{"timeout OR retry", `{"a":"x","b":"a Retry"}`, query.Matches},
		{"timeout retry", `{"a":"timeout","b":"a Retry"}`, query.Matches},
		{`/time(out|r) \d+/`, `{"a":"timeout","b":"a timer\u002012"}`, query.Matches},
		{`/time(out|r) \d+/`, `{"a":"timeout","timer 1":"a timer\n12"}`, query.MatchesNot},
		{"true", `{"a":true,"b":"x"}`, query.Undecided},
		{"error -x", `{"a":"error"}`, query.Undecided},
	} {
		if got := mustParse(t, c.query).Matcher().Judge([]byte(c.line)); got != c.want {
			t.Errorf("%s in %s: judged %d, want %d", c.query, c.line, got, c.want)
		}
	}
}

// What is no JSON is judged somehow, but it is.
func TestJudgeEnds(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	for _, text := range []string{"alpha", `"a\"b"`, "/al(p|f)/"} {
		m := mustParse(t, text).Matcher()
		for range tries(3000) {
			var line bytes.Buffer
			for range random.IntN(12) {
				fmt.Fprint(&line, []string{`"`, `\`, `alpha`, `a\"b`, `alf`, `:`, `,`, `{`, `}`, `u0061`}[random.IntN(10)])
			}
			m.Judge(line.Bytes())
		}
	}
}
