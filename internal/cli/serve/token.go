package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"sesskeep/internal/access"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/stamp"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

// TokenCommand is "token" with its subcommands.
func TokenCommand(sh *shell.Shell) *cobra.Command {
	cmd := &cobra.Command{
		Use: "token", Short: "Manage the tokens that let programs use the server", Args: shell.NoArgs,
		Long: `A token lets a program use the server. Its role says what it may do: read everything;
approve, which answers what running sessions ask; manage, which renames, tags, archives
and trashes; operate, which starts sessions, changes settings and purges. Each role
includes the ones before it.`,
		Example: "  sesskeep token create --role read --name phone\n  sesskeep token ls\n  sesskeep token revoke 5f0c",
		RunE: func(*cobra.Command, []string) error {
			return fail.Usage("token: which subcommand?", `"sesskeep token --help" lists them`)
		},
	}
	cmd.AddCommand(tokenCreateCommand(sh), tokenLsCommand(sh), tokenRevokeCommand(sh))
	return cmd
}

type tokenOptions struct {
	role, name string
	projects   []string // that the token is limited to; empty: it is not
}

func tokenCreateCommand(sh *shell.Shell) *cobra.Command {
	var o tokenOptions
	cmd := &cobra.Command{
		Use: "create", Short: "Create a token and print it, once", Args: shell.NoArgs,
		Long: `Create a token and print it, once. One that is limited to projects (--limit-to) is only
for models: it may ask at /mcp about these projects, and nothing else.`,
		Example: "  sesskeep token create\n  sesskeep token create --limit-to . --name claude\n  sesskeep token create --role manage --name laptop\n  sesskeep token create --role read --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runTokenCreate(cmd.Context(), sh, o) },
	}
	cmd.Flags().StringVar(&o.role, "role", string(access.Read), "`ROLE` of its user: read, approve, manage or operate")
	cmd.Flags().StringVar(&o.name, "name", "", "`NAME` to recognize it by")
	cmd.Flags().StringArrayVar(&o.projects, "limit-to", nil, "let it only answer models at /mcp, about this `PROJECT`: its directory or name (repeatable)")
	shell.Complete(cmd, "role", roleNames()...)
	return cmd
}

func roleNames() (names []string) {
	for _, r := range access.Roles() {
		names = append(names, string(r))
	}
	return names
}

// NewToken is a token with its secret, which is shown once.
type NewToken struct {
	Token     string      `json:"token"`
	ID        string      `json:"id"`
	Name      string      `json:"name,omitempty"`
	Role      access.Role `json:"role"`
	CreatedAt stamp.Time  `json:"createdAt"`
	Projects  []string    `json:"projects,omitempty"`
}

func runTokenCreate(ctx context.Context, sh *shell.Shell, o tokenOptions) error {
	role, err := access.ParseRole(o.role)
	if err != nil {
		return fail.Usage("--role: "+err.Error(), "for example: --role read")
	}
	_, tokens, err := Station(sh)
	if err != nil {
		return err
	}
	secret, t, err := tokens.Grant(ctx, access.Grant{Role: role, Name: o.name, Projects: projectsAt(sh, o.projects)})
	if err != nil {
		return err
	}
	value := NewToken{Token: secret, ID: t.ID, Name: t.Name, Role: t.Role, CreatedAt: stamp.Time{Time: t.CreatedAt}, Projects: t.Projects}
	return sh.Out.Print(ctx, output.Listing{Value: value, Render: func(w io.Writer) error {
		_, err := fmt.Fprintln(w, secret)
		if sh.Out.Screen.TTY {
			sh.Note(fmt.Sprintf("token %s may %s. It is not shown again; \"sesskeep token revoke %s\" revokes it", t.ID, t.Role, t.ID))
		}
		return err
	}})
}

// projectsAt makes directories absolute: the server has another working directory. Names stay.
func projectsAt(sh *shell.Shell, names []string) (list []string) {
	for _, name := range names {
		path := sh.Absolute([]string{name})[0]
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			name = path
		}
		list = append(list, name)
	}
	return list
}

// TokenPage is a list of tokens.
type TokenPage struct {
	Tokens []TokenRow `json:"tokens"`
	Total  int        `json:"total"`
}

// TokenRow is a token as lists show it, without its secret.
type TokenRow struct {
	ID        string      `json:"id"`
	Name      string      `json:"name,omitempty"`
	Role      access.Role `json:"role"`
	CreatedAt stamp.Time  `json:"createdAt"`
	ExpiresAt stamp.Time  `json:"expiresAt,omitzero"`
	Device    bool        `json:"device,omitempty"`
	Projects  []string    `json:"projects,omitempty"`
	LastUsed  stamp.Time  `json:"lastUsedAt,omitzero"`
}

func rowOf(t access.Token) TokenRow {
	return TokenRow{ID: t.ID, Name: t.Name, Role: t.Role, CreatedAt: stamp.Time{Time: t.CreatedAt}, ExpiresAt: stamp.Time{Time: t.ExpiresAt}, Device: t.Device, Projects: t.Projects}
}

func tokenLsCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use: "ls", Aliases: []string{"list"}, Short: "List tokens, without their secrets", Args: shell.NoArgs,
		Example: "  sesskeep token ls\n  sesskeep token ls --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runTokenLs(cmd.Context(), sh) },
	}
}

func runTokenLs(ctx context.Context, sh *shell.Shell) error {
	_, tokens, err := Station(sh)
	if err != nil {
		return err
	}
	list, err := tokens.List()
	if err != nil {
		return err
	}
	used := tokens.Uses()
	page := TokenPage{Tokens: []TokenRow{}, Total: len(list)}
	for _, t := range list {
		row := rowOf(t)
		row.LastUsed = stamp.Time{Time: used[t.ID]}
		page.Tokens = append(page.Tokens, row)
	}
	return sh.Out.Print(ctx, output.Listing{
		Value: page, Items: "tokens",
		Table: func(s term.Screen) *term.Table { return tokenTable(s, page.Tokens, sh.Now()) },
		Empty: `No tokens yet: "sesskeep token create" makes one.`,
	})
}

func tokenTable(s term.Screen, list []TokenRow, now time.Time) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "id", Style: term.Cyan, Min: output.Uncut}, {Title: "role"}, {Title: "created", Right: true}, {Title: "last used", Right: true}, {Title: "name", Flex: true, Min: 10},
	}}
	for _, one := range list {
		when := func(at stamp.Time) term.Cell {
			switch {
			case at.IsZero():
				return term.Cell{}
			case s.TTY:
				return term.Cell{Text: output.Ago(at, now)}
			}
			return term.Cell{Text: output.RFC3339(at)}
		}
		t.Row(term.Cell{Text: one.ID}, term.Cell{Text: string(one.Role)}, when(one.CreatedAt), when(one.LastUsed), term.Cell{Text: one.Name})
	}
	return t
}

func tokenRevokeCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use: "revoke ID", Short: "Revoke a token", Args: shell.OneArg("token"),
		Example: "  sesskeep token revoke 5f0c",
		RunE: func(cmd *cobra.Command, args []string) error {
			_, tokens, err := Station(sh)
			if err != nil {
				return err
			}
			t, err := tokens.Revoke(cmd.Context(), args[0])
			if errors.Is(err, access.ErrNoToken) {
				return fail.Missing(err.Error(), `"sesskeep token ls" lists them`)
			}
			if err != nil {
				return err
			}
			return sh.Out.Print(cmd.Context(), output.Listing{
				Value:  rowOf(t),
				Render: func(w io.Writer) error { _, err := fmt.Fprintf(w, "token %s is revoked\n", t.ID); return err },
			})
		},
	}
}
