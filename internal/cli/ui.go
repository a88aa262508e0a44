package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/spf13/cobra"

	"sesskeep/internal/access"
	"sesskeep/internal/api"
	"sesskeep/internal/host"
)

type uiOptions struct{ print bool }

func uiCommand(sh *shell) *cobra.Command {
	var o uiOptions
	cmd := &cobra.Command{
		Use: "ui", SuggestFor: []string{"web", "dashboard", "browser"}, Short: "Open the dashboard in your browser", Args: noArgs,
		Long: `Open the dashboard in your browser, logged in. It is served by the server of this
user; where none runs, one is started in the background. It goes on until
"sesskeep serve stop".

Where there is no browser, as over SSH, the address is printed instead. It is good
once and for a minute: whoever opens it may do whatever you may.`,
		Example: "  sesskeep ui\n  sesskeep ui --demo\n  sesskeep ui --print\n  sesskeep serve stop",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runUI(cmd.Context(), sh, o) },
	}
	cmd.Flags().BoolVar(&o.print, "print", false, "print the address instead of opening it")
	return cmd
}

// dashboard is where it is, and who serves it.
type dashboard struct {
	URL     string `json:"url"`
	PID     int    `json:"pid"`
	Started bool   `json:"started"`
	Opened  bool   `json:"opened"`
}

// dashboardDays is how long a browser stays logged in.
const dashboardDays = 30

func runUI(ctx context.Context, sh *shell, o uiOptions) error {
	server, fresh, err := startedServer(ctx, sh, "--listen", listenAddress(sh))
	if err != nil {
		return err
	}
	if !fresh && len(sh.flags.claudeDirs) > 0 {
		sh.note(fmt.Sprintf("the server that runs shows the homes it was started with; %q ends it", sh.command("serve stop")))
	}
	var code api.NewCode
	grant := map[string]any{"role": access.Operate, "name": "dashboard", "days": dashboardDays}
	if err := server.call(ctx, "POST", "/api/v1/codes", grant, &code); err != nil {
		return err
	}
	page := dashboard{URL: server.URL + "/ui/login#" + code.Code, PID: server.PID, Started: fresh}
	if !o.print {
		err := host.Browse(page.URL, sh.Getenv)
		if err != nil && !errors.Is(err, host.ErrNoBrowser) {
			return err
		}
		page.Opened = err == nil
	}
	return sh.out.print(ctx, listing{value: page, render: func(w io.Writer) error { return printDashboard(sh, w, server, page) }})
}

// printDashboard tells where the dashboard is. The address that logs in is only
// written where nobody else opens it.
func printDashboard(sh *shell, w io.Writer, s *server, page dashboard) error {
	text := page.URL
	if page.Opened {
		text = "the dashboard is at " + s.URL + "/ui/"
	}
	if _, err := fmt.Fprintln(w, text); err != nil {
		return err
	}
	if !page.Opened {
		sh.note("open it within a minute; it is good once")
	}
	if !page.Opened && sh.Getenv("SSH_CONNECTION") != "" {
		if _, port, err := net.SplitHostPort(s.Address()); err == nil {
			sh.note(fmt.Sprintf("from your own machine: ssh -L %s:127.0.0.1:%s %s", port, port, sh.Host))
		}
	}
	if page.Started {
		sh.note(fmt.Sprintf("a server runs in the background now; %q stops it", sh.command("serve stop")))
	}
	return nil
}

// listenAddress is the usual one, or, where another program has that, whatever the
// system finds. The sample home leaves the usual one to yours.
func listenAddress(sh *shell) string {
	usual := net.JoinHostPort("127.0.0.1", api.Port)
	l, err := net.Listen("tcp", usual)
	if err != nil {
		return "127.0.0.1:0"
	}
	_ = l.Close() // it was only to see
	if sh.flags.demo.on {
		return "127.0.0.1:0"
	}
	return usual
}
