package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"sesskeep/internal/access"
	"sesskeep/internal/api"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/host"

	"github.com/spf13/cobra"
)

type uiOptions struct{ print bool }

// UICommand is "ui".
func UICommand(sh *shell.Shell) *cobra.Command {
	var o uiOptions
	cmd := &cobra.Command{
		Use: "ui", SuggestFor: []string{"web", "dashboard", "browser"}, Short: "Open the dashboard in your browser", Args: shell.NoArgs,
		Long: `Open the dashboard in your browser, logged in. It is served by the server of this
user; where none runs, one is started in the background. It runs until
"sesskeep serve stop".

Where there is no browser, as over SSH, the address is printed instead. It can be
used once, within a minute, and gives all the rights that you have.`,
		Example: "  sesskeep ui\n  sesskeep ui --demo\n  sesskeep ui --print\n  sesskeep serve stop",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runUI(cmd.Context(), sh, o) },
	}
	cmd.Flags().BoolVar(&o.print, "print", false, "print the address instead of opening it")
	return cmd
}

// Dashboard is where it is, and who serves it.
type Dashboard struct {
	URL     string `json:"url"`
	PID     int    `json:"pid"`
	Started bool   `json:"started"`
	Opened  bool   `json:"opened"`
}

// dashboardDays is how long a browser stays logged in.
const dashboardDays = 30

func runUI(ctx context.Context, sh *shell.Shell, o uiOptions) error {
	server, fresh, err := startedServer(ctx, sh, "--listen", listenAddress(sh))
	if err != nil {
		return err
	}
	if !fresh && len(sh.Flags.ClaudeDirs) > 0 {
		sh.Note(fmt.Sprintf("the server that runs shows the homes it was started with; %q ends it", sh.Command("serve stop")))
	}
	var code api.NewCode
	grant := map[string]any{"role": access.Operate, "days": dashboardDays} // the browser says what it is
	if err := server.call(ctx, "POST", "/api/v1/codes", grant, &code); err != nil {
		return err
	}
	page := Dashboard{URL: server.URL + "/ui/login#" + code.Code, PID: server.PID, Started: fresh}
	if !o.print {
		err := host.Browse(page.URL, sh.Getenv)
		if err != nil && !errors.Is(err, host.ErrNoBrowser) {
			return err
		}
		page.Opened = err == nil
	}
	return sh.Out.Print(ctx, output.Listing{Value: page, Render: func(w io.Writer) error { return printDashboard(sh, w, server, page) }})
}

// printDashboard prints the address of the dashboard; the one that logs in only if no
// browser was opened with it.
func printDashboard(sh *shell.Shell, w io.Writer, s *server, page Dashboard) error {
	text := page.URL
	if page.Opened {
		text = "the dashboard is at " + s.URL + "/ui/"
	}
	if _, err := fmt.Fprintln(w, text); err != nil {
		return err
	}
	if !page.Opened {
		sh.Note("open it within a minute; it is good once")
	}
	if !page.Opened && sh.Getenv("SSH_CONNECTION") != "" {
		if _, port, err := net.SplitHostPort(s.Address()); err == nil {
			sh.Note(fmt.Sprintf("from your own machine: ssh -L %s:127.0.0.1:%s %s", port, port, sh.Host))
		}
	}
	if page.Started {
		sh.Note(fmt.Sprintf("a server runs in the background now; %q stops it", sh.Command("serve stop")))
	}
	return nil
}

// listenAddress is the usual one, or, where another program has that, whatever the
// system finds. The sample home leaves the usual one to yours.
func listenAddress(sh *shell.Shell) string {
	usual := net.JoinHostPort("127.0.0.1", api.Port)
	l, err := net.Listen("tcp", usual)
	if err != nil {
		return "127.0.0.1:0"
	}
	_ = l.Close() // it was only to see
	if sh.Flags.Demo.On {
		return "127.0.0.1:0"
	}
	return usual
}
