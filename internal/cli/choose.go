package cli

import (
	"cmp"
	"slices"
	"strings"

	"sesskeep/internal/ask"

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

// Set takes a value. States given twice are two states, as with a comma between.
func (v *chosenFlag) Set(text string) error {
	if v.field.Name == "state" && v.text != "" {
		text = v.text + "," + text
	}
	v.text = text
	return nil
}

// fieldFlags are the names of the flags that choose by a field.
func fieldFlags() (names []string) {
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
			complete(cmd, f.Choice.Flag, words...)
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

// text is the value of a flag; empty: it was not given.
func (c chosenFlags) text(flag string) string {
	if v := c[flag]; v != nil {
		return v.text
	}
	return ""
}

// filter puts the values of all flags into a filter. An address of a parent is left to
// who can look for it.
func (c chosenFlags) filter(f *ask.Filter) error {
	for _, field := range ask.Chosen(func(c *ask.Choice) string { return c.Flag }) {
		if err := c.check(field); err != nil {
			return err
		}
		if field.Choice.Plain() {
			f.SetField(field.Name, c.text(field.Choice.Flag))
		}
	}
	f.Source, f.Branch, f.Model = c.text("source"), c.text("branch"), c.text("model")
	if states := c.text("state"); states != "" {
		f.States = strings.Split(states, ",")
	}
	if c.text("parent") != "" && f.Source == "" {
		f.Source = ask.AllSources
	}
	return nil
}

// check refuses a word that a flag does not take.
func (c chosenFlags) check(f *ask.Field) error {
	flag := f.Choice.Flag
	words, value := flagWords(f), c.text(flag)
	switch {
	case value == "":
		return nil
	case f.Name == "state":
		for word := range strings.SplitSeq(value, ",") {
			if err := oneOf(flag, cmp.Or(dashed(word), "?"), words...); err != nil {
				return err
			}
		}
		return nil
	case words != nil:
		return oneOf(flag, value, words...)
	}
	if err := f.Choice.Check(flag, value); err != nil {
		return usageError{"--" + flag + ": " + err.Error(), "see sesskeep search --help for ranges"}
	}
	return nil
}
