package doctor

import (
	"cmp"
	"context"
	"strings"

	"sesskeep/claudehome"
	"sesskeep/internal/cli/keep"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/host"
	"sesskeep/internal/setup"
	"sesskeep/internal/term"
)

// hiddenValue stands for a value that is not shown: the programs that it makes the client
// run, of a hook with what it is for.
func hiddenValue(programs []claudehome.Program) string {
	var list []string
	for _, p := range programs {
		list = append(list, output.Joined(": ", p.Matcher, cmp.Or(p.Name, "?")))
	}
	if len(list) == 0 {
		return "(not shown)"
	}
	return "runs " + strings.Join(list, ", ") + " (arguments not shown)"
}

// runSettings lists the settings of the client that take effect here.
func runSettings(ctx context.Context, sh *shell.Shell) error {
	a, c, err := sh.Catalog(ctx)
	if err != nil {
		return err
	}
	dir := sh.Dir
	if sh.Flags.Project != "" {
		p, err := sh.OneProject(c)
		if err != nil {
			return err
		}
		dir = p.Path
	}
	page := a.Setup.Settings(setup.SettingsOptions{Project: dir, Managed: host.ManagedDir()})
	keep.NoteUnread(sh, page.Problems)
	return sh.Out.Print(ctx, output.Listing{
		Value: page, Items: "settings",
		Table: func(s term.Screen) *term.Table {
			t := &term.Table{Screen: s, Columns: []term.Column{
				{Title: "setting", Style: term.Yellow, Min: output.Uncut}, {Title: "value", Flex: true, Min: 20}, {Title: "file", Flex: true, Min: 20}, {Title: "overrides"},
			}}
			for _, set := range page.Settings {
				value, file, over := string(set.Value), set.File, ""
				if set.Hidden {
					value = hiddenValue(set.Programs)
				}
				if s.TTY {
					file = sh.Tilde(file)
				}
				if n := len(set.Overridden); n > 0 {
					over = output.Plural(n, "file")
				}
				t.Row(term.Cell{Text: set.Key}, term.Cell{Text: value}, term.Cell{Text: file}, term.Cell{Text: over})
			}
			return t
		},
		Footer: output.Plural(page.Total, "setting") + sh.Out.Gap() + "values that may be secret are not shown",
		Empty:  "No settings: the defaults of Claude Code apply.",
	})
}
