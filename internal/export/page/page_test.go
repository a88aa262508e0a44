package page

import (
	"encoding/xml"
	"errors"
	"html"
	"io"
	"net/url"
	"slices"
	"strings"
	"testing"

	"sesskeep/internal/view"
)

func TestMarkdown(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"paragraphs", "one\ntwo\n\nthree", "<p>one\ntwo</p>\n<p>three</p>\n"},
		{"heading", "## What *now*?", "<h5>What <em>now</em>?</h5>\n"},
		{"no heading", "#1 is fixed", "<p>#1 is fixed</p>\n"},
		{"code", "run `go test ./...` now", "<p>run <code>go test ./...</code> now</p>\n"},
		{"code with marks", "`` a`b `` and `*x*`", "<p><code>a`b</code> and <code>*x*</code></p>\n"},
		{"bold and italic", "**a** *b* ***c*** __d__ ~~e~~", "<p><strong>a</strong> <em>b</em> <strong><em>c</em></strong> <strong>d</strong> <del>e</del></p>\n"},
		{"names stay", "snake_case_name and 2*3*4 and ** and _", "<p>snake_case_name and 2<em>3</em>4 and ** and _</p>\n"},
		{"escaped", `\*not\* \<b\>`, "<p>*not* &lt;b&gt;</p>\n"},
		{"fence", "```go\nx := 1\n```\nafter", "<p class=\"lang\">go</p><pre><code>x := <span class=\"n\">1</span></code></pre>\n<p>after</p>\n"},
		{"open fence", "~~~\na\n\nb", "<pre><code>a\n\nb</code></pre>\n"},
		{"unknown language", "```brainfuck\n+\n```", "<p class=\"lang\">brainfuck</p><pre><code>+</code></pre>\n"},
		{"list", "- a\n- b\n  c\n- [x] d", "<ul>\n<li>a\n</li>\n<li>b\nc\n</li>\n<li>☑ d\n</li>\n</ul>\n"},
		{"nested", "1. a\n   - b\n2. c", "<ol>\n<li>a\n<ul>\n<li>b\n</li>\n</ul>\n</li>\n<li>c\n</li>\n</ol>\n"},
		{"numbered from", "7. a\n8. b", "<ol start=\"7\">\n<li>a\n</li>\n<li>b\n</li>\n</ol>\n"},
		{"quote", "> a\n> b\n\nc", "<blockquote>\n<p>a\nb</p>\n</blockquote>\n<p>c</p>\n"},
		{"table", "| a | b |\n|---|:-:|\n| 1 | `x|y` |", "<table>\n<thead><tr><th>a</th><th>b</th></tr>\n</thead>\n<tbody>\n<tr><td>1</td><td><code>x|y</code></td></tr>\n</tbody></table>\n"},
		{"rule", "a\n\n---\n\nb", "<p>a</p>\n<hr/>\n<p>b</p>\n"},
		{"link", "[docs](https://go.dev/doc \"Go\")", "<p><a rel=\"noreferrer noopener\" href=\"https://go.dev/doc\">docs</a> (Go)</p>\n"},
		{"address", "see https://go.dev/x_(y). Or <https://go.dev>", "<p>see <a rel=\"noreferrer noopener\" href=\"https://go.dev/x_(y)\">https://go.dev/x_(y)</a>. Or <a rel=\"noreferrer noopener\" href=\"https://go.dev\">https://go.dev</a></p>\n"},
		{"link in a link", "[https://a.example](https://b.example)", "<p><a rel=\"noreferrer noopener\" href=\"https://b.example\">https://a.example</a></p>\n"},
		{"script as address", "[x](javascript:alert(1))", "<p>x (javascript:alert(1))</p>\n"},
		{"file as address", "[x](../secret.md)", "<p>x (../secret.md)</p>\n"},
		{"image is a link", "![a cat](https://a.example/cat.png)", "<p><a rel=\"noreferrer noopener\" href=\"https://a.example/cat.png\">a cat</a></p>\n"},
		{"tags are text", "<script>alert(1)</script>\n<b>x", "<p>&lt;script&gt;alert(1)&lt;/script&gt;\n&lt;b&gt;x</p>\n"},
		{"entities", "a &amp; b &lt;i&gt;", "<p>a &amp; b &lt;i&gt;</p>\n"},
		{"control characters", "a\x00b\x1bc", "<p>a\uFFFDb\uFFFDc</p>\n"},
	} {
		if got := string(Markdown(nil, c.in)); got != c.want {
			t.Errorf("%s: %q\n got %q\nwant %q", c.name, c.in, got, c.want)
		}
	}
}

// allowed are the tags that a message can become, with their attributes.
var allowed = map[string][]string{
	"p": {"class"}, "h4": nil, "h5": nil, "h6": nil, "hr": nil, "br": nil, "ul": nil, "ol": {"start"}, "li": nil, "blockquote": nil,
	"pre": nil, "code": nil, "span": {"class"}, "em": nil, "strong": nil, "del": nil, "a": {"rel", "href"},
	"table": {"class"}, "thead": nil, "tbody": nil, "tr": {"class"}, "th": nil, "td": nil, "mark": nil,
}

// parse checks that HTML is well formed and has nothing but what is allowed, and returns its text.
func parse(t *testing.T, in string, out []byte) string {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader("<x>" + string(out) + "</x>"))
	d.Entity = xml.HTMLEntity
	var text strings.Builder
	anchors := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return text.String()
		}
		if err != nil {
			t.Fatalf("%q: %v\n%s", in, err, out)
		}
		switch token := token.(type) {
		case xml.CharData:
			text.Write(token)
		case xml.EndElement:
			if token.Name.Local == "a" {
				anchors--
			}
		case xml.StartElement:
			attributes, ok := allowed[token.Name.Local]
			if !ok && token.Name.Local != "x" {
				t.Fatalf("%q: tag %s", in, token.Name.Local)
			}
			if token.Name.Local == "a" {
				if anchors++; anchors > 1 {
					t.Fatalf("%q: a link in a link", in)
				}
			}
			for _, a := range token.Attr {
				u, err := url.Parse(a.Value)
				switch {
				case !slices.Contains(attributes, a.Name.Local):
					t.Fatalf("%q: attribute %s of %s", in, a.Name.Local, token.Name.Local)
				case a.Name.Local == "href" && (err != nil || !slices.Contains([]string{"http", "https", "mailto"}, u.Scheme)):
					t.Fatalf("%q: link to %q", in, a.Value)
				}
			}
		}
	}
}

// letters are what must not be lost.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r > 0x1000 && r != '\uFFFD' && r != '☐' && r != '☑' {
			return r
		}
		return -1
	}, text)
}

// isWithin reports whether all runes of a stand in b in their order.
func isWithin(a, b string) bool {
	rest := []rune(b)
	for _, r := range a {
		i := slices.Index(rest, r)
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
	}
	return true
}

func FuzzMarkdown(f *testing.F) {
	for _, seed := range []string{
		"# a\n\n- b\n  > c\n\n  ```go\n  d\n", "| a | b\n|-|-|\n| *c | d*", "[a](https://b.example/(c)) ![d](e)", "**a _b** c_ ``d` ~~e",
		"1) a\n\n\n   b\n2) c\n* d", "> - > 1. a\nb\n---\nc", "\\[a\\](https://x.example)<https://y.example>&#x61;&notit;", "\ta\n    b\nc",
		"[[[[[[[[[[[[[[](](](](](", "*a **b *c **d *e **f", "- a\n - b\n  - c\n   - d\n    - e", "<a href=\"javascript:x\">y</a>", "http://[::1]:x/ https://a.example/?q=\"><script>",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		in = strings.ToValidUTF8(in, "\uFFFD") // as texts of transcripts are
		text := parse(t, in, Markdown(nil, in))
		// Character references may stand for other letters.
		if !strings.Contains(in, "&") && !isWithin(letters(in), letters(text)) && !reordered(in) {
			t.Fatalf("%q lost letters: %q", in, text)
		}
	})
}

// reordered reports whether a text has links, of which the words come before the address.
func reordered(in string) bool { return strings.Contains(in, "](") }

func FuzzCode(f *testing.F) {
	for name := range keywords {
		f.Add(name, "func f(x int) { return \"a\\\"b\" + 'c' /* d */ // e\n# f\n-- g\n1.5e3 `h\ni`")
	}
	f.Fuzz(func(t *testing.T, name, code string) {
		code = strings.Map(func(r rune) rune {
			if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
				return -1
			}
			return r
		}, strings.ToValidUTF8(code, "\uFFFD"))
		if got := parse(t, code, Code(nil, Language(name), code)); html.UnescapeString(got) != html.UnescapeString(code) && got != code {
			t.Fatalf("%q became %q", code, got)
		}
	})
}

func TestDiff(t *testing.T) {
	got := string(Diff(nil, "a.txt", []view.Hunk{{OldStart: 7, NewStart: 7, Lines: []string{" same", "-the old one", "+the new one", "+more"}}}))
	want := `<table class="diff"><tbody>
<tr><td>7</td><td>7</td><td></td><td>same</td></tr>
<tr class="removed"><td>8</td><td></td><td>−</td><td>the <mark>old</mark> one</td></tr>
<tr class="added"><td></td><td>8</td><td>+</td><td>the <mark>new</mark> one</td></tr>
<tr class="added"><td></td><td>9</td><td>+</td><td>more</td></tr>
</tbody></table>
`
	if got != want {
		t.Errorf("got %s", got)
	}
	if got := string(Diff(nil, "", []view.Hunk{{Lines: []string{"-all of it", "+something else"}}})); strings.Contains(got, "<mark>") {
		t.Errorf("marked what shares nothing: %s", got)
	}
}

func TestOutput(t *testing.T) {
	in := "\x1b[1;31mred\x1b[0m\r\n\x1b]8;;https://a.example\ax\x1b\\ \x1b[2K\x1b"
	if got, want := Output(in), "red\nx "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Marks are shown where they stand in text, also in code, and never within a tag.
func TestSecrets(t *testing.T) {
	marks := map[string]bool{"[github-token:1]": true}
	html := Markdown(nil, "Use [github-token:1], not [github-token:2] or `[github-token:1]`.\n\n```sh\nexport T=[github-token:1]\n```\n")
	html = append(html, `<img alt="[github-token:1]">`...)
	got := string(Secrets(html, marks))
	const chip = `<span class="secret">[github-token:1]</span>`
	if strings.Count(got, chip) != 3 || !strings.Contains(got, `alt="[github-token:1]"`) || strings.Contains(got, `"secret">[github-token:2]`) {
		t.Errorf("%s", got)
	}
	if plain := strings.ReplaceAll(got, chip, "[github-token:1]"); plain != string(html) {
		t.Errorf("something else changed: %s", plain)
	}
}

// A long path breaks after its slashes, and is escaped.
func TestPath(t *testing.T) {
	for path, want := range map[string]string{
		"": "", "/": "/", "a": "a", "/a": "/a", "/a/b.go": "/a/<wbr>b.go", "/a/b/": "/a/<wbr>b/", `C:\x\<y>`: `C:\<wbr>x\<wbr>&lt;y&gt;`,
	} {
		if got := string(Path(nil, path)); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}
