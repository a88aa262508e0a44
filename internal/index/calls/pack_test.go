package calls

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

func randomCall(rng *rand.Rand) Call {
	line := func() (l Line) {
		if rng.IntN(4) > 0 {
			l = Line{1 + rng.IntN(1000), rng.Int64N(1 << 40), 1 + rng.Int64N(1<<20)}
		}
		return l
	}
	c := Call{
		ID: rng.Uint64(), Tool: []string{"", "Bash", "Edit", "mcp__x__y"}[rng.IntN(4)], File: []string{"", "/w/a.go", "/w/ab.go", "C:\\x"}[rng.IntN(4)],
		Branch: []string{"", "main", "feat/x"}[rng.IntN(3)], Time: rng.Int64N(1<<42) - 1<<40, Counted: rng.IntN(2) == 0, Failed: rng.IntN(2) == 0,
		Line: line(), Result: line(), Prompt: line(),
	}
	if c.Answered = rng.IntN(2) == 0; c.Answered {
		c.Took = rng.Int64N(1<<30) - 1<<20
	}
	if c.Measured = rng.IntN(2) == 0; c.Measured {
		c.Added, c.Removed = rng.Int64N(1000), rng.Int64N(1000)
	}
	return c
}

// What is packed comes out again, and damage is an error or other calls.
func TestPack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var calls, got []Call
	for range pieceSize {
		calls = append(calls, randomCall(rng))
	}
	raw := pack(calls)
	err := new(Reader).Each(raw, func(c *Call) { got = append(got, *c) })
	if err != nil || !reflect.DeepEqual(got, calls) {
		t.Fatalf("unpacked %+v (%v), want %+v", got, err, calls)
	}
	for range 20000 {
		bad := append([]byte{}, raw[:rng.IntN(len(raw)+1)]...)
		for range rng.IntN(3) {
			if len(bad) > 0 {
				bad[rng.IntN(len(bad))] = byte(rng.Uint32())
			}
		}
		_ = new(Reader).Each(bad, func(*Call) {})
	}
}

// The lines that a tool changed are counted as a reader of the conversation sees them.
func TestMeasure(t *testing.T) {
	for result, want := range map[string]change{
		`{"structuredPatch":[{"lines":[" a","-b","+c","+d"]},{"lines":["-e"]}],"originalFile":"x"}`: {patch: true, added: 2, removed: 2},
		`{"structuredPatch": [{"oldStart":1,"lines":["+a",7,null]}]}`:                               {patch: true, added: 1},
		`{"structuredPatch":[],"originalFile":"a\nb\n"}`:                                            {replaced: true},
		`{"structuredPatch":[],"originalFile":""}`:                                                  {},
		`{"structuredPatch":[],"originalFile":null}`:                                                {},
		`{"x":"\"structuredPatch\":[{\"lines\":[\"+a\"]}]"}`:                                        {},
		`{"structuredPatch":7}`:                                                                     {},
		`"Error"`:                                                                                   {},
	} {
		if got := changeIn([]byte(result)); got != want {
			t.Errorf("%s: %+v, want %+v", result, got, want)
		}
	}
	for content, want := range map[string]int64{
		`""`: 0, `"a"`: 1, `"a\n"`: 1, `"a\nb"`: 2, `"\n"`: 1, `"\\n"`: 1, `"a\u000a"`: 1, `"a\u000Ab\t"`: 2, `"\\\n"`: 1, `"\\\\n"`: 1,
	} {
		if got := written([]byte(`{"file_path":"/x","content":` + content + `}`)); got != want {
			t.Errorf("%s has %d lines, want %d", content, got, want)
		}
	}
}
