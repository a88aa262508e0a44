package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"sesskeep/internal/access"
	"sesskeep/internal/api"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type pairOptions struct{ role, name, url string }

// PairCommand is "pair".
func PairCommand(sh *shell.Shell) *cobra.Command {
	var o pairOptions
	cmd := &cobra.Command{
		Use: "pair", Short: "Let a phone use the dashboard", Args: shell.NoArgs,
		Long: `Show a code that the camera of a phone reads, and let the phone in when both screens
show the same number. The code is good once, for two minutes. The phone may manage
sessions, unless --role says otherwise; "sesskeep token revoke" ends that.

The phone reaches this machine over your network, by TLS with a certificate of its own,
about which a browser warns the first time. Where a proxy or "tailscale serve" has a
better one, name its address with --url, and start the server with --allow-host.

Where no server runs, one is started in the background.`,
		Example: "  sesskeep pair\n  sesskeep pair --role read --name tablet\n  sesskeep pair --url https://laptop.tail1234.ts.net",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runPair(cmd.Context(), sh, o) },
	}
	cmd.Flags().StringVar(&o.role, "role", string(access.Manage), "what the phone may do, by `ROLE`: read, approve, manage or operate")
	cmd.Flags().StringVar(&o.name, "name", "", "call it `NAME`; otherwise what it calls itself")
	cmd.Flags().StringVar(&o.url, "url", "", "the phone reaches the server at this `ADDRESS`, through a proxy")
	shell.Complete(cmd, "role", roleNames()...)
	return cmd
}

func runPair(ctx context.Context, sh *shell.Shell, o pairOptions) error {
	if _, err := access.ParseRole(o.role); err != nil {
		return fail.Usage("--role: "+err.Error(), "for example: --role read")
	}
	if o.url != "" && !strings.HasPrefix(o.url, "https://") {
		return fail.Usage("--url: a phone needs TLS: "+o.url, "for example: --url https://laptop.example")
	}
	args := []string{"--listen", listenAddress(sh)}
	if o.url == "" {
		args = append(args, "--devices")
	}
	server, _, err := startedServer(ctx, sh, args...)
	if err != nil {
		return err
	}
	var p api.PairingRow
	if err := server.call(ctx, "POST", "/api/v1/pairings", map[string]any{"role": o.role, "name": o.name}, &p); err != nil {
		return err
	}
	// The code becomes invalid at the end, however that comes about.
	defer func() { _ = server.call(context.WithoutCancel(ctx), "DELETE", "/api/v1/pairings/"+p.ID, nil, new(any)) }()
	if o.url == "" && p.URL == "" {
		return fail.Hint(errors.New("the server that runs listens on this machine alone"),
			`"sesskeep serve stop" stops it, and "sesskeep pair" starts one that phones can reach`)
	}
	if err := showPairing(sh, o.url, p); err != nil {
		return err
	}
	return awaitPairing(ctx, sh, server, p)
}

// showPairing shows what the phone has to read: where the server is, the code, and
// the key by which an app knows it. A browser sends none of what is behind the #.
func showPairing(sh *shell.Shell, url string, p api.PairingRow) error {
	address := strings.TrimSuffix(url, "/") + "/ui/pair#" + p.Code
	if url == "" {
		address = p.URL + "/ui/pair#" + p.Code + "." + p.Key
	}
	picture, err := term.QR(sh.Out.Screen, address)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(besideJSON(sh), "%s\nRead this with the camera of your phone, or open\n%s\n\nWaiting for two minutes. Ctrl-C ends it.\n", picture, address)
	return err
}

// besideJSON is where people read what is not the answer.
func besideJSON(sh *shell.Shell) io.Writer {
	if sh.Out.JSON() {
		return sh.Stderr
	}
	return sh.Stdout
}

// pollEvery is how often the state of a pairing is queried.
const pollEvery = 300 * time.Millisecond

// awaitPairing waits for the phone, lets the user compare the numbers, and prints the
// token that the phone got.
func awaitPairing(ctx context.Context, sh *shell.Shell, s *server, p api.PairingRow) error {
	path := "/api/v1/pairings/" + p.ID
	for was := p.Status; ; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pollEvery):
		}
		if err := s.call(ctx, "GET", path, nil, &p); err != nil {
			return err
		}
		switch {
		case p.Status == was:
			continue
		case p.Status == access.PairingPaired:
			return printPaired(ctx, sh, p)
		case p.Status == access.PairingClosed:
			return fail.Timeout("no phone came in time, or too many wrong codes did")
		case p.Status == access.PairingClaimed:
			if err := comparePairing(ctx, sh, s, p); err != nil {
				return err
			}
		}
		was = p.Status
	}
}

// comparePairing has a person compare the numbers on both screens.
func comparePairing(ctx context.Context, sh *shell.Shell, s *server, p api.PairingRow) error {
	fmt.Fprintf(besideJSON(sh), "\n%s at %s wants in. It has to show this number: %s\n",
		term.Line(cmp.Or(p.Device, "A device")), p.From, sh.Out.Screen.Paint(term.Bold, p.Number))
	answer, ok := sh.Prompt(ctx, shell.OneLine(sh.Stdin), "Does it? [y/N] ")
	if !ok || !strings.EqualFold(answer, "y") && !strings.EqualFold(answer, "yes") {
		return fail.Hint(errors.New("refused: the numbers were not said to be the same"), `the phone that read the code gets no access; "sesskeep pair" shows another code`)
	}
	return s.call(ctx, "POST", "/api/v1/pairings/"+p.ID+"/confirm", struct{}{}, new(any))
}

// PairedDevice is the device that was let in.
type PairedDevice struct {
	TokenID string `json:"tokenId"`
	Device  string `json:"device,omitempty"`
	From    string `json:"from,omitempty"`
}

func printPaired(ctx context.Context, sh *shell.Shell, p api.PairingRow) error {
	return sh.Out.Print(ctx, output.Listing{Value: PairedDevice{p.TokenID, p.Device, p.From}, Render: func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s is paired; \"sesskeep token revoke %s\" ends that\n", term.Line(cmp.Or(p.Device, "The device")), p.TokenID)
		return err
	}})
}
