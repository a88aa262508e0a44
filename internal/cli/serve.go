package cli

import (
	"context"
	"errors"
	"log/slog"
	"os"

	"github.com/spf13/cobra"

	"sesskeep/internal/api"
	"sesskeep/internal/app"
	"sesskeep/internal/host"
)

type serveOptions struct {
	door  api.Door
	trust []string
	log   bool
	unit  bool
}

func serveCommand(sh *shell) *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve sessions over HTTP, on this machine", Args: noArgs,
		Long: `Serve answers HTTP requests until it is interrupted: lists, search, conversations,
usage, live events, and the acts that change something. Clients of cli-bridge find
what they know at the root.

It listens on this machine alone, and every request needs a token: "sesskeep token
create" makes one. Another address needs TLS, a proxy that speaks it, or a private
network whose peers you trust.`,
		Example: `  sesskeep serve
  sesskeep serve --listen 127.0.0.1:9000
  sesskeep serve stop
  sesskeep serve --print-unit
  sesskeep serve --listen 100.101.102.103:7717 --trust 100.64.0.0/10=manage`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runServe(cmd.Context(), sh, o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.door.Address, "listen", "127.0.0.1:"+api.Port, "listen on this `ADDRESS`")
	f.StringSliceVar(&o.door.Names, "allow-host", nil, "answer to this `NAME` too, such as that of a proxy")
	f.StringSliceVar(&o.trust, "trust", nil, "let peers of `CIDR[=ROLE]`, a private network, in without a token")
	f.BoolVar(&o.door.BehindProxy, "behind-proxy", false, "a proxy in front of it speaks TLS")
	f.StringVar(&o.door.Cert, "tls-cert", "", "`FILE` of the certificate for TLS")
	f.StringVar(&o.door.Key, "tls-key", "", "`FILE` of its key")
	f.BoolVar(&o.unit, "print-unit", false, "print what lets the system start it with your session")
	f.BoolVar(&o.log, "log", false, "log every request on standard error")
	cmd.AddCommand(serveStopCommand(sh))
	return cmd
}

func runServe(ctx context.Context, sh *shell, o serveOptions) (err error) {
	for _, text := range o.trust {
		t, err := api.ParseTrust(text)
		if err != nil {
			return usageError{"--trust: " + err.Error(), "for example: --trust 192.168.1.0/24=read"}
		}
		o.door.Trust = append(o.door.Trust, t)
	}
	if err := o.door.Check(); err != nil {
		return usageError{"--listen: " + err.Error(), "use --tls-cert and --tls-key, --behind-proxy, or --trust for a private network"}
	}
	if o.unit {
		return sh.printUnit(o.args())
	}
	station, tokens, err := sh.station()
	if err != nil {
		return err
	}
	taken, err := station.Take()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, taken.Leave()) }()
	if _, err := tokens.Local(ctx); err != nil {
		return err
	}
	o.door.Socket = station.Socket()
	listening, err := o.door.Listen()
	if err != nil {
		return err
	}
	a, err := sh.openWith(app.Options{Patience: sh.Patience})
	if err != nil {
		return errors.Join(err, listening.Close())
	}
	a.Stay()
	if err := taken.Say(api.Running{PID: os.Getpid(), URL: listening.URL, Socket: o.door.Socket}); err != nil {
		return errors.Join(err, listening.Close())
	}
	sh.note("serving at " + listening.URL)
	if listening.Warning != "" {
		sh.note(listening.Warning)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	server := api.New(api.Options{
		App: a, Tokens: tokens, Hosts: listening.Hosts, Trust: o.door.Trust, Version: version().Version,
		Alive: sh.alive(), Managed: host.ManagedDir(), Now: sh.Now, Log: sh.serverLog(o), Stop: stop,
	})
	return listening.Run(ctx, server)
}

// args are the flags that make the same server again.
func (o *serveOptions) args() []string {
	list := []string{"--listen", o.door.Address}
	for _, name := range o.door.Names {
		list = append(list, "--allow-host", name)
	}
	for _, text := range o.trust {
		list = append(list, "--trust", text)
	}
	if o.door.BehindProxy {
		list = append(list, "--behind-proxy")
	}
	if o.door.Cert != "" {
		list = append(list, "--tls-cert", o.door.Cert, "--tls-key", o.door.Key)
	}
	return list
}

// serverLog is where requests are logged; nil: nowhere.
func (sh *shell) serverLog(o serveOptions) *slog.Logger {
	if !o.log {
		return nil
	}
	return slog.New(slog.NewTextHandler(sh.Stderr, nil))
}
