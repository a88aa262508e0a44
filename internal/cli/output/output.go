// Package output prints the answers of commands.
//
// A Listing is an answer: a value for JSON and a table for people, made from the same data.
// The Printer writes it in the form that the flags ask for: a table, tab- or
// comma-separated values, JSON, or the result of a jq expression. Words are the small texts
// that tables are made of; a Checklist is a report of findings.
package output

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/draw"
	"sesskeep/internal/term"

	"github.com/spf13/pflag"
)

// Flags are the flags that say how answers are written.
type Flags struct {
	JSON    string // fields, "*" for all, "" without the flag
	JSONL   bool
	JQ      string
	Format  string
	header  bool
	noColor bool
	ascii   bool
	NoPager bool
	Quiet   bool
}

// Register adds the flags to a set.
func (o *Flags) Register(f *pflag.FlagSet) {
	f.StringVar(&o.JSON, "json", "", "write JSON; --json=`FIELDS` picks some, --json=? lists them")
	f.Lookup("json").NoOptDefVal = "*"
	f.BoolVar(&o.JSONL, "jsonl", false, "write JSON, one item a line")
	f.StringVar(&o.JQ, "jq", "", "filter the JSON with a jq `EXPRESSION`")
	f.StringVar(&o.Format, "format", "", "write a list as `FORM`: table, tsv, csv, json or jsonl")
	f.BoolVar(&o.header, "header", false, "column names when writing tab-separated")
	f.BoolVar(&o.noColor, "no-color", false, "no colours")
	f.BoolVar(&o.ascii, "ascii", false, "plain characters only")
	f.BoolVar(&o.NoPager, "no-pager", false, "do not use a pager")
	f.BoolVarP(&o.Quiet, "quiet", "q", false, "no progress and no hints")
}

// Printer writes the answers of a command to standard output, in the form that the
// flags ask for.
type Printer struct {
	stdout, stderr *term.Exit
	lookup         func(string) (string, bool) // of environment variables
	Flags          Flags
	Limit          int         // most items of a list that the command does not cut itself; 0: all
	Screen         term.Screen // once detect has run
	Palette        term.Palette
	// projectName gives projects the names that people use; nil: lists show their ids.
	ProjectName func(ctx context.Context) func(id string) string

	pager *term.Pager
}

// New makes a printer. Its flags and its screen are set later.
func New(stdout, stderr *term.Exit, lookup func(string) (string, bool)) *Printer {
	return &Printer{stdout: stdout, stderr: stderr, lookup: lookup}
}

func (p *Printer) getenv(name string) string {
	value, _ := p.lookup(name)
	return value
}

// Detect finds out what the output can show. It runs before every command, when
// the flags are known.
func (p *Printer) Detect() {
	p.Screen = term.Detect(p.stdout, p.getenv)
	p.Screen.Palette = p.Palette
	if p.Flags.noColor {
		p.Screen.Color = false
	}
	if p.Flags.ascii {
		p.Screen.ASCII = true
	}
	if p.Flags.Format == "table" && !p.Screen.TTY {
		p.Screen.TTY = true
		p.Screen.Width, _ = strconv.Atoi(p.getenv("COLUMNS"))
	}
}

// Close waits for the pager, and writes what was held back.
func (p *Printer) Close() error {
	var err error
	if p.pager != nil {
		err = p.pager.Close()
	}
	return cmp.Or(err, p.stdout.Flush(), p.stderr.Flush())
}

// Paging reports whether a pager has the terminal.
func (p *Printer) Paging() bool { return p.pager != nil && p.pager.Gone() != nil }

// Gap is the text between two remarks on a line.
func (p *Printer) Gap() string {
	if p.Screen.ASCII {
		return draw.ASCII.Gap
	}
	return draw.Unicode.Gap
}

// page is where long output goes: through a pager on a terminal.
func (p *Printer) page(ctx context.Context) io.Writer {
	if p.Flags.NoPager {
		return p.stdout
	}
	if p.pager == nil {
		p.pager = term.Page(ctx, p.stdout, p.stderr, p.lookup)
	}
	return p.pager
}

// Listing is something a command prints: a value for JSON and a table for
// people. Both are made from the same data.
type Listing struct {
	Value  any                           // what --json writes
	Make   func() (any, error)           // makes value when it is wanted, if that is costly
	Items  string                        // name of the list inside value; "" when value is one thing
	Table  func(term.Screen) *term.Table // for csv and tsv, and for people when render is nil
	Render func(w io.Writer) error
	Rows   bool     // Render is for people only: elsewhere Table is written
	Below  []string // lines below the table, on a terminal
	Footer string   // and below those
	Empty  string   // instead of an empty table, on a terminal
}

// Print writes a listing the way the flags ask for.
func (p *Printer) Print(ctx context.Context, l Listing) error {
	form, err := p.Form()
	if err != nil {
		return err
	}
	if form == "json" || form == "jsonl" || p.Flags.JQ != "" {
		if l.Make != nil {
			if l.Value, err = l.Make(); err != nil {
				return err
			}
		}
	}
	l = p.cut(l)
	switch {
	case p.Flags.JSON == "?":
		return p.PrintFields(l)
	case p.Flags.JQ != "":
		return p.PrintJQ(l)
	case form == "json":
		return p.printJSON(l)
	case form == "jsonl":
		return p.PrintLines(l)
	case form == "csv" && l.Table != nil:
		return p.printCSV(l.Table(term.Screen{}))
	case l.Render != nil && (l.Table == nil || form != "tsv" && !(l.Rows && !p.Screen.TTY)):
		return l.Render(p.page(ctx))
	}
	return p.PrintTable(ctx, l, form)
}

// cut limits a listing to the items that -n asks for. Totals stay those of the whole list,
// and a terminal says how much of it is shown.
func (p *Printer) cut(l Listing) Listing {
	if p.Limit <= 0 || l.Items == "" {
		return l
	}
	l.Value = cutItems(l.Value, l.Items, p.Limit)
	if whole := l.Table; whole != nil {
		l.Table = func(s term.Screen) *term.Table {
			t := whole(s)
			t.Cut(p.Limit)
			return t
		}
		if total := whole(term.Screen{}).Len(); total > p.Limit {
			l.Footer = fmt.Sprintf("%s of %s shown", term.Count(p.Limit), term.Count(total))
		}
	}
	return l
}

// cutItems returns a copy of value whose list has at most n items.
func cutItems(value any, items string, n int) any {
	v := reflect.ValueOf(value)
	if v.Kind() != reflect.Struct {
		return value
	}
	f, ok := fieldNamed(v.Type(), items)
	if !ok || v.FieldByIndex(f.Index).Len() <= n {
		return value
	}
	less := reflect.New(v.Type()).Elem()
	less.Set(v)
	less.FieldByIndex(f.Index).Set(v.FieldByIndex(f.Index).Slice(0, n))
	return less.Interface()
}

// Forms are the words --format takes.
var Forms = []string{"table", "tsv", "csv", "json", "jsonl"}

// JSON reports whether a flag of its own asks for JSON.
func (p *Printer) JSON() bool {
	return p.Flags.JSON != "" || p.Flags.JSONL || p.Flags.JQ != ""
}

// Form is the word of --format, or what --json and --jsonl mean by it; "": the usual form.
func (p *Printer) Form() (string, error) {
	switch form := p.Flags.Format; {
	case form != "" && !slices.Contains(Forms, form):
		return "", fail.Usage(fmt.Sprintf("unknown format %q", form), "use one of "+strings.Join(Forms, ", "))
	case p.JSON() && slices.Contains(Forms[:3], form):
		return "", fail.Usage("--format "+form+" cannot be combined with --json, --jsonl or --jq", "leave one of them out")
	case p.Flags.JSONL:
		return "jsonl", nil
	case p.Flags.JSON != "":
		return "json", nil
	default:
		return form, nil
	}
}

// Tabular reports whether a table is all that is printed.
func (p *Printer) Tabular() bool {
	form, err := p.Form()
	return err == nil && !p.JSON() && !strings.HasPrefix(form, "json")
}

// PrintTable writes a listing as a table, for people or tab-separated.
func (p *Printer) PrintTable(ctx context.Context, l Listing, form string) error {
	screen := p.Screen
	if form == "tsv" {
		screen = term.Screen{}
	}
	t := l.Table(screen)
	t.Screen, t.Header = screen, p.Flags.header
	if !t.Screen.TTY {
		return t.Write(p.stdout)
	}
	if p.ProjectName != nil {
		t.Edit("project", p.ProjectName(ctx))
	}
	w := p.page(ctx)
	footer := l.Footer
	if t.Len() == 0 && l.Empty != "" {
		if _, err := fmt.Fprintln(w, l.Empty); err != nil {
			return err
		}
		footer = ""
	} else if err := t.Write(w); err != nil {
		return err
	}
	for _, line := range l.Below {
		if _, err := fmt.Fprintln(w, strings.ReplaceAll(term.Line(line), draw.Unicode.Gap, p.Gap())); err != nil {
			return err
		}
	}
	if footer == "" || p.Flags.Quiet {
		return nil
	}
	footer = strings.ReplaceAll(term.Line(footer), draw.Unicode.Gap, p.Gap())
	_, err := fmt.Fprintln(w, p.Screen.Paint(term.Dim, footer))
	return err
}

func (p *Printer) printCSV(t *term.Table) error {
	w := csv.NewWriter(p.stdout)
	if err := w.WriteAll(t.Plain()); err != nil {
		return err
	}
	return w.Error()
}

// ForPeople reports whether what is printed is read by a person as it comes.
func (p *Printer) ForPeople() bool {
	form, err := p.Form()
	return err == nil && p.Screen.TTY && (form == "" || form == "table") && p.Flags.JQ == ""
}
