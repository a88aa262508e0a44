package jsonedit_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sesskeep/internal/jsonedit"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"":                "not valid JSON at 1:1: it ends too soon; fix it first",
		"{\"a\":":         "not valid JSON at 1:5: it ends too soon; fix it first",
		"[1,\n 2,,]":      "not valid JSON at 2:4: ',' is not expected there; fix it first",
		"{} {}":           "not valid JSON at 1:4: '{' is not expected there; fix it first",
		"\ufeff{}":        "not valid JSON at 1:1: '\\ufeff' is not expected there; fix it first",
		"{\"ä\": 1, /**/": "not valid JSON at 1:10: '/' is not expected there, as JSON has no comments; fix it first",
		" \"text\"\n":     "",
		"[1]":             "",
		"-1.5e3":          "",
	} {
		_, err := jsonedit.Parse([]byte(text))
		if got := message(err); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
	if _, err := jsonedit.ParseObject([]byte("\ufeff {}")); err != nil {
		t.Errorf("a byte order mark before an object: %v", err)
	}
	if _, err := jsonedit.ParseObject([]byte(" [1]")); message(err) != "not a JSON object, at 1:2; fix it first" {
		t.Errorf("a list: %v", err)
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Of several items with one key the last counts, but all of them can be found.
func TestItems(t *testing.T) {
	d := must(jsonedit.Parse([]byte(`{"a":1,"b":[],"\u0061":"x\ty"}`)))
	if n := d.Root.Member("a"); d.String(n) != "x\ty" || string(d.Raw(n)) != `"x\ty"` || d.Root.Index("a") != 2 {
		t.Errorf("a is %s, at %d", d.Raw(n), d.Root.Index("a"))
	}
	var keys []string
	for _, i := range d.Root.Items() {
		keys = append(keys, i.Key)
	}
	if want := []string{"a", "b", "a"}; !slices.Equal(keys, want) {
		t.Errorf("keys are %q, want %q", keys, want)
	}
	if n := d.Root.Member("c"); n != nil || n.Items() != nil || n.Member("x") != nil || n.IsObject() || len(n.Members()) > 0 || d.String(n) != "" {
		t.Error("something is in a value that is not there")
	}
}

// Edits change what they name, and no other byte, whatever way the text is written.
func TestEditLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &writing{t: t}
		w.value(0)
		d := must(jsonedit.Parse([]byte(w.text)))
		steps := w.steps
		edits := planned(d, d.Root, &steps)
		if got := d.Apply(edits...); string(got) != w.want {
			t.Fatalf("%d edits of\n%s\ngive\n%s\nwant\n%s", len(edits), w.text, got, w.want)
		}
		if got := d.Apply(); string(got) != w.text {
			t.Fatalf("without an edit\n%s\nis\n%s", w.text, got)
		}
	})
}

// planned makes the edits of a value that were chosen while it was written.
func planned(d *jsonedit.Document, n *jsonedit.Node, steps *[]step) (edits []jsonedit.Edit) {
	next := func() step {
		s := (*steps)[0]
		*steps = (*steps)[1:]
		return s
	}
	if s := next(); s.edit {
		return []jsonedit.Edit{d.Replace(n, s.with)}
	}
	for _, i := range n.Items() {
		if n.IsObject() {
			if s := next(); s.edit {
				edits = append(edits, d.Rename(i, s.with))
			}
		}
		edits = append(edits, planned(d, i.Value, steps)...)
	}
	return edits
}

// step says of a value or a key whether it is edited, and what it becomes.
type step struct {
	edit bool
	with string
}

// writing writes a JSON text, and the same with some values and keys edited.
type writing struct {
	t          *rapid.T
	text, want string
	steps      []step // in the order of the text
	replaced   int    // how many values around are replaced
}

func (w *writing) add(text string) {
	w.text += text
	if w.replaced == 0 {
		w.want += text
	}
}

func (w *writing) white() {
	w.add(rapid.StringOfN(rapid.SampledFrom([]rune(" \t\n\r")), 0, 2, -1).Draw(w.t, "white"))
}

// edited writes something that may be replaced.
func (w *writing) edited(write func()) {
	if w.replaced > 0 {
		write()
		return
	}
	s := step{edit: rapid.IntRange(0, 2).Draw(w.t, "edit") == 0}
	if s.edit {
		i := rapid.IntRange(0, len(news)-1).Draw(w.t, "new")
		s.with = news[i].text
		w.want += news[i].quoted
		w.replaced++
	}
	w.steps = append(w.steps, s)
	write()
	if s.edit {
		w.replaced--
	}
}

// news are texts, and how the client writes them.
var news = []struct{ text, quoted string }{
	{"/new/place", `"/new/place"`}, {`<a href="\">`, `"<a href=\"\\\">"`}, {"", `""`}, {"\tä", `"\tä"`},
}

func (w *writing) string() {
	w.add(rapid.SampledFrom([]string{`"a"`, `"\/w\/app"`, `"\u00e9\ud800"`, `"\\\"]}{[,:"`, `"é"`, `""`}).Draw(w.t, "text"))
}

func (w *writing) value(depth int) {
	w.white()
	w.edited(func() {
		kind := rapid.IntRange(0, 4).Draw(w.t, "kind")
		switch {
		case depth > 3 || kind == 0:
			w.add(rapid.SampledFrom([]string{"null", "-1.50e+3", "true"}).Draw(w.t, "scalar"))
		case kind == 1:
			w.string()
		case kind == 2:
			w.items("[", "]", func() { w.value(depth + 1) })
		default:
			w.items("{", "}", func() {
				w.white()
				w.edited(w.string)
				w.white()
				w.add(":")
				w.value(depth + 1)
			})
		}
	})
	w.white()
}

func (w *writing) items(start, end string, item func()) {
	w.add(start)
	w.white()
	for i := range rapid.IntRange(0, 3).Draw(w.t, "length") {
		if i > 0 {
			w.add(",")
		}
		item()
	}
	w.add(end)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
