package list

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/query"

	"github.com/spf13/cobra"
)

// chosenFlags are the flags that choose sessions by their fields, by name. The table of
// fields says which there are.
type chosenFlags map[string]*chosenFlag

// chosenFlag is the value of one of them.
type chosenFlag struct {
	field *ask.Field
	text  string
}

// String is the value as it was given.
func (v *chosenFlag) String() string { return v.text }

// Type is what stands for a value in help.
func (v *chosenFlag) Type() string { return v.field.Choice.Value }

// TakesText marks the flag as one whose value may not be empty.
func (v *chosenFlag) TakesText() {}

// Set accepts a value. States given twice are two states, as with a comma between.
func (v *chosenFlag) Set(text string) error {
	if v.field.Name == "state" && v.text != "" {
		text = v.text + "," + text
	}
	v.text = text
	return nil
}

// FieldFlags are the names of the flags that choose by a field.
func FieldFlags() (names []string) {
	for _, f := range ask.Chosen(func(c *ask.Choice) string { return c.Flag }) {
		names = append(names, f.Choice.Flag)
	}
	return names
}

// register adds the flags to a command.
func (c chosenFlags) register(cmd *cobra.Command) {
	for _, f := range ask.Chosen(func(c *ask.Choice) string { return c.Flag }) {
		c[f.Choice.Flag] = &chosenFlag{field: f}
		cmd.Flags().Var(c[f.Choice.Flag], f.Choice.Flag, f.Choice.FlagText())
		if words := flagWords(f); words != nil {
			shell.Complete(cmd, f.Choice.Flag, words...)
		}
	}
}

// flagWords are the values that a flag takes; nil: any.
func flagWords(f *ask.Field) []string {
	switch f.Name {
	case "source":
		words := slices.Clone(f.Choice.Words)
		return slices.Insert(words, len(words)-1, string(ask.FromDuplicate)) // which only this front lists
	case "state":
		return ask.Dashed(ask.States)
	}
	return f.Choice.Words
}

// Text is the value of a flag; empty: it was not given.
func (c chosenFlags) Text(flag string) string {
	if v := c[flag]; v != nil {
		return v.text
	}
	return ""
}

// filter puts the values of all flags into a filter, except the address of a parent, which
// has to be resolved first.
func (c chosenFlags) filter(f *ask.Filter) error {
	for _, field := range ask.Chosen(func(c *ask.Choice) string { return c.Flag }) {
		if err := c.check(field); err != nil {
			return err
		}
		if field.Choice.Plain() {
			f.SetField(field.Name, c.Text(field.Choice.Flag))
		}
	}
	f.Source, f.Branch, f.Model = c.Text("source"), c.Text("branch"), c.Text("model")
	if states := c.Text("state"); states != "" {
		f.States = strings.Split(states, ",")
	}
	if c.Text("parent") != "" && f.Source == "" {
		f.Source = ask.AllSources
	}
	return nil
}

// check refuses a word that a flag does not take.
func (c chosenFlags) check(f *ask.Field) error {
	flag := f.Choice.Flag
	words, value := flagWords(f), c.Text(flag)
	switch {
	case value == "":
		return nil
	case f.Name == "state":
		for word := range strings.SplitSeq(value, ",") {
			if err := shell.OneOf(flag, cmp.Or(shell.Dashed(word), "?"), words...); err != nil {
				return err
			}
		}
		return nil
	case words != nil:
		return shell.OneOf(flag, value, words...)
	}
	if err := f.Choice.Check(flag, value); err != nil {
		return fail.Usage("--"+flag+": "+err.Error(), "see sesskeep search --help for ranges")
	}
	return nil
}

// ParseQuery reads the search language.
func ParseQuery(sh *shell.Shell, text string) (query.Q, error) {
	q, err := query.Parse(text, sh.Now())
	var bad *query.Error
	if errors.As(err, &bad) {
		return q, fail.Usage(bad.Error(), bad.Hint)
	}
	return q, err
}

// Register adds the flags that choose sessions.
func (o *Options) Register(cmd *cobra.Command) {
	o.Chosen = chosenFlags{}
	o.Chosen.register(cmd)
	f := cmd.Flags()
	f.StringVar(&o.Filter, "filter", "", "only sessions that match `QUERY`, in the search language: 'tag:later size:>1M'")
	f.BoolVar(&o.archived, "archived", false, "only archived sessions")
}

// Filter turns the flags into the filter of a list. The project and the parent are left to
// ChooseProject.
func Filter(sh *shell.Shell, o Options) (ask.Filter, error) {
	f := ask.Filter{Sort: o.sort, Limit: sh.Flags.Limit, Cursor: sh.Flags.Cursor, Now: sh.Now()}
	if sh.Flags.Limit < 0 {
		return f, fail.Usage("--limit must not be negative", "leave it out to see all")
	}
	if err := o.Chosen.filter(&f); err != nil {
		return f, err
	}
	if err := shell.OneOf("sort", strings.TrimPrefix(o.sort, "-"), ask.SortsPriced...); err != nil {
		return f, err
	}
	for _, word := range o.columns {
		if err := shell.OneOf("columns", cmp.Or(word, "?"), lsColumns...); err != nil {
			return f, err
		}
	}
	if o.archived {
		f.Archived = ask.ArchivedOnly
	}
	q, err := ParseQuery(sh, o.Filter)
	if err != nil {
		return f, err
	}
	catalog.Demand(&f, q)
	f.Since, f.Until, err = sh.Span()
	return f, err
}

// ChooseProject puts the projects in question and the parent into a filter.
func ChooseProject(ctx context.Context, sh *shell.Shell, a *app.App, filter *ask.Filter, parent string) (c *catalog.Snapshot, scope catalog.Scope, err error) {
	if c, err = a.Catalog.Snapshot(ctx); err != nil {
		return nil, scope, err
	}
	if scope, err = sh.Scope(c); err != nil {
		return nil, scope, err
	}
	filter.Projects = scope.IDs()
	if parent == "" {
		return c, scope, nil
	}
	t, err := a.Catalog.Find(ctx, parent)
	if err != nil {
		return nil, scope, err
	}
	filter.Parent, filter.In = string(t.Ref.Session), t.Store.Root()
	return c, scope, nil
}

// Options are the flags that choose sessions, and those of "ls" for their order and columns.
type Options struct {
	Chosen   chosenFlags
	Filter   string
	archived bool

	sort    string
	columns []string
}
