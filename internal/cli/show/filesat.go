package show

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"sesskeep/internal/app"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/talk"
	"sesskeep/internal/term"
	"sesskeep/internal/timeline"
	"sesskeep/internal/versions"
)

// runFilesAt shows what the files of a session were at one time.
func runFilesAt(ctx context.Context, sh *shell.Shell, a *app.App, t catalog.Target, list []talk.ChangedFile, o filesOptions) error {
	var paths []string
	for i := range list {
		paths = append(paths, list[i].Path)
	}
	slices.Sort(paths)
	tree, err := a.Versions.Tree(ctx, paths, versions.InSession(t, o.at, sh.Now()))
	if err != nil {
		return err
	}
	tree.SessionID, tree.Root = t.Ref.ID(), t.Store.Root()
	l := output.Listing{
		Value: tree, Items: "files",
		Table:  func(s term.Screen) *term.Table { return filesAtTable(s, &tree) },
		Footer: fmt.Sprintf("%s of %s as of %s", output.Plural(tree.Total, "file"), tree.SessionID+t.Suffix, term.Line(o.at)),
		Empty:  "Nothing is known of its files at that time.",
	}
	if o.tree {
		l.Render = func(w io.Writer) error { return writeFileTree(w, sh.Out.Screen, &tree) }
	}
	return sh.Out.Print(ctx, l)
}

// knownAs says how a version is known.
func knownAs(f *versions.FileVersion) string {
	switch {
	case f.Outside != nil:
		return "changed outside around then"
	case f.Absent:
		return "not there"
	case f.Source == "copy":
		return "exact copy"
	case f.Sure == timeline.Lost:
		return "unknown"
	}
	return string(f.Sure)
}

func filesAtTable(s term.Screen, tree *versions.FileTree) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "file", Flex: true, Min: 24}, {Title: "lines", Right: true}, {Title: "known"}, {Title: "since", Right: true},
	}}
	for i := range tree.Files {
		f := &tree.Files[i]
		t.Row(term.Cell{Text: f.Path}, term.Cell{Text: strconv.Itoa(f.Lines)}, term.Cell{Text: knownAs(f)}, term.Cell{Text: output.RFC3339(f.Time)})
	}
	return t
}

// writeFileTree writes each directory once, and its files below it.
func writeFileTree(w io.Writer, s term.Screen, tree *versions.FileTree) error {
	out := bufio.NewWriter(w)
	var last []string
	for i := range tree.Files {
		f := &tree.Files[i]
		parts := strings.Split(strings.TrimPrefix(path.Dir(f.Path), "/"), "/")
		same := 0
		for same < len(parts) && same < len(last) && parts[same] == last[same] {
			same++
		}
		for n := same; n < len(parts); n++ {
			fmt.Fprintf(out, "%s%s\n", strings.Repeat("  ", n), s.Paint(term.Cyan, term.Line(parts[n])+"/"))
		}
		last = parts
		style := term.Plain
		if f.Absent {
			style = term.Dim
		}
		fmt.Fprintf(out, "%s%s  %s\n", strings.Repeat("  ", len(parts)), s.Paint(style, term.Line(path.Base(f.Path))),
			s.Paint(term.Dim, fmt.Sprintf("%s, %s", output.Plural(f.Lines, "line"), knownAs(f))))
	}
	return out.Flush()
}
