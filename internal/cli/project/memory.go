package project

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/setup"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

func memoryCommand(sh *shell.Shell) *cobra.Command {
	cmd := projectVerb(sh, "memory", "Show what Claude reads in every session of a project", runProjectMemory)
	cmd.Long = `Show what Claude reads in every session of a project: the CLAUDE.md of its home, those
of the project's directory, and the notes that Claude keeps about the project itself.`
	return cmd
}

func runProjectMemory(ctx context.Context, sh *shell.Shell, a *app.App, p *ask.Project) error {
	m := a.Setup.Memory(p)
	l := output.Listing{Value: m, Items: "files", Table: func(s term.Screen) *term.Table { return memoryTable(s, &m) }}
	if sh.Out.Flags.Format == "" || sh.Out.Flags.Format == "table" {
		l.Render = func(w io.Writer) error { return writeMemory(w, sh.Out.Screen, &m) }
	}
	return sh.Out.Print(ctx, l)
}

func memoryTable(s term.Screen, m *setup.Memory) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{{Title: "scope"}, {Title: "file"}, {Title: "size", Right: true}, {Title: "error"}}}
	for _, f := range m.Files {
		t.Row(output.Cells([]string{f.Scope, f.Path, strconv.Itoa(len(f.Text)), f.Error})...)
	}
	return t
}

// writeMemory writes the files one after another, each under its path.
func writeMemory(w io.Writer, s term.Screen, m *setup.Memory) error {
	out := bufio.NewWriter(w)
	if len(m.Files) == 0 {
		fmt.Fprintln(out, "Claude reads nothing about this project: there is no CLAUDE.md, and it keeps no notes.")
	}
	for i, f := range m.Files {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintln(out, s.Paint(term.Bold, term.Line(f.Path)))
		if f.Error != "" {
			fmt.Fprintln(out, s.Paint(term.Red, "cannot be read: "+term.Line(f.Error)))
			continue
		}
		fmt.Fprintln(out, strings.TrimRight(term.Clean(f.Text), "\n"))
	}
	return out.Flush()
}
