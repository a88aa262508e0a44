package show

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/talk"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type filesOptions struct {
	address string
	patch   bool
	at      string
	tree    bool
}

// FilesCommand is "session files".
func FilesCommand(sh *shell.Shell) *cobra.Command {
	var o filesOptions
	cmd := shell.AddressCommand(sh, "files", "List the files a session changed", func(ctx context.Context, address string) error {
		o.address = address
		return runFiles(ctx, sh, o)
	})
	cmd.Long = `List the files that a session and its sub-agents changed with their editing tools, on
all its branches. Changes made by shell commands are not known.

--at shows what these files were before the changes of a prompt, by its id, or at a time:
which were there, their lines, and how sure that is.`
	cmd.Example = "  sesskeep session files 3987\n  sesskeep session files 3987 --patch\n  sesskeep session files 3987 --at 90aef921 --tree"
	cmd.Flags().BoolVar(&o.patch, "patch", false, "show the changes")
	cmd.Flags().StringVar(&o.at, "at", "", "show what the files were before the changes of this `PROMPT`, or at a time")
	cmd.Flags().BoolVar(&o.tree, "tree", false, "with --at: show the files as a tree")
	return cmd
}

// FilePage is what --json writes.
type FilePage struct {
	Root  string             `json:"root"`
	Files []talk.ChangedFile `json:"files"`
	Total int                `json:"total"`
}

func runFiles(ctx context.Context, sh *shell.Shell, o filesOptions) error {
	a, target, err := sh.Find(ctx, o.address)
	if err != nil {
		return err
	}
	list, err := a.Talk.Files(ctx, target)
	if err != nil {
		return err
	}
	if o.tree && o.at == "" {
		return fail.Usage("--tree: at which time?", "for example: --at 90aef921 --tree")
	}
	if o.at != "" {
		return runFilesAt(ctx, sh, a, target, list, o)
	}
	if !o.patch {
		for i := range list {
			list[i].Patches = nil
		}
	}
	l := output.Listing{
		Value: FilePage{target.Store.Root(), list, len(list)}, Items: "files",
		Table:  func(s term.Screen) *term.Table { return fileTable(s, list) },
		Footer: output.Plural(len(list), "file") + " changed by " + target.Ref.ID() + target.Suffix,
		Empty:  "This session changed no files with its tools.",
	}
	if o.patch {
		l.Render = func(w io.Writer) error { return writePatches(w, sh.Out.Screen, list) }
	}
	return sh.Out.Print(ctx, l)
}

func fileTable(s term.Screen, list []talk.ChangedFile) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "file", Flex: true, Min: 24}, {Title: "edits", Right: true}, {Title: "failed", Right: true},
		{Title: "added", Right: true, Style: term.Green}, {Title: "removed", Right: true, Style: term.Red},
	}}
	for _, f := range list {
		cells := []term.Cell{
			{Text: f.Path}, {Text: strconv.Itoa(f.Edits)}, {Text: strconv.Itoa(f.Failed)},
			{Text: strconv.Itoa(f.Added)}, {Text: strconv.Itoa(f.Removed)},
		}
		if s.TTY {
			cells[2].Text = output.NonZero(f.Failed)
			cells[3].Text, cells[4].Text = fmt.Sprintf("+%d", f.Added), fmt.Sprintf("−%d", f.Removed)
		}
		t.Row(cells...)
	}
	return t
}

// writePatches writes the changes of every file as unified diffs.
func writePatches(w io.Writer, s term.Screen, list []talk.ChangedFile) error {
	out := bufio.NewWriter(w)
	for _, f := range list {
		for _, p := range f.Patches {
			name := term.Line(f.Path)
			fmt.Fprintf(out, "%s\n", s.Paint(term.Dim, fmt.Sprintf("# %s  %s  %s", output.RFC3339(p.Time), term.Line(output.Head(p.UUID, 8)), p.State)))
			fmt.Fprintf(out, "%s\n%s\n", s.Paint(term.Bold, "--- "+name), s.Paint(term.Bold, "+++ "+name))
			for _, h := range p.Hunks {
				output.WriteHunk(out, s, h)
			}
		}
	}
	return out.Flush()
}
