package document

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/export"
	"sesskeep/internal/folder"
	"sesskeep/internal/redact"
	"sesskeep/internal/share"
	"sesskeep/internal/stamp"
	"sesskeep/internal/talk"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type shareOptions struct {
	address, file, expires string
	dryRun, link           bool
	doc                    talk.ExportOptions
}

// ShareCommand is "share" with its subcommands.
func ShareCommand(sh *shell.Shell) *cobra.Command {
	var o shareOptions
	cmd := &cobra.Command{
		Use: "share SESSION", Short: "Write a session without its secrets as a page to pass on",
		Long: `Write a session as one page of HTML that anybody can open: it loads nothing, and marks
such as [github-token:1] stand in the place of what looks like a secret. It shows how
many secrets of each family were hidden and where, and prints the name of the file.
Hiding is best effort: read the page before you pass it on. --dry-run only shows what
would be hidden.

--link shows the page on your running server instead, to anyone with the link, without a
token, until it expires or you revoke it. The page stays as it is now. Nothing is
uploaded: the link leads to your machine. The server must have been started with
--share-links.`,
		Example: `  sesskeep share 3987
  sesskeep share 3987 --dry-run
  sesskeep share 3987#2f1c..#88aa -o question.html
  sesskeep share @last --agents --replay
  sesskeep share 3987 --link --expires 3d
  sesskeep share ls
  sesskeep share revoke 5f0c`,
		Args:              shell.OneArg("session"),
		ValidArgsFunction: sh.CompleteSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.address = args[0]
			return runShare(cmd.Context(), sh, o)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.file, "output", "o", "", "write to `FILE`, which must not exist yet; default: one named after the session, here")
	f.BoolVar(&o.dryRun, "dry-run", false, "show what would be hidden, and write nothing")
	f.BoolVar(&o.link, "link", false, "show the page on the running server to anyone with the link")
	f.StringVar(&o.expires, "expires", "7d", "with --link: how long it is valid, at most 90d: `TIME` such as 36h or 7d")
	registerContent(cmd, &o.doc)
	f.BoolVar(&o.doc.Replay, "replay", false, "controls that play the session on its time axis")
	cmd.AddCommand(shareLsCommand(sh), shareRevokeCommand(sh))
	return cmd
}

// Shared says what was shared and what the page hides.
type Shared struct {
	Session   string      `json:"session"`
	File      string      `json:"file,omitempty"` // page that was written
	ID        string      `json:"id,omitempty"`   // id of the link
	URL       string      `json:"url,omitempty"`  // address of the page, for anyone with it
	ExpiresAt stamp.Time  `json:"expiresAt,omitzero"`
	Hidden    talk.Hidden `json:"hidden"`
}

func runShare(ctx context.Context, sh *shell.Shell, o shareOptions) error {
	if o.link && o.file != "" {
		return fail.Usage("--link keeps the page on the server, and -o writes a file", "leave one of them out")
	}
	life, err := o.life(sh.Now())
	if err != nil {
		return err
	}
	o.doc.Format = export.HTML
	a, target, err := sh.Find(ctx, o.address)
	if err != nil {
		return err
	}
	out := Shared{Session: target.Ref.ID()}
	switch {
	case o.dryRun:
		out.Hidden, err = a.Talk.Preview(ctx, nil, target, o.doc)
	case o.link:
		out, err = shareLink(ctx, sh, target, o, life)
	default:
		err = shareFile(ctx, sh, a, target, o, &out)
	}
	if err != nil {
		return err
	}
	if o.dryRun {
		return printPreview(ctx, sh, out)
	}
	sayHidden(sh, out, o)
	return sh.Out.Print(ctx, output.Listing{Value: out, Render: func(w io.Writer) error {
		_, err := fmt.Fprintln(w, cmp.Or(out.URL, out.File))
		return err
	}})
}

// life is for how long a link is valid.
func (o *shareOptions) life(now time.Time) (time.Duration, error) {
	from, err := shell.ParseAgo(o.expires, now)
	life := now.Sub(from)
	if err != nil || life < time.Hour || life > share.MaxLife {
		return 0, fail.Usage(fmt.Sprintf("--expires: %q is no time from an hour to 90 days", o.expires), "for example: --expires 7d")
	}
	return life, nil
}

// shareFile writes the page to a new file.
func shareFile(ctx context.Context, sh *shell.Shell, a *app.App, t catalog.Target, o shareOptions, out *Shared) (err error) {
	f, err := o.newPage(ctx, sh, a, t)
	if err != nil {
		return err
	}
	defer func() { err = closeWhole(f, err) }()
	out.File = f.Name()
	out.Hidden, err = a.Talk.Preview(ctx, f, t, o.doc)
	return err
}

// newPage creates the file that is named, or one named after the session.
func (o *shareOptions) newPage(ctx context.Context, sh *shell.Shell, a *app.App, t catalog.Target) (*os.File, error) {
	if o.file != "" {
		return newFile(sh.Absolute([]string{o.file})[0])
	}
	name, err := pageName(ctx, a, t)
	if err != nil {
		return nil, err
	}
	for n := 1; ; n++ {
		file := name + ".html"
		if n > 1 {
			file = fmt.Sprintf("%s-%d.html", name, n)
		}
		f, err := newFile(filepath.Join(sh.Dir, file))
		if !errors.Is(err, os.ErrExist) || n == 1000 {
			return f, err
		}
	}
}

// pageName names a page after the title of a session, without its secrets, and its id.
func pageName(ctx context.Context, a *app.App, t catalog.Target) (string, error) {
	s, err := a.Catalog.Read(ctx, t)
	if err != nil {
		return "", err
	}
	defer s.Close()
	title, err := s.Title(ctx)
	if err != nil {
		return "", err
	}
	rules, err := a.Talk.Rules()
	if err != nil {
		return "", err
	}
	return folder.FileName(rules.Document().Text(title), t.Ref.ID()), nil
}

// shown is how many places a remark lists.
const shown = 12

// sayHidden shows what the page hides, beside the answer.
func sayHidden(sh *shell.Shell, out Shared, o shareOptions) {
	sh.Note(countHidden(&out.Hidden, "hidden"))
	if sh.Out.JSON() || sh.Out.Flags.Quiet {
		return
	}
	for i, p := range out.Hidden.Marked {
		if i == shown {
			more := len(out.Hidden.Marked) + out.Hidden.More - shown
			sh.Note(fmt.Sprintf("… %s: \"sesskeep share %s --dry-run\" lists them", output.Plural(more, "more place"), o.address))
			break
		}
		marks, more := someMarks(p.Marks, "] [")
		fmt.Fprintln(sh.Stderr, "  "+term.Line(fmt.Sprintf("[%s]%s  %s  %s", marks, more, p.In, shortAddress(p.Address))))
	}
}

// someMarks joins marks, and counts those after the first few: an output can have thousands.
func someMarks(marks []string, gap string) (list, more string) {
	if n := len(marks) - shown; n > 0 {
		marks, more = marks[:shown], fmt.Sprintf(" … %d more", n)
	}
	return strings.Join(marks, gap), more
}

// countHidden says how many secrets there are, by family.
func countHidden(h *talk.Hidden, how string) string {
	values := redact.Total(h.Secrets)
	if values == 0 {
		return "no secrets were found. Best effort: read the page before you pass it on"
	}
	return fmt.Sprintf("%s %s: %s. Best effort: read the page before you pass it on", output.Plural(values, "secret"), how, redact.Summary(h.Secrets))
}

// shortAddress is an address with as much of each id as people type.
func shortAddress(address string) string {
	session, message, ok := strings.Cut(address, "#")
	if strings.HasPrefix(session, "agent-") || strings.Contains(session, "/") || len(session) < 8 {
		return address
	}
	if !ok {
		return session[:8]
	}
	return session[:8] + "#" + message[:min(8, len(message))]
}

// printPreview prints where the page would hide what.
func printPreview(ctx context.Context, sh *shell.Shell, out Shared) error {
	sh.Note(countHidden(&out.Hidden, "would be hidden") + ". Nothing was written")
	if out.Hidden.More > 0 {
		sh.Note(output.Plural(out.Hidden.More, "more place") + " not listed")
	}
	return sh.Out.Print(ctx, output.Listing{
		Value: out, Items: "hidden.marked",
		Table: func(s term.Screen) *term.Table {
			t := &term.Table{Screen: s, Columns: []term.Column{{Title: "marks", Flex: true, Min: 20}, {Title: "in"}, {Title: "message", Style: term.Cyan, Min: output.Uncut}}}
			for _, p := range out.Hidden.Marked {
				at := p.Address
				if s.TTY {
					at = shortAddress(at)
				}
				marks, more := someMarks(p.Marks, " ")
				t.Row(term.Cell{Text: marks + more}, term.Cell{Text: p.In}, term.Cell{Text: at})
			}
			return t
		},
	})
}
