package show

import (
	"context"
	"fmt"
	"strconv"

	"sesskeep/internal/app"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/reading"
	"sesskeep/internal/term"
)

// runAudit lists what becomes of every record of a file when it is shown.
func runAudit(ctx context.Context, sh *shell.Shell, a *app.App, t catalog.Target, o showOptions) error {
	session, err := a.Catalog.Read(ctx, catalog.Target{Store: t.Store, Ref: t.Ref})
	if err != nil {
		return err
	}
	defer session.Close()
	leaf := t.Leaf
	if t.Inline != "" {
		leaf = "" // it is of the agent, and the file is that of the session
	}
	audit, err := session.Audit(ctx, leaf)
	if err != nil {
		return err
	}
	l := output.Listing{
		Value: audit, Items: "records",
		Table: func(s term.Screen) *term.Table { return fateTable(s, audit) },
		Footer: fmt.Sprintf("%s of %s, all %s of the file accounted for", output.Plural(audit.Records, "record"),
			t.Ref.ID()+t.Suffix, term.Bytes(audit.Size)),
	}
	if o.verbose {
		l.Table = func(s term.Screen) *term.Table { return recordTable(s, audit) }
	}
	return sh.Out.Print(ctx, l)
}

// fateTable has a row for each fate and reason.
func fateTable(s term.Screen, a reading.Audit) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "fate", Style: term.Yellow}, {Title: "why", Flex: true}, {Title: "records", Right: true}, {Title: "size", Right: true},
	}}
	for _, f := range a.Fates {
		size := strconv.FormatInt(f.Size, 10)
		if s.TTY {
			size = term.Bytes(f.Size)
		}
		t.Row(term.Cell{Text: string(f.Fate)}, term.Cell{Text: f.Why}, term.Cell{Text: strconv.Itoa(f.Records)}, term.Cell{Text: size})
	}
	return t
}

// recordTable has a row for each record and each damaged place.
func recordTable(s term.Screen, a reading.Audit) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "line", Right: true}, {Title: "offset", Right: true}, {Title: "size", Right: true}, {Title: "kind"},
		{Title: "fate", Style: term.Yellow}, {Title: "where"}, {Title: "why", Flex: true},
	}}
	for _, r := range a.Stretches {
		t.Row(term.Cell{Text: strconv.Itoa(r.Line)}, term.Cell{Text: strconv.FormatInt(r.Offset, 10)}, term.Cell{Text: strconv.FormatInt(r.Length, 10)},
			term.Cell{Text: r.Kind}, term.Cell{Text: string(r.Fate)}, term.Cell{Text: r.Where}, term.Cell{Text: r.Why})
	}
	return t
}
