package shell

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/query"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// NoArgs and oneArg check arguments with a message of ours.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := `run "` + cmd.CommandPath() + ` --help"`
	if meant := commandsLike(cmd, args[0]); len(meant) > 0 {
		hint = `did you mean "` + strings.Join(meant, `" or "`) + `"?`
	}
	return fail.Usage(fmt.Sprintf("unknown command or argument %q", args[0]), fieldsHint(cmd, args[0], hint))
}

// OneArg accepts one argument, and calls it what in its errors.
func OneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch len(args) {
		case 0:
			return fail.Usage("which "+what+"?", "usage: "+cmd.UseLine())
		case 1:
			return nil
		}
		return fail.Usage(fmt.Sprintf("give one %s, not %d", what, len(args)), fieldsHint(cmd, args[len(args)-1], "usage: "+cmd.UseLine()))
	}
}

// MaybeArg allows one argument.
func MaybeArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return OneArg(what)(cmd, args)
	}
}

// commandsLike is what somebody who typed word behind cmd may have meant: the
// commands of that name one level down, else the one that is spelled nearly so.
func commandsLike(cmd *cobra.Command, word string) []string {
	meant := otherWord(cmd.CommandPath(), word)
	if len(meant) > 0 {
		return meant
	}
	for _, group := range cmd.Commands() {
		for _, sub := range group.Commands() {
			if sub.Name() == word && !group.Hidden && !sub.Hidden {
				meant = append(meant, sub.CommandPath())
			}
		}
	}
	if len(meant) > 0 {
		return meant
	}
	// Short words are near to everything: less than half may be wrong.
	cmd.SuggestionsMinimumDistance = max(1, min(2, (len(word)-1)/2))
	if near := cmd.SuggestionsFor(word); len(near) > 0 {
		meant = append(meant, cmd.CommandPath()+" "+near[0])
	}
	return meant
}

// fieldsHint is the hint for an argument that was meant as the value of --json.
func fieldsHint(cmd *cobra.Command, arg, hint string) string {
	if cmd.Flags().Changed("json") && cmd.Flag("json").Value.String() == cmd.Flag("json").NoOptDefVal {
		return "to choose fields write --json=" + arg
	}
	return hint
}

// FlagError says what is wrong with a flag without naming the functions of Go
// that found out.
func FlagError(cmd *cobra.Command, err error) error {
	text, _, _ := strings.Cut(err.Error(), `: strconv.`)
	if cmd.Name() == "search" && strings.HasPrefix(text, "unknown") {
		return fail.Usage(text, `a query that begins with "-" goes behind "--": sesskeep search -- "-retry half"`)
	}
	hint := `run "` + cmd.CommandPath() + ` --help"`
	if name, ok := strings.CutPrefix(text, "unknown flag: --"); ok {
		if near := flagLike(cmd, name); near != "" {
			hint = "did you mean --" + near + "?"
		}
	}
	return fail.Usage(text, hint)
}

// flagLike is the flag of a command that is spelled most like name; "": none is near.
func flagLike(cmd *cobra.Command, name string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && !refuses(cmd, f) {
			names = append(names, f.Name)
		}
	})
	near, _ := query.Nearest(name, names)
	return near
}

// AddressCommand is a command about one session.
func AddressCommand(sh *Shell, use, short string, run func(ctx context.Context, address string) error) *cobra.Command {
	return &cobra.Command{
		Use: use + " ADDRESS", Short: short, Args: OneArg("session"),
		ValidArgsFunction: sh.CompleteSessions,
		RunE:              func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), args[0]) },
	}
}

// Complete offers words as the value of a flag.
func Complete(cmd *cobra.Command, flag string, words ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// OneOf checks a flag that takes one of some words.
func OneOf(flag, value string, words ...string) error {
	if value == "" || slices.Contains(words, value) {
		return nil
	}
	return fail.Usage(fmt.Sprintf("--%s: unknown value %q", flag, value), "use one of "+strings.Join(words, ", "))
}

// Dashed is a state as flags take it; lists write it with a blank.
func Dashed(state string) string { return strings.Join(strings.Fields(state), "-") }
