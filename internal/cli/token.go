package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"sesskeep/internal/access"
	"sesskeep/internal/stamp"
	"sesskeep/internal/term"
)

func tokenCommand(sh *shell) *cobra.Command {
	cmd := &cobra.Command{
		Use: "token", Short: "Manage the tokens that let programs use the server", Args: noArgs,
		Long: `A token lets a program use the server. Its role says what it may do: read everything;
approve, which answers what running sessions ask; manage, which renames, tags, archives
and trashes; operate, which starts sessions, changes settings and purges. Each role
includes the ones before it.`,
		Example: "  sesskeep token create --role read --name phone\n  sesskeep token ls\n  sesskeep token revoke 5f0c",
		RunE: func(*cobra.Command, []string) error {
			return failUsage("token: which subcommand?", `"sesskeep token --help" lists them`)
		},
	}
	cmd.AddCommand(tokenCreateCommand(sh), tokenLsCommand(sh), tokenRevokeCommand(sh))
	return cmd
}

type tokenOptions struct{ role, name string }

func tokenCreateCommand(sh *shell) *cobra.Command {
	var o tokenOptions
	cmd := &cobra.Command{
		Use: "create", Short: "Create a token and print it, once", Args: noArgs,
		Example: "  sesskeep token create\n  sesskeep token create --role manage --name laptop\n  sesskeep token create --role read --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runTokenCreate(cmd.Context(), sh, o) },
	}
	cmd.Flags().StringVar(&o.role, "role", string(access.Read), "`ROLE` of its user: read, approve, manage or operate")
	cmd.Flags().StringVar(&o.name, "name", "", "`NAME` to recognize it by")
	complete(cmd, "role", roleNames()...)
	return cmd
}

func roleNames() (names []string) {
	for _, r := range access.Roles() {
		names = append(names, string(r))
	}
	return names
}

// newToken is a token with its secret, which is shown once.
type newToken struct {
	Token     string      `json:"token"`
	ID        string      `json:"id"`
	Name      string      `json:"name,omitempty"`
	Role      access.Role `json:"role"`
	CreatedAt stamp.Time  `json:"createdAt"`
}

func runTokenCreate(ctx context.Context, sh *shell, o tokenOptions) error {
	role, err := access.ParseRole(o.role)
	if err != nil {
		return failUsage("--role: "+err.Error(), "for example: --role read")
	}
	_, tokens, err := serverStation(sh)
	if err != nil {
		return err
	}
	secret, t, err := tokens.Create(ctx, role, o.name)
	if err != nil {
		return err
	}
	value := newToken{Token: secret, ID: t.ID, Name: t.Name, Role: t.Role, CreatedAt: stamp.Time{Time: t.CreatedAt}}
	return sh.out.print(ctx, listing{value: value, render: func(w io.Writer) error {
		_, err := fmt.Fprintln(w, secret)
		if sh.out.screen.TTY {
			sh.note(fmt.Sprintf("token %s may %s. It is not shown again; \"sesskeep token revoke %s\" revokes it", t.ID, t.Role, t.ID))
		}
		return err
	}})
}

// tokenPage is a list of tokens.
type tokenPage struct {
	Tokens []tokenRow `json:"tokens"`
	Total  int        `json:"total"`
}

type tokenRow struct {
	ID        string      `json:"id"`
	Name      string      `json:"name,omitempty"`
	Role      access.Role `json:"role"`
	CreatedAt stamp.Time  `json:"createdAt"`
	ExpiresAt stamp.Time  `json:"expiresAt,omitzero"`
	Device    bool        `json:"device,omitempty"`
}

func rowOf(t access.Token) tokenRow {
	return tokenRow{t.ID, t.Name, t.Role, stamp.Time{Time: t.CreatedAt}, stamp.Time{Time: t.ExpiresAt}, t.Device}
}

func tokenLsCommand(sh *shell) *cobra.Command {
	return &cobra.Command{
		Use: "ls", Aliases: []string{"list"}, Short: "List tokens, without their secrets", Args: noArgs,
		Example: "  sesskeep token ls\n  sesskeep token ls --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runTokenLs(cmd.Context(), sh) },
	}
}

func runTokenLs(ctx context.Context, sh *shell) error {
	_, tokens, err := serverStation(sh)
	if err != nil {
		return err
	}
	list, err := tokens.List()
	if err != nil {
		return err
	}
	page := tokenPage{Tokens: []tokenRow{}, Total: len(list)}
	for _, t := range list {
		page.Tokens = append(page.Tokens, rowOf(t))
	}
	return sh.out.print(ctx, listing{
		value: page, items: "tokens",
		table: func(s term.Screen) *term.Table { return tokenTable(s, page.Tokens, sh.Now()) },
		empty: `No tokens yet: "sesskeep token create" makes one.`,
	})
}

func tokenTable(s term.Screen, list []tokenRow, now time.Time) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "id", Style: term.Cyan, Min: uncut}, {Title: "role"}, {Title: "created", Right: true}, {Title: "name", Flex: true, Min: 10},
	}}
	for _, one := range list {
		created := rfc(one.CreatedAt)
		if s.TTY {
			created = ago(one.CreatedAt, now)
		}
		t.Row(term.Cell{Text: one.ID}, term.Cell{Text: string(one.Role)}, term.Cell{Text: created}, term.Cell{Text: one.Name})
	}
	return t
}

func tokenRevokeCommand(sh *shell) *cobra.Command {
	return &cobra.Command{
		Use: "revoke ID", Short: "Revoke a token: whoever has it is refused from now on", Args: oneArg("token"),
		Example: "  sesskeep token revoke 5f0c",
		RunE: func(cmd *cobra.Command, args []string) error {
			_, tokens, err := serverStation(sh)
			if err != nil {
				return err
			}
			t, err := tokens.Revoke(cmd.Context(), args[0])
			if errors.Is(err, access.ErrNoToken) {
				return failMissing(err.Error(), `"sesskeep token ls" lists them`)
			}
			if err != nil {
				return err
			}
			return sh.out.print(cmd.Context(), listing{
				value:  rowOf(t),
				render: func(w io.Writer) error { _, err := fmt.Fprintf(w, "token %s is revoked\n", t.ID); return err },
			})
		},
	}
}
