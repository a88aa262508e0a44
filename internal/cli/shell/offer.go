package shell

import (
	"strings"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

// CompleteSessions offers session ids with their titles. Completion is silent
// about errors: they would end up on the command line.
func (sh *Shell) CompleteSessions(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	sh.Out.Flags.Quiet = true
	_, c, err := sh.Catalog(cmd.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	page, _ := c.List(cmd.Context(), ask.Filter{})
	var words []string
	for i := range page.Sessions {
		if r := &page.Sessions[i]; strings.HasPrefix(strings.ToLower(r.ID), strings.ToLower(typed)) {
			words = Offer(words, r.Address(), catalog.NameOf(r))
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// CompleteTrash offers the sessions that lie in the trash.
func CompleteTrash(sh *Shell, cmd *cobra.Command, typed string) ([]string, cobra.ShellCompDirective) {
	sh.Out.Flags.Quiet = true
	a, err := sh.OpenWith(app.Options{})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	page, _ := a.Trash.List(cmd.Context())
	var words []string
	for _, t := range page.Trash {
		if strings.HasPrefix(t.ID, strings.ToLower(typed)) {
			words = Offer(words, t.ID, t.Title)
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// CompleteProjects offers the short names of projects.
func (sh *Shell) CompleteProjects(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	sh.Out.Flags.Quiet = true
	_, c, err := sh.Catalog(cmd.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var words []string
	for _, p := range c.Projects {
		if strings.HasPrefix(p.ID, typed) {
			words = Offer(words, p.ID, p.Path)
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// Offer adds a word with what it stands for. A shell puts words on the command
// line as they are, so that one with control characters is not offered.
func Offer(words []string, word, meaning string) []string {
	if term.Line(word) != word {
		return words
	}
	return append(words, word+"\t"+term.Truncate(term.Line(meaning), 60))
}
