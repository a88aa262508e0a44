package output

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/term"

	"github.com/itchyny/gojq"
)

func (p *Printer) printJSON(l Listing) error {
	value, err := p.Selected(l)
	if err != nil {
		return err
	}
	return WriteAnswer(p.stdout, value, "  ")
}

// SchemaVersion is the version of the JSON that commands write. A new field does not change it; one that is
// renamed or removed, or means something else, does.
const SchemaVersion = 1

// WriteAnswer writes what a command answers as JSON that is safe to show on a terminal. An
// object begins with the version of its form.
func WriteAnswer(w io.Writer, value any, indent string) error {
	text, err := encoded(value, indent)
	if err == nil {
		_, err = w.Write(Escape(versioned(text, indent)))
	}
	return err
}

// versioned adds the version to the text of an object, as its first field.
func versioned(text []byte, indent string) []byte {
	rest, isObject := bytes.CutPrefix(text, []byte("{"))
	if !isObject {
		return text
	}
	lead, colon := "{", ":"
	if indent != "" {
		lead, colon = "{\n"+indent, ": "
	}
	out := fmt.Appendf(nil, `%s"schemaVersion"%s%d`, lead, colon, SchemaVersion)
	switch {
	case rest[0] != '}':
		out = append(out, ',')
	case indent != "":
		out = append(out, '\n')
	}
	return append(out, rest...)
}

// WriteJSON writes a value as JSON that is safe to show on a terminal.
func WriteJSON(w io.Writer, value any, indent string) error {
	text, err := encoded(value, indent)
	if err == nil {
		_, err = w.Write(Escape(text))
	}
	return err
}

// encoded is a value as JSON, with the end of its line.
func encoded(value any, indent string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	err := enc.Encode(value)
	return b.Bytes(), err
}

// Escape writes what a terminal could obey as \u sequences: JSON allows them
// everywhere a rune can be, and means the same. Bytes that are not UTF-8, which
// can come with raw values, become U+FFFD.
func Escape(doc []byte) []byte {
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

// PrintLines writes one item a line, or an answer that is no list on one.
func (p *Printer) PrintLines(l Listing) error {
	value, err := p.Selected(l)
	if err != nil {
		return err
	}
	if l.Items == "" {
		return WriteAnswer(p.stdout, value, "")
	}
	for _, item := range l.each(value) {
		if err := WriteJSON(p.stdout, item, ""); err != nil {
			return err
		}
	}
	return nil
}

// each takes the items out of a list, which is l's value or one with less fields.
func (l Listing) each(value any) []any {
	if m, ok := value.(map[string]any); ok {
		items, _ := m[l.Items].([]any)
		return items
	}
	v := reflect.ValueOf(value)
	f, ok := fieldNamed(v.Type(), l.Items)
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

// Selected is the value with only the fields that --json names.
func (p *Printer) Selected(l Listing) (any, error) {
	if p.Flags.JSON == "*" || p.Flags.JSON == "" {
		return l.Value, nil
	}
	names := strings.Split(p.Flags.JSON, ",")
	known := l.fields()
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
		if !slices.Contains(known, names[i]) {
			return nil, fail.Usage(fmt.Sprintf("--json: no field %q", names[i]), "fields: "+strings.Join(known, ", "))
		}
	}
	plain, err := generic(l.Value)
	if err != nil {
		return nil, err
	}
	whole, _ := plain.(map[string]any)
	if l.Items == "" {
		return pick(whole, names), nil
	}
	list, _ := whole[l.Items].([]any)
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

// PrintFields writes the names of an item's fields, for --json=?.
func (p *Printer) PrintFields(l Listing) error {
	for _, name := range l.fields() {
		if _, err := fmt.Fprintln(p.stdout, name); err != nil {
			return err
		}
	}
	return nil
}

// fields are the names of an item's JSON fields.
func (l Listing) fields() []string {
	t := reflect.TypeOf(l.Value)
	if l.Items != "" {
		f, ok := fieldNamed(t, l.Items)
		if !ok {
			return nil
		}
		t = f.Type.Elem()
	}
	return jsonNames(t)
}

func fieldNamed(t reflect.Type, name string) (reflect.StructField, bool) {
	for f := range t.Fields() {
		if JSONName(f) == name {
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
		switch name := JSONName(f); {
		case f.Anonymous && name == "":
			names = append(names, jsonNames(f.Type)...)
		case name != "":
			names = append(names, name)
		}
	}
	return names
}

// JSONName is the field's name in JSON, or "" if it has none of its own.
func JSONName(f reflect.StructField) string {
	tag, ok := f.Tag.Lookup("json")
	name, _, _ := strings.Cut(tag, ",")
	if !f.IsExported() || !ok || name == "-" {
		return ""
	}
	return name
}

// PrintJQ runs the jq expression over what --json would write.
func (p *Printer) PrintJQ(l Listing) error {
	value, err := p.Selected(l)
	if err != nil {
		return err
	}
	text, err := encoded(value, "")
	if err != nil {
		return err
	}
	var plain any
	if err := json.Unmarshal(versioned(text, ""), &plain); err != nil {
		return err
	}
	return p.FilterJSON(plain)
}

// FilterJSON runs the jq expression over a value; strings are written bare.
func (p *Printer) FilterJSON(plain any) error {
	query, err := gojq.Parse(p.Flags.JQ)
	if err != nil {
		return fail.Usage("--jq: "+err.Error(), "see the jq manual for the language")
	}
	for results := query.Run(plain); ; {
		v, ok := results.Next()
		if !ok {
			return nil
		}
		if err, ok := v.(error); ok {
			return fail.Usage("--jq: "+err.Error(), "the value is what --json writes")
		}
		if s, ok := v.(string); ok {
			if p.Screen.TTY {
				s = term.Clean(s)
			}
			if _, err := fmt.Fprintln(p.stdout, s); err != nil {
				return err
			}
			continue
		}
		if err := WriteJSON(p.stdout, v, ""); err != nil {
			return err
		}
	}
}
