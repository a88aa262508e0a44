package query_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/query"
)

var now = time.Date(2026, 11, 14, 17, 6, 0, 0, time.FixedZone("", 2*3600))

// dump shows a query in the smallest notation: w(word) p(phrase) r(regexp), |
// for OR, ! for not, and filters as key=values.
func dump(q query.Q) string {
	var parts []string
	for _, c := range q.Text {
		var any []string
		for _, a := range c.Any {
			any = append(any, string("wpr"[a.Kind])+"("+a.Text+")")
		}
		parts = append(parts, strings.Repeat("!", btoi(c.Not))+strings.Join(any, "|"))
	}
	for _, f := range q.Filters {
		parts = append(parts, strings.Repeat("!", btoi(f.Not))+string(f.Key)+"="+strings.Join(f.Values, ","))
	}
	return strings.Join(parts, " ")
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, want, canonical string }{ // canonical "": as text
		{"", "", ""},
		{" \t ", "", " "},
		{"half line", "w(half) w(line)", ""},
		{"  half\u00a0 line ", "w(half) w(line)", "half line"},
		{`"half line"`, "p(half line)", ""},
		{`"one"two"three"`, "p(one) w(two\"three\")", `"one" two"three"`},
		{`"a \"b\" \\ C:\dir"`, `p(a "b" \ C:\dir)`, `"a \"b\" \\ C:\\dir"`},
		{"-not", "!w(not)", ""},
		{`-"not this" -/that/ -tag:x`, "!p(not this) !r(that) !tag=x", ""},
		{"--force", "p(--force)", `"--force"`},
		{"- a - b", "p(-) w(a) p(-) w(b)", `"-" a "-" b`},
		{"a OR b", "w(a)|w(b)", ""},
		{"a OR b c", "w(a)|w(b) w(c)", ""},
		{`a OR "b c" OR /d/ e or f`, "w(a)|p(b c)|r(d) w(e) w(or) w(f)", ""},
		{`"OR" -OR`, "p(OR) !p(OR)", `"OR" -"OR"`},
		{"/regex/", "r(regex)", ""},
		{`/a b/ x`, "r(a b) w(x)", ""},
		{`/a\/b\\/`, `r(a/b\\)`, ""},
		{"/usr/local/bin", "p(/usr/local/bin)", `"/usr/local/bin"`},
		{"/help // / x /", "p(/help) p(//) p(/) w(x) p(/)", `"/help" "//" "/" x "/"`},
		{`/usr tag:"x/y" foo/`, "p(/usr) w(foo/) tag=x/y", `"/usr" foo/ tag:x/y`},
		{"project:my-app", "project=my-app", ""},
		{`project:"my app",other branch:main model:opus`, "project=my app,other branch=main model=opus", ""},
		{"tool:Bash file:parser.go", "tool=Bash file=parser.go", ""},
		{"half line tool:Edit", "w(half) w(line) tool=Edit", ""},
		{"tool:Edit half", "w(half) tool=Edit", "half tool:Edit"},
		{"is:error has:image tag:later source:all started:program", "is=error has=image tag=later source=all started=program", ""},
		{"state:needs-you archived:yes parent:c9cf size:>10M before:2026-11-01 after:2d role:user", "state=needs-you archived=yes parent=c9cf size=>10M before=2026-11-01 after=2d role=user", ""},
		{`STATE:"Needs You" Has:Images,branch`, "state=needs-you has=image,branches", "state:needs-you has:image,branches"},
		{"role:user,assistant,user", "role=user,assistant", "role:user,assistant"},
		{"http://x foo:bar file:///tmp model::Name 10:30", "w(http://x) w(foo:bar) w(file:///tmp) w(model::Name) w(10:30)", ""},
		{`file:"//x",":y","a,b"`, "file=//x,:y,a,b", ""},
		{`tag:"\"q"`, `tag="q`, ""},
		{`session:c9cf "日本 語" naïve`, "p(日本 語) w(naïve) session=c9cf", `"日本 語" naïve session:c9cf`},
	} {
		q, err := query.Parse(c.text, now)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got := dump(q); got != c.want {
			t.Errorf("%q: got %s, want %s", c.text, got, c.want)
		}
		want := c.canonical
		if want == "" {
			want = c.text
		}
		if got := q.String(); strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%q: prints %s, want %s", c.text, got, want)
		}
		roundTrip(t, q)
	}
}

func roundTrip(t *testing.T, q query.Q) {
	t.Helper()
	again, err := query.Parse(q.String(), now)
	if err != nil {
		t.Fatalf("%q does not parse again: %v", q.String(), err)
	}
	if !again.Equal(q) {
		t.Fatalf("%q parses as %s, want %s", q.String(), dump(again), dump(q))
	}
}

func TestSizes(t *testing.T) {
	const open = math.MaxInt64
	for _, c := range []struct {
		text     string
		min, max int64
	}{
		{">10M", 10e6 + 1, open}, {">=1.5k", 1500, open}, {"<=500k", 0, 500e3}, {"<2GB", 0, 2e9 - 1},
		{"1M..5M", 1e6, 5e6}, {"..4KiB", 0, 4096}, {"1t..", 1e12, open}, {">0", 1, open},
	} {
		q, err := query.Parse("size:"+c.text, now)
		if err != nil {
			t.Error(err)
			continue
		}
		if f, ok := q.Filter(query.Size); !ok || f.Min != c.min || f.Max != c.max {
			t.Errorf("%s: got %d to %d, want %d to %d", c.text, f.Min, f.Max, c.min, c.max)
		}
	}
}

func TestTimes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"2026-11-01", "2026-11-01T00:00:00+02:00"},
		{"2026-11", "2026-11-01T00:00:00+02:00"},
		{"2026-11-01T10:00Z", "2026-11-01T10:00:00Z"},
		{"2026-11-01t10:00:05+01:00", "2026-11-01T10:00:05+01:00"},
		{"2026-11-01T10:00", "2026-11-01T10:00:00+02:00"},
		{`"2026-11-01 10:00"`, "2026-11-01T10:00:00+02:00"},
		{"2d", "2026-11-12T17:06:00+02:00"},
		{"36H", "2026-11-13T05:06:00+02:00"},
		{"yesterday", "2026-11-13T00:00:00+02:00"},
		{"today", "2026-11-14T00:00:00+02:00"},
	} {
		q, err := query.Parse("after:"+c.text+" -before:"+c.text, now)
		if err != nil {
			t.Error(err)
			continue
		}
		want, _ := time.Parse(time.RFC3339, c.want)
		after, _ := q.Filter(query.After)
		before, _ := q.Filter(query.Before)
		if !after.From.Equal(want) || !before.To.Equal(want) || !before.From.IsZero() || !after.To.IsZero() || !before.Not {
			t.Errorf("%s: got %v and %v, want %v", c.text, after.From, before.To, want)
		}
		roundTrip(t, q)
	}
}

// A filter made by a program prints as one that was typed.
func TestMadeFilter(t *testing.T) {
	for _, c := range []struct {
		filter query.Filter
		want   string
	}{
		{query.Filter{Key: query.After, From: now}, "after:2026-11-14T17:06:00+02:00"},
		{query.Filter{Key: query.Size, Min: 3, Max: 9}, "size:3..9"},
		{query.Filter{Key: query.Size, Min: 3, Max: math.MaxInt64}, "size:>=3"},
	} {
		q, err := query.Parse(query.Q{Filters: []query.Filter{c.filter}}.String(), now)
		if err != nil {
			t.Error(err)
			continue
		}
		got, _ := q.Filter(c.filter.Key)
		if got.String() != c.want || !got.From.Equal(c.filter.From) || got.Min != c.filter.Min || got.Max != c.filter.Max {
			t.Errorf("got %v, want %s", got, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, pointer, hint string }{
		{`x "open`, `  ^`, `\"`},
		{`-""`, `^^^`, ""},
		{"OR a", "^^", `"OR"`},
		{"a OR", "  ^^", `"OR"`},
		{"a OR OR b", "  ^^", `"OR"`},
		{"a OR -b", "     ^^", ""},
		{"-a OR b", "^^", ""},
		{"a OR tag:x", "     ^^^^^", "tag:a,b"},
		{"tag:x OR tag:y", "      ^^", `"OR"`},
		{"x /a(b/", "  ^^^^^", ""},
		{"/a{2,1}/", "  ^^^^^", ""},
		{"/((a{100}){5}|b{900}|c{900}|d{900}|e{900}|f{900}|g{900}|h{900}|i{900}|j{900}|k{900}|l{900})/", "", "smaller"},
		{"is:errr", "   ^^^^", "is:error"},
		{"a role:user,nobody", "            ^^^^^^", "assistant"},
		{"model: opus", "      ^", "model:opus"},
		{"role:user,", "          ^", ""},
		{`project:"my`, "        ^", ""},
		{`project:"my"x`, "            ^", ""},
		{"size:10M", "     ^^^", "size:>10M"},
		{"size:>ten", "     ^^^^", "size:>10M"},
		{"size:5M..1M", "     ^^^^^^", ""},
		{"size:>99999999t", "     ^", ""},
		{"size:>1M,<5M", "         ^^^", ""},
		{"日本 before:never", "            ^^^^^", "yesterday"},
		{"after:2x", "      ^^", "2d"},
		{"archived:maybe", "         ^^^^^", "yes, no"},
		{"a\xffb", " ^", ""},
		{strings.Repeat("a ", 65), strings.Repeat(" ", 128) + "^", ""},
		{strings.Repeat("é", 3000), "", ""},
		{`"` + strings.Repeat(`\ `, 2000) + `"`, "^^^", ""},
	} {
		_, err := query.Parse(c.text, now)
		var e *query.Error
		if !errors.As(err, &e) {
			t.Errorf("%q: got error %v", c.text, err)
			continue
		}
		lines := strings.Split(e.Pointer(), "\n")
		if len(lines) != 2 || !strings.HasPrefix(lines[1], c.pointer) || c.pointer == "" && e.Len == 0 {
			t.Errorf("%q: points at\n%s\nwant\n%s", c.text, e.Pointer(), c.pointer)
		}
		if !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%q: hint %q, want %q", c.text, e.Hint, c.hint)
		}
		if strings.Contains(e.Error(), "\n") || !strings.Contains(e.Error(), ", at character ") {
			t.Errorf("%q: error %q", c.text, e.Error())
		}
	}
	_, err := query.Parse("日本 is:wrong", now)
	if want := `is: knows no "wrong", at character 7`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestHints(t *testing.T) {
	for text, want := range map[string]string{
		"projct:app": "project:", "a -brnach:x": "branch:", "tags:x": "tag:", "proj:x": "project:", "mdoel:opus": "model:",
		"http://x": "", "foo:bar": "", "tags:": "", "tags": "", "C:\\dir": "", "std::tag": "", "as:x": "", `"tags:x"`: "",
	} {
		q, err := query.Parse(text, now)
		if err != nil {
			t.Error(err)
			continue
		}
		if want == "" && len(q.Hints) > 0 || want != "" && (len(q.Hints) != 1 || !strings.HasSuffix(q.Hints[0].Message, want+"?")) {
			t.Errorf("%q: got %v, want %q", text, q.Hints, want)
		}
		for _, h := range q.Hints {
			if !strings.HasSuffix(text[:h.Pos+h.Len], ":") {
				t.Errorf("%q: hint at %d, %d", text, h.Pos, h.Len)
			}
		}
	}
}

func TestKeys(t *testing.T) {
	all := query.Keys()
	if len(all) != 22 {
		t.Errorf("got %d keys", len(all))
	}
	for _, k := range all {
		q, err := query.Parse(k.Example, now)
		if err != nil || len(q.Filters) != 1 || q.Filters[0].Key != k.Key || q.String() != k.Example {
			t.Errorf("%s: example %s gives %s, %v", k.Key, k.Example, dump(q), err)
		}
		for _, v := range k.Values {
			if q, err := query.Parse(string(k.Key)+":"+v, now); err != nil || !slices.Equal(q.Filters[0].Values, []string{v}) {
				t.Errorf("%s:%s: %s, %v", k.Key, v, dump(q), err)
			}
		}
	}
}

// Random pieces make valid queries far more often than random bytes.
func TestRoundTrip(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it is concurrent")
	}
	pieces := []string{" ", " ", " ", "a", "é", "OR", "-", `"`, "/", ":", ",", `\`, "tag", "file:", "size:>1k", "after:2d", "role:user", "..", "//", "(", "|", "\n", "\u3000", "日本"}
	random := rand.New(rand.NewPCG(1, 2))
	valid := 0
	for range tries(200000) {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		if q, err := query.Parse(b.String(), now); err == nil {
			valid++
			roundTrip(t, q)
		}
	}
	if valid < tries(50000) {
		t.Errorf("only %d valid queries", valid)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`a OR "b c" -/d\/e/ tag:x,"y z" size:>1M after:2d`, "file:///x --y", `"`, "/(/", "is:", "\xff", "- - OR"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, text string, cursor int) {
		c := query.Complete(text, cursor)
		if c.From < 0 || c.From > c.To || c.To > len(text) {
			t.Fatalf("completion from %d to %d of %d", c.From, c.To, len(text))
		}
		q, err := query.Parse(text, now)
		if err != nil {
			var e *query.Error
			if !errors.As(err, &e) || e.Pos < 0 || e.Len < 0 || e.Pos+e.Len > len(text) {
				t.Fatalf("error %#v", err)
			}
			_, _ = e.Error(), e.Pointer()
			return
		}
		roundTrip(t, q)
		m := q.Matcher()
		m.Spans(text, 10)
		m.Line(slices.Values([]string{text}))
	})
}
