package cli

import (
	"context"

	"sesskeep/internal/host"
	"sesskeep/internal/setup"
	"sesskeep/internal/term"
)

// runSettings lists the settings of the client that take effect here.
func runSettings(ctx context.Context, sh *shell) error {
	a, c, err := sh.catalog(ctx)
	if err != nil {
		return err
	}
	dir := sh.Dir
	if sh.flags.project != "" {
		p, err := sh.scope(c)
		if err != nil {
			return err
		}
		dir = p.Path
	}
	page := a.Setup.Settings(setup.SettingsOptions{Project: dir, Managed: host.ManagedDir()})
	noteUnread(sh, page.Problems)
	return sh.out.print(ctx, listing{
		value: page, items: "settings",
		table: func(s term.Screen) *term.Table {
			t := &term.Table{Screen: s, Columns: []term.Column{
				{Title: "setting", Style: term.Yellow, Min: uncut}, {Title: "value", Flex: true, Min: 20}, {Title: "file", Flex: true, Min: 20}, {Title: "overrides"},
			}}
			for _, set := range page.Settings {
				value, file, over := string(set.Value), set.File, ""
				if set.Hidden {
					value = "(not shown)"
				}
				if s.TTY {
					file = sh.tilde(file)
				}
				if n := len(set.Overridden); n > 0 {
					over = plural(n, "file")
				}
				t.Row(term.Cell{Text: set.Key}, term.Cell{Text: value}, term.Cell{Text: file}, term.Cell{Text: over})
			}
			return t
		},
		footer: plural(page.Total, "setting") + sh.out.gap() + "values that may be secret are not shown",
		empty:  "No settings: the defaults of Claude Code apply.",
	})
}
