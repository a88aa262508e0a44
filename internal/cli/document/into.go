package document

import (
	"context"
	"fmt"
	"io"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/list"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/cli/usage"
	"sesskeep/internal/folder"
	"sesskeep/internal/term"
)

// intoOptions are those of an export into a folder.
type intoOptions struct {
	dir    string
	follow bool
	choose list.Options
}

// exportInto writes sessions into a folder: those that are named, or those that "ls" would list
// with the same flags.
func exportInto(ctx context.Context, sh *shell.Shell, addresses []string, o exportOptions) error {
	if o.file != "" {
		return fail.Usage("-o names one file, and --into a folder", "leave one of them out")
	}
	if err := o.chooseFormat(); err != nil {
		return err
	}
	a, done, err := sh.Open()
	if err != nil {
		return err
	}
	defer done()
	f, err := o.folder(ctx, sh, a, addresses)
	if err != nil {
		return err
	}
	if !o.doc.Redacted() {
		if err := a.Acts.NoteAccess(ctx, acts.Doing{Actor: shell.Actor(sh)}, "export", f.Dir+": "+o.doc.What()); err != nil {
			return err
		}
	}
	w := &folder.Writer{Catalog: a.Catalog, Talk: a.Talk, Index: a.Index}
	if o.into.follow {
		a.Stay()
		return w.Follow(ctx, f, func(out folder.Outcome) { sh.Note(sentence(out, o)) })
	}
	bar, progress := sh.Working("Writing sessions")
	f.Progress = func(done, total int) { progress(done, total, 0) }
	out, err := w.Write(ctx, f)
	bar.Done()
	if err != nil {
		return err
	}
	return report(ctx, sh, out, o)
}

// sentence says what became of a folder.
func sentence(out folder.Outcome, o exportOptions) string {
	return fmt.Sprintf("%s: %s written, %d up to date%s", out.Dir, output.Plural(out.Written, "session"), out.Unchanged, o.hidden(out.Secrets))
}

// report prints what became of a folder. Sessions that failed are named.
func report(ctx context.Context, sh *shell.Shell, out folder.Outcome, o exportOptions) error {
	if out.Written+out.Unchanged+len(out.Failed) == 0 {
		return fail.Usage("no session matches", `"sesskeep ls" with the same flags shows which would be written`)
	}
	err := sh.Out.Print(ctx, output.Listing{
		Value: out, Items: "failed",
		Render: func(w io.Writer) error {
			_, err := fmt.Fprintln(w, sentence(out, o))
			return err
		},
		Table: func(s term.Screen) *term.Table { return failures(s, out) },
	})
	switch {
	case err != nil:
		return err
	case len(out.Failed) > 0:
		return fail.Partial(output.Plural(len(out.Failed), "session") + " could not be written: " + out.Failed[0].Reason)
	case !out.Coverage.Complete:
		return fail.Partial("not everything could be read: " + out.Coverage.String())
	}
	return nil
}

func failures(s term.Screen, out folder.Outcome) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{{Title: "id"}, {Title: "reason", Flex: true}}}
	for _, f := range out.Failed {
		t.Row(term.Cell{Text: f.ID}, term.Cell{Text: f.Reason})
	}
	return t
}

// folder turns the flags into what is written into a folder.
func (o *exportOptions) folder(ctx context.Context, sh *shell.Shell, a *app.App, addresses []string) (f folder.Options, err error) {
	f = folder.Options{Dir: sh.Absolute([]string{o.into.dir})[0], Addresses: addresses, Document: o.doc}
	if f.Filter, err = list.Filter(sh, o.into.choose); err != nil {
		return f, err
	}
	if _, _, err = list.ChooseProject(ctx, sh, a, &f.Filter, o.into.choose.Chosen.Text("parent")); err != nil {
		return f, err
	}
	_, f.Prices, err = usage.ReadMoney(ctx, sh, usage.MoneyOptions{})
	return f, err
}
