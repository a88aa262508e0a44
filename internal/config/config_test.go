package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sesskeep/internal/config"
	"sesskeep/internal/keys"
	"sesskeep/internal/regular"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"a list", "ls.columns = ['cost', \"tags\"]", "1 ls.columns cost,tags"},
		{"a table", "\n[ls]\nsort = 'cost'\nlimit = 30 # rows\n", "3 ls.sort cost|4 ls.limit 30"},
		{"an inline table", "home = {work = '~/w', play = '~/p'}", "1 home.work ~/w|1 home.play ~/p"},
		{"one text is a list", "serve.notify = 'desktop'", "1 serve.notify desktop"},
		{"a number for money", "[run]\nbudget = 2.5", "2 run.budget 2.5"},
		{"keys", "[keys]\nmark-all = ['ctrl+g']", "2 keys.mark-all ctrl+g"},
		{"no pager", "pager = ''", "1 pager "},

		{"unknown key", "\n\n[ls]\ncolums = ['cost']", `4: unknown key "ls.colums": did you mean "ls.columns"?`},
		{"unknown table", "[serch]\n", `1: unknown table "serch": did you mean "search"?`},
		{"unknown table with something in it", "[lss]\nsort = 'cost'", `2: unknown key "lss.sort": did you mean "ls.sort"?`},
		{"unknown word", "color = 'alway'", `1: color: unknown value "alway": did you mean "always"?`},
		{"a word that is like none", "color = 'green'", `1: color: unknown value "green": use one of auto, always, never`},
		{"unknown action", "[keys]\nmark-al = ['x']", `2: unknown key "keys.mark-al": did you mean "keys.mark-all"?`},
		{"unknown colour", "colors.pink = 'red'", `1: unknown key "colors.pink": use one of red, green, yellow, blue, magenta, cyan`},
		{"a name that no home has", "home.'a b' = '~/x'", `1: unknown key "home.a b": a home is named with small letters, digits and dashes`},
		{"wrong type", "ls.limit = 'many'", `1: ls.limit must be a whole number, not negative`},
		{"negative", "ls.limit = -1", `1: ls.limit must be a whole number, not negative`},
		{"a number in a list", "ls.columns = [1]", `1: ls.columns must be a list of texts, such as ["one", "two"]`},
		{"a table for a value", "color = {}", `1: color must be a text, such as "one"`},
		{"an array of tables", "[[ls]]\nsort = 'cost'", `1: unknown key "ls"`},
		{"two tables", "color = 'auto'\n[ls]\nsort='cost'\n[ls]\n", `4: `},
		{"set twice", "color = 'auto'\ncolor = 'never'", `2: `},
		{"no TOML", "color = \n", `1: `},
		{"no key", "[keys]\ntop = []", `2: keys.top must not be empty`},
		{"a key that is none", "[keys]\ntop = ['ctrl+']", `2: keys.top has no key "ctrl+"`},
		{"a key that begins a sequence", "[keys]\narchive = ['d']", `2: keys.archive: "d" begins "d d"`},
		{"its sequence is gone", "[keys]\narchive = ['g']\ntop = ['home']", "2 keys.archive g|3 keys.top home"},
		{"the key that quits", "[keys]\ntop = ['ctrl+c']", `2: keys.top cannot have ctrl+c`},
		{"no size", "keep.quota = 'much'", `1: keep.quota must be a size`},
		{"no place for notices", "serve.notify = ['phone']", `1: serve.notify must name "desktop"`},
		{"a pattern that matches nothing at all", "redact.patterns = ['x*']", `1: redact.patterns must not match an empty text: "x*"`},
		{"a pattern that is none", "redact.patterns = ['(']", `1: redact.patterns has no regular expression: "("`},
		{"an address without a name", "redact.emails = ['@example.com']", `1: redact.emails must name addresses`},
		{"no address", "redact.emails = ['me']", `1: redact.emails must name addresses`},
		{"every address", "redact.emails = ['*']", "1 redact.emails *"},
		{"no days", "doctor.days = 0", `1: doctor.days must be at least 1`},
		{"an empty text", "ls.columns = ['']", `1: ls.columns: unknown value ""`},
		{"an empty path", "home.work = ''", `1: home.work must not be empty`},
		{"two lines", "home.work = \"a\\nb\"", `1: home.work must be one line`},
		{"all problems", "a = 1\nb = 2", `1: unknown key "a"|2: unknown key "b"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			values, problems := config.Parse([]byte(tt.text))
			var got []string
			for _, v := range values {
				got = append(got, strings.TrimSpace(strings.Join([]string{itoa(v.Line), v.Name, strings.Join(v.Texts, ",")}, " ")))
			}
			if len(problems) > 0 {
				got = nil
			}
			for _, p := range problems {
				got = append(got, itoa(p.Line)+": "+p.String())
			}
			all := strings.Join(got, "|")
			if all != strings.TrimSpace(tt.want) && !(len(problems) > 0 && sameStart(got, strings.Split(tt.want, "|"))) {
				t.Errorf("got  %s\nwant %s", all, tt.want)
			}
		})
	}
}

// sameStart reports whether each text begins with its wanted one.
func sameStart(got, want []string) bool {
	return slices.EqualFunc(got, want, strings.HasPrefix)
}

func itoa(n int) string { return string(rune('0' + n)) }

// The file that users begin with is valid, and so is every example in it.
func TestTemplate(t *testing.T) {
	for name, text := range map[string]string{
		"as it is": config.Template(), "with every example": uncommented(config.Template()),
	} {
		values, problems := config.Parse([]byte(text))
		for _, p := range problems {
			t.Errorf("%s: line %d: %s", name, p.Line, p)
		}
		if name == "as it is" && len(values) > 0 {
			t.Errorf("it sets %d values", len(values))
		}
		if name != "as it is" && len(values) < len(config.Keys) {
			t.Errorf("%d values for %d keys", len(values), len(config.Keys))
		}
	}
	for _, k := range config.Keys {
		text := strings.TrimSuffix(k.Name, ".*") + " = " + k.Example
		if k.Default != "" {
			text += "\n" // and the default
			if _, problems := config.Parse([]byte(k.Name + " = " + k.Default)); len(problems) > 0 {
				t.Errorf("%s: its default is no value: %s", k.Name, problems[0])
			}
		}
		if _, problems := config.Parse([]byte(text)); len(problems) > 0 {
			t.Errorf("%s: its example is no value: %s", k.Name, problems[0])
		}
	}
}

// uncommented makes settings of the examples.
func uncommented(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		rest := strings.TrimPrefix(line, "# ")
		if _, problems := config.Parse([]byte(rest)); strings.Contains(rest, " = ") || len(problems) == 0 {
			line = rest
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "")
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "config.toml")
	if c, err := config.Load(path); err != nil || c.Exists || c.Text("color") != "" {
		t.Errorf("no file: %v, %v", c, err)
	}
	write := func(text string, mode os.FileMode) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	write("color = 'never'\n[keys]\ntop = ['t']\n", 0o600)
	c, err := config.Load(path)
	if err != nil || c.Text("color") != "never" || len(c.Bindings()[keys.Top]) != 1 {
		t.Errorf("a file: %v, %v", c, err)
	}
	write("colour = 'never'", 0o600)
	var invalid *config.Error
	if c, err = config.Load(path); !errors.As(err, &invalid) || c.Text("color") != "" {
		t.Errorf("an invalid file: %v, %v", c, err)
	}
	write("# "+strings.Repeat("x", 2<<20), 0o600)
	if c, err = config.Load(path); !errors.Is(err, regular.ErrTooLarge) || c.Text("color") != "" {
		t.Errorf("a large file: %v, %v", c, err)
	}
	write("color = 'never'", 0o660)
	var unsafe *config.UnsafeError
	if c, err = config.Load(path); !errors.As(err, &unsafe) || c.Text("color") != "" {
		t.Errorf("a file that others can write: %v, %v", c, err)
	}
	write("color = 'never'", 0o600)
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err = config.Load(path); !errors.As(err, &unsafe) || unsafe.Path != dir {
		t.Errorf("a directory that others can write: %v", err)
	}
}

// A file of another user says nothing, though nobody else can write it.
func TestLoadOfOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte("color = 'never'"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(path, 12345, -1); err != nil {
		t.Skipf("only root gives a file away: %v", err)
	}
	var unsafe *config.UnsafeError
	if c, err := config.Load(path); !errors.As(err, &unsafe) || c.Text("color") != "" {
		t.Errorf("%v, %v", c, err)
	}
}

func TestDir(t *testing.T) {
	for text, want := range map[string]string{"~/x": "/u/x", "~": "/u", "/a/b": "/a/b", "rel": "/u/rel", "~other/x": "/u/~other/x"} {
		if got := config.Dir(text, "/u"); got != want {
			t.Errorf("Dir(%q) = %q, want %q", text, got, want)
		}
	}
}

// The documentation has the table of keys as it is.
func TestKeysDocumented(t *testing.T) {
	const path = "../../docs/config.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := string(text)
	for mark, table := range map[string]string{"keys": config.Markdown(), "actions": config.Actions()} {
		head, rest, ok := strings.Cut(want, "<!-- "+mark+" -->\n")
		_, tail, end := strings.Cut(rest, "<!-- end -->")
		if !ok || !end {
			t.Fatalf("%s has no place for %s", path, mark)
		}
		want = head + "<!-- " + mark + " -->\n\n" + table + "\n<!-- end -->" + tail
	}
	if want == string(text) {
		return
	}
	if os.Getenv("SESSKEEP_UPDATE") == "" {
		t.Fatalf("%s is not what the table of keys says: run make docs", path)
	}
	if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
