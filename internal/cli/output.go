package cli

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sesskeep/internal/draw"
	"sesskeep/internal/term"

	"github.com/itchyny/gojq"
)

// listing is something a command prints: a value for JSON and a table for
// people. Both are made from the same data.
type listing struct {
	value  any                           // what --json writes
	make   func() (any, error)           // makes value when it is wanted, if that is costly
	items  string                        // name of the list inside value; "" when value is one thing
	table  func(term.Screen) *term.Table // for csv and tsv, and for people when render is nil
	render func(w io.Writer) error
	below  []string // lines below the table, on a terminal
	footer string   // and below those
	empty  string   // instead of an empty table, on a terminal
}

// print writes a listing the way the flags ask for.
func (sh *shell) print(ctx context.Context, l listing) error {
	form, err := sh.form()
	if err != nil {
		return err
	}
	if form == "json" || form == "jsonl" || sh.flags.jq != "" {
		if l.make != nil {
			if l.value, err = l.make(); err != nil {
				return err
			}
		}
	}
	switch {
	case sh.flags.json == "?":
		return sh.printFields(l)
	case sh.flags.jq != "":
		return sh.printJQ(l)
	case form == "json":
		return sh.printJSON(l)
	case form == "jsonl":
		return sh.printLines(l)
	case form == "csv" && l.table != nil:
		return sh.printCSV(l.table(term.Screen{}))
	case l.render != nil && (form != "tsv" || l.table == nil):
		return l.render(sh.page(ctx))
	}
	return sh.printTable(ctx, l, form)
}

// forms are the words --format takes.
var forms = []string{"table", "tsv", "csv", "json", "jsonl"}

// asJSON reports whether a flag of its own asks for JSON.
func (sh *shell) asJSON() bool {
	return sh.flags.json != "" || sh.flags.jsonl || sh.flags.jq != ""
}

func (sh *shell) form() (string, error) {
	switch form := sh.flags.format; {
	case form != "" && !slices.Contains(forms, form):
		return "", usageError{fmt.Sprintf("unknown format %q", form), "use one of " + strings.Join(forms, ", ")}
	case sh.asJSON() && slices.Contains(forms[:3], form):
		return "", usageError{"--format " + form + " cannot be combined with --json, --jsonl or --jq", "leave one of them out"}
	case sh.flags.jsonl:
		return "jsonl", nil
	case sh.flags.json != "":
		return "json", nil
	default:
		return form, nil
	}
}

// tabular reports whether a table is all that is printed.
func (sh *shell) tabular() bool {
	form, err := sh.form()
	return err == nil && !sh.asJSON() && !strings.HasPrefix(form, "json")
}

func (sh *shell) printTable(ctx context.Context, l listing, form string) error {
	screen := sh.screen
	if form == "tsv" {
		screen = term.Screen{}
	}
	t := l.table(screen)
	t.Screen, t.Header = screen, sh.flags.header
	if !t.Screen.TTY {
		return t.Write(sh.Stdout)
	}
	t.Edit("project", projectName(ctx, sh))
	w := sh.page(ctx)
	footer := l.footer
	if t.Len() == 0 && l.empty != "" {
		if _, err := fmt.Fprintln(w, l.empty); err != nil {
			return err
		}
		footer = ""
	} else if err := t.Write(w); err != nil {
		return err
	}
	for _, line := range l.below {
		if _, err := fmt.Fprintln(w, strings.ReplaceAll(term.Line(line), draw.Unicode.Gap, sh.gap())); err != nil {
			return err
		}
	}
	if footer == "" || sh.flags.quiet {
		return nil
	}
	footer = strings.ReplaceAll(term.Line(footer), draw.Unicode.Gap, sh.gap())
	_, err := fmt.Fprintln(w, sh.screen.Paint(term.Dim, footer))
	return err
}

func (sh *shell) printCSV(t *term.Table) error {
	w := csv.NewWriter(sh.Stdout)
	if err := w.WriteAll(t.Plain()); err != nil {
		return err
	}
	return w.Error()
}

func (sh *shell) printJSON(l listing) error {
	value, err := sh.selected(l)
	if err != nil {
		return err
	}
	return writeJSON(sh.Stdout, value, "  ")
}

func writeJSON(w io.Writer, value any, indent string) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(escape(b.Bytes()))
	return err
}

// escape writes what a terminal could obey as \u sequences: JSON allows them
// everywhere a rune can be, and means the same. Bytes that are not UTF-8, which
// can come with raw values, become U+FFFD.
func escape(doc []byte) []byte {
	var out []byte
	saved := 0 // doc[:saved] is in out
	for i := 0; i < len(doc); {
		r, size := utf8.DecodeRune(doc[i:])
		if invalid := r == utf8.RuneError && size == 1; invalid || commands(r) {
			out = fmt.Appendf(append(out, doc[saved:i]...), `\u%04x`, r)
			saved = i + size
		}
		i += size
	}
	if saved == 0 {
		return doc
	}
	return append(out, doc[saved:]...)
}

// commands reports whether a terminal takes the rune for more than a sign: C1
// controls and those that turn the direction of text. C0 is escaped already.
func commands(r rune) bool {
	return r >= 0x7f && r <= 0x9f || unicode.Is(unicode.Bidi_Control, r)
}

// printLines writes one item a line.
func (sh *shell) printLines(l listing) error {
	value, err := sh.selected(l)
	if err != nil {
		return err
	}
	for _, item := range l.each(value) {
		if err := writeJSON(sh.Stdout, item, ""); err != nil {
			return err
		}
	}
	return nil
}

// each takes the items out of a value, which is l's or one with less fields.
func (l listing) each(value any) []any {
	if l.items == "" {
		return []any{value}
	}
	if m, ok := value.(map[string]any); ok {
		items, _ := m[l.items].([]any)
		return items
	}
	v := reflect.ValueOf(value)
	f, ok := fieldNamed(v.Type(), l.items)
	if !ok {
		return nil
	}
	list := v.FieldByIndex(f.Index)
	items := make([]any, list.Len())
	for i := range items {
		items[i] = list.Index(i).Interface()
	}
	return items
}

// selected is the value with only the fields that --json names.
func (sh *shell) selected(l listing) (any, error) {
	if sh.flags.json == "*" || sh.flags.json == "" {
		return l.value, nil
	}
	names := strings.Split(sh.flags.json, ",")
	known := l.fields()
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
		if !slices.Contains(known, names[i]) {
			return nil, usageError{fmt.Sprintf("--json: no field %q", names[i]), "fields: " + strings.Join(known, ", ")}
		}
	}
	plain, err := generic(l.value)
	if err != nil {
		return nil, err
	}
	whole, _ := plain.(map[string]any)
	if l.items == "" {
		return pick(whole, names), nil
	}
	list, _ := whole[l.items].([]any)
	for i := range list {
		if item, ok := list[i].(map[string]any); ok {
			list[i] = pick(item, names)
		}
	}
	return whole, nil
}

func pick(item map[string]any, names []string) map[string]any {
	out := map[string]any{}
	for _, name := range names {
		if v, ok := item[name]; ok {
			out[name] = v
		}
	}
	return out
}

// generic turns a value into what its JSON says.
func generic(value any) (any, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var plain any
	err = dec.Decode(&plain)
	return plain, err
}

func (sh *shell) printFields(l listing) error {
	for _, name := range l.fields() {
		if _, err := fmt.Fprintln(sh.Stdout, name); err != nil {
			return err
		}
	}
	return nil
}

// fields are the names of an item's JSON fields.
func (l listing) fields() []string {
	t := reflect.TypeOf(l.value)
	if l.items != "" {
		f, ok := fieldNamed(t, l.items)
		if !ok {
			return nil
		}
		t = f.Type.Elem()
	}
	return jsonNames(t)
}

func fieldNamed(t reflect.Type, name string) (reflect.StructField, bool) {
	for f := range t.Fields() {
		if jsonName(f) == name {
			return f, true
		}
	}
	return reflect.StructField{}, false
}

func jsonNames(t reflect.Type) []string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	var names []string
	for f := range t.Fields() {
		switch name := jsonName(f); {
		case f.Anonymous && name == "":
			names = append(names, jsonNames(f.Type)...)
		case name != "":
			names = append(names, name)
		}
	}
	return names
}

// jsonName is the field's name in JSON, or "" if it has none of its own.
func jsonName(f reflect.StructField) string {
	tag, ok := f.Tag.Lookup("json")
	name, _, _ := strings.Cut(tag, ",")
	if !f.IsExported() || !ok || name == "-" {
		return ""
	}
	return name
}

// printJQ runs the jq expression over what --json would write.
func (sh *shell) printJQ(l listing) error {
	value, err := sh.selected(l)
	if err != nil {
		return err
	}
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	var plain any
	if err := json.Unmarshal(data, &plain); err != nil {
		return err
	}
	return sh.filterJSON(plain)
}

// filterJSON runs the jq expression over a value; strings are written bare.
func (sh *shell) filterJSON(plain any) error {
	query, err := gojq.Parse(sh.flags.jq)
	if err != nil {
		return usageError{"--jq: " + err.Error(), "see the jq manual for the language"}
	}
	for results := query.Run(plain); ; {
		v, ok := results.Next()
		if !ok {
			return nil
		}
		if err, ok := v.(error); ok {
			return usageError{"--jq: " + err.Error(), "the value is what --json writes"}
		}
		if s, ok := v.(string); ok {
			if sh.screen.TTY {
				s = term.Clean(s)
			}
			if _, err := fmt.Fprintln(sh.Stdout, s); err != nil {
				return err
			}
			continue
		}
		if err := writeJSON(sh.Stdout, v, ""); err != nil {
			return err
		}
	}
}
