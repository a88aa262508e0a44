package document

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"sesskeep/internal/api"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/serve"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/redact"
	"sesskeep/internal/share"
	"sesskeep/internal/talk"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

// shareLink has the running server freeze the page and show it.
func shareLink(ctx context.Context, sh *shell.Shell, t catalog.Target, o shareOptions, life time.Duration) (Shared, error) {
	made, err := Link(ctx, sh, t, o.doc, life)
	if err != nil {
		return Shared{}, err
	}
	sh.Note(fmt.Sprintf("anyone with this link can read the page until %s; \"sesskeep share revoke %s\" ends it", made.ExpiresAt.Local().Format("Mon 2 Jan 2006, 15:04"), made.ID))
	if api.OnlyHere(made.URL) {
		sh.Note(`only this machine reaches this address; "sesskeep serve --help" says how others can reach the server`)
	}
	return Shared{Session: made.Session, ID: made.ID, URL: made.URL, ExpiresAt: made.ExpiresAt, Hidden: made.Hidden}, nil
}

// Link has the running server make a link to a page.
func Link(ctx context.Context, sh *shell.Shell, t catalog.Target, o talk.ExportOptions, life time.Duration) (made api.NewLink, err error) {
	from, to := o.Stretch(t)
	request := struct {
		api.DocumentChoice
		Hours int `json:"hours"`
	}{api.DocumentChoice{
		Leaf: t.Leaf, From: from, To: to, All: o.All, Agents: o.Agents, ExcludeThinking: o.NoThinking, ExcludeTools: o.NoTools, Replay: o.Replay,
	}, int(life.Hours())}
	path := "/sessions/" + url.PathEscape(t.Ref.ID()) + "/links?root=" + url.QueryEscape(t.Store.Root())
	return made, serve.Call(ctx, sh, http.MethodPost, path, request, &made)
}

// LinkList is the list of links.
type LinkList struct {
	Links []share.Link `json:"links"`
	Total int          `json:"total"`
}

func shareLsCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use: "ls", Aliases: []string{"list"}, Short: "List links to shared pages", Args: shell.NoArgs,
		Example: "  sesskeep share ls\n  sesskeep share ls --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runShareLs(cmd.Context(), sh) },
	}
}

func runShareLs(ctx context.Context, sh *shell.Shell) error {
	links, err := serve.Links(sh)
	if err != nil {
		return err
	}
	list, err := links.List()
	if err != nil {
		return err
	}
	page := LinkList{Links: append([]share.Link{}, list...), Total: len(list)}
	damaged := 0
	for i := range list {
		if list[i].Problem != "" {
			damaged++
		}
	}
	err = sh.Out.Print(ctx, output.Listing{
		Value: page, Items: "links",
		Table: func(s term.Screen) *term.Table { return linkTable(s, page.Links, sh.Now()) },
		Empty: `No page is shared: "sesskeep share SESSION --link" makes a link.`,
	})
	if err == nil && damaged > 0 {
		err = fail.Partial(output.Plural(damaged, "link") + ` cannot be used: "sesskeep share revoke ID" removes it`)
	}
	return err
}

func linkTable(s term.Screen, list []share.Link, now time.Time) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "id", Style: term.Cyan, Min: output.Uncut}, {Title: "expires", Right: true}, {Title: "size", Right: true}, {Title: "hidden", Right: true},
		{Title: "session"}, {Title: "title", Flex: true, Min: 10},
	}}
	for i := range list {
		l := &list[i]
		session, title := l.Session, l.Title
		if s.TTY {
			session = shortAddress(session)
		}
		if l.Problem != "" {
			title = l.Problem
		}
		t.Row(term.Cell{Text: l.ID}, term.Cell{Text: expiry(s, l, now)}, term.Cell{Text: term.Bytes(l.Size)}, term.Cell{Text: strconv.Itoa(redact.Total(l.Secrets))}, term.Cell{Text: session}, term.Cell{Text: title})
	}
	return t
}

// expiry says when a link ends.
func expiry(s term.Screen, l *share.Link, now time.Time) string {
	left := l.ExpiresAt.Sub(now)
	switch {
	case l.ExpiresAt.IsZero():
		return "?"
	case !s.TTY:
		return output.RFC3339(l.ExpiresAt)
	case l.Expired:
		return "expired"
	case left < 48*time.Hour:
		return fmt.Sprintf("in %d h", int(left.Hours()))
	}
	return fmt.Sprintf("in %d d", int(left.Hours()/24))
}

func shareRevokeCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use: "revoke ID", Short: "Revoke a link and delete its page", Args: shell.OneArg("link"),
		Example: "  sesskeep share revoke 5f0c",
		RunE:    func(cmd *cobra.Command, args []string) error { return runShareRevoke(cmd.Context(), sh, args[0]) },
	}
}

func runShareRevoke(ctx context.Context, sh *shell.Shell, id string) error {
	links, err := serve.Links(sh)
	if err != nil {
		return err
	}
	l, err := links.Revoke(id)
	if errors.Is(err, share.ErrNoLink) {
		return fail.Missing(err.Error(), `"sesskeep share ls" lists them`)
	}
	if err != nil {
		return err
	}
	return sh.Out.Print(ctx, output.Listing{
		Value:  l,
		Render: func(w io.Writer) error { _, err := fmt.Fprintf(w, "link %s is revoked\n", l.ID); return err },
	})
}
