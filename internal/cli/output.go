package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"sesskeep/internal/draw"
	"sesskeep/internal/term"

	"github.com/itchyny/gojq"
	"github.com/spf13/pflag"
)

// printFlags are the flags that say how answers are written.
type printFlags struct {
	json    string // fields, "*" for all, "" without the flag
	jsonl   bool
	jq      string
	format  string
	header  bool
	noColor bool
	ascii   bool
	noPager bool
	quiet   bool
}

func (o *printFlags) register(f *pflag.FlagSet) {
	f.StringVar(&o.json, "json", "", "write JSON; --json=`FIELDS` picks some, --json=? lists them")
	f.Lookup("json").NoOptDefVal = "*"
	f.BoolVar(&o.jsonl, "jsonl", false, "write JSON, one item a line")
	f.StringVar(&o.jq, "jq", "", "filter the JSON with a jq `EXPRESSION`")
	f.StringVar(&o.format, "format", "", "write a list as `FORM`: table, tsv, csv, json or jsonl")
	f.BoolVar(&o.header, "header", false, "column names when writing tab-separated")
	f.BoolVar(&o.noColor, "no-color", false, "no colours")
	f.BoolVar(&o.ascii, "ascii", false, "plain characters only")
	f.BoolVar(&o.noPager, "no-pager", false, "do not use a pager")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "no progress and no hints")
}

// printer writes the answers of a command to standard output, in the form that the
// flags ask for.
type printer struct {
	stdout, stderr *term.Exit
	lookup         func(string) (string, bool) // of environment variables
	flags          printFlags
	screen         term.Screen // once detect has run
	// projectName gives projects the names that people use; nil: lists show their ids.
	projectName func(ctx context.Context) func(id string) string

	pager *term.Pager
}

func newPrinter(stdout, stderr *term.Exit, lookup func(string) (string, bool)) *printer {
	return &printer{stdout: stdout, stderr: stderr, lookup: lookup}
}

func (p *printer) getenv(name string) string {
	value, _ := p.lookup(name)
	return value
}

// detect finds out what the output can show. It runs before every command, when
// the flags are known.
func (p *printer) detect() {
	p.screen = term.Detect(p.stdout, p.getenv)
	if p.flags.noColor {
		p.screen.Color = false
	}
	if p.flags.ascii {
		p.screen.ASCII = true
	}
	if p.flags.format == "table" && !p.screen.TTY {
		p.screen.TTY = true
		p.screen.Width, _ = strconv.Atoi(p.getenv("COLUMNS"))
	}
}

// close waits for the pager, and writes what was held back.
func (p *printer) close() error {
	var err error
	if p.pager != nil {
		err = p.pager.Close()
	}
	return cmp.Or(err, p.stdout.Flush(), p.stderr.Flush())
}

// paging reports whether a pager has the terminal.
func (p *printer) paging() bool { return p.pager != nil && p.pager.Gone() != nil }

// gap stands between two remarks.
func (p *printer) gap() string {
	if p.screen.ASCII {
		return draw.ASCII.Gap
	}
	return draw.Unicode.Gap
}

// page is where long output goes: through a pager on a terminal.
func (p *printer) page(ctx context.Context) io.Writer {
	if p.flags.noPager {
		return p.stdout
	}
	if p.pager == nil {
		p.pager = term.Page(ctx, p.stdout, p.stderr, p.lookup)
	}
	return p.pager
}

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
func (p *printer) print(ctx context.Context, l listing) error {
	form, err := p.form()
	if err != nil {
		return err
	}
	if form == "json" || form == "jsonl" || p.flags.jq != "" {
		if l.make != nil {
			if l.value, err = l.make(); err != nil {
				return err
			}
		}
	}
	switch {
	case p.flags.json == "?":
		return p.printFields(l)
	case p.flags.jq != "":
		return p.printJQ(l)
	case form == "json":
		return p.printJSON(l)
	case form == "jsonl":
		return p.printLines(l)
	case form == "csv" && l.table != nil:
		return p.printCSV(l.table(term.Screen{}))
	case l.render != nil && (form != "tsv" || l.table == nil):
		return l.render(p.page(ctx))
	}
	return p.printTable(ctx, l, form)
}

// forms are the words --format takes.
var forms = []string{"table", "tsv", "csv", "json", "jsonl"}

// asJSON reports whether a flag of its own asks for JSON.
func (p *printer) asJSON() bool {
	return p.flags.json != "" || p.flags.jsonl || p.flags.jq != ""
}

func (p *printer) form() (string, error) {
	switch form := p.flags.format; {
	case form != "" && !slices.Contains(forms, form):
		return "", failUsage(fmt.Sprintf("unknown format %q", form), "use one of "+strings.Join(forms, ", "))
	case p.asJSON() && slices.Contains(forms[:3], form):
		return "", failUsage("--format "+form+" cannot be combined with --json, --jsonl or --jq", "leave one of them out")
	case p.flags.jsonl:
		return "jsonl", nil
	case p.flags.json != "":
		return "json", nil
	default:
		return form, nil
	}
}

// tabular reports whether a table is all that is printed.
func (p *printer) tabular() bool {
	form, err := p.form()
	return err == nil && !p.asJSON() && !strings.HasPrefix(form, "json")
}

func (p *printer) printTable(ctx context.Context, l listing, form string) error {
	screen := p.screen
	if form == "tsv" {
		screen = term.Screen{}
	}
	t := l.table(screen)
	t.Screen, t.Header = screen, p.flags.header
	if !t.Screen.TTY {
		return t.Write(p.stdout)
	}
	if p.projectName != nil {
		t.Edit("project", p.projectName(ctx))
	}
	w := p.page(ctx)
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
		if _, err := fmt.Fprintln(w, strings.ReplaceAll(term.Line(line), draw.Unicode.Gap, p.gap())); err != nil {
			return err
		}
	}
	if footer == "" || p.flags.quiet {
		return nil
	}
	footer = strings.ReplaceAll(term.Line(footer), draw.Unicode.Gap, p.gap())
	_, err := fmt.Fprintln(w, p.screen.Paint(term.Dim, footer))
	return err
}

func (p *printer) printCSV(t *term.Table) error {
	w := csv.NewWriter(p.stdout)
	if err := w.WriteAll(t.Plain()); err != nil {
		return err
	}
	return w.Error()
}

func (p *printer) printJSON(l listing) error {
	value, err := p.selected(l)
	if err != nil {
		return err
	}
	return writeJSON(p.stdout, value, "  ")
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
func (p *printer) printLines(l listing) error {
	value, err := p.selected(l)
	if err != nil {
		return err
	}
	for _, item := range l.each(value) {
		if err := writeJSON(p.stdout, item, ""); err != nil {
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
func (p *printer) selected(l listing) (any, error) {
	if p.flags.json == "*" || p.flags.json == "" {
		return l.value, nil
	}
	names := strings.Split(p.flags.json, ",")
	known := l.fields()
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
		if !slices.Contains(known, names[i]) {
			return nil, failUsage(fmt.Sprintf("--json: no field %q", names[i]), "fields: "+strings.Join(known, ", "))
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

func (p *printer) printFields(l listing) error {
	for _, name := range l.fields() {
		if _, err := fmt.Fprintln(p.stdout, name); err != nil {
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
func (p *printer) printJQ(l listing) error {
	value, err := p.selected(l)
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
	return p.filterJSON(plain)
}

// filterJSON runs the jq expression over a value; strings are written bare.
func (p *printer) filterJSON(plain any) error {
	query, err := gojq.Parse(p.flags.jq)
	if err != nil {
		return failUsage("--jq: "+err.Error(), "see the jq manual for the language")
	}
	for results := query.Run(plain); ; {
		v, ok := results.Next()
		if !ok {
			return nil
		}
		if err, ok := v.(error); ok {
			return failUsage("--jq: "+err.Error(), "the value is what --json writes")
		}
		if s, ok := v.(string); ok {
			if p.screen.TTY {
				s = term.Clean(s)
			}
			if _, err := fmt.Fprintln(p.stdout, s); err != nil {
				return err
			}
			continue
		}
		if err := writeJSON(p.stdout, v, ""); err != nil {
			return err
		}
	}
}

// forPeople reports whether what is printed is read by a person as it comes.
func (p *printer) forPeople() bool {
	form, err := p.form()
	return err == nil && p.screen.TTY && (form == "" || form == "table") && p.flags.jq == ""
}
