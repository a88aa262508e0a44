// Package serve has the commands around the server: serve, ui, pair, token and api.
package serve

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"

	"sesskeep/internal/access"
	"sesskeep/internal/api"
	"sesskeep/internal/app"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/run"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/cli/usage"
	"sesskeep/internal/host"
	"sesskeep/internal/runs"

	"github.com/spf13/cobra"
)

type serveOptions struct {
	door   api.Door
	trust  []string
	roots  []string // where runs may work besides projects
	bypass bool
	slots  int
	runs   run.Bounds
	share  bool
	log    bool
	unit   bool
	// devices is where phones reach it; "auto": on the network of this machine.
	devices string
}

// serverMemory is for many questions at once: with the usual limit garbage was
// collected all the time, and searches took three times as long.
const serverMemory = "402653184" // 384 MiB

// Command is "serve" with its subcommands.
func Command(sh *shell.Shell) *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve sessions over HTTP, on this machine", Args: shell.NoArgs,
		Annotations: map[string]string{shell.MemoryNote: serverMemory},
		Long: `Answer HTTP requests until interrupted: lists, search, conversations, usage, live events,
and everything that changes sessions. Clients of cli-bridge find the API they know at the
root.

It listens only on this machine, and every request needs a token: "sesskeep token create"
makes one. To listen on another address you need TLS, a proxy with TLS in front of it, or
a private network whose peers you trust.`,
		Example: `  sesskeep serve
  sesskeep serve --listen 127.0.0.1:9000
  sesskeep serve stop
  sesskeep serve --print-unit
  sesskeep serve --listen 100.101.102.103:7717 --trust 100.64.0.0/10=manage`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runServe(cmd.Context(), sh, o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.door.Address, "listen", "127.0.0.1:"+api.Port, "listen on this `ADDRESS`")
	f.StringSliceVar(&o.door.Names, "allow-host", nil, "also answer requests for the host `NAME`, such as that of a proxy")
	f.StringSliceVar(&o.trust, "trust", nil, "let peers in the private network `CIDR[=ROLE]` connect without a token")
	f.BoolVar(&o.door.BehindProxy, "behind-proxy", false, "a proxy in front of it handles TLS")
	f.StringVar(&o.door.Cert, "tls-cert", "", "`FILE` with the TLS certificate")
	f.StringVar(&o.door.Key, "tls-key", "", "`FILE` with the key of the certificate")
	f.StringVar(&o.devices, "devices", "", "let paired phones reach it at `ADDRESS`, over TLS with its own certificate; without a value, at this machine's")
	f.Lookup("devices").NoOptDefVal = autoDevices
	f.StringSliceVar(&o.roots, "allow-root", nil, "let sessions be started in any directory below `DIR`, not only in those of projects")
	f.BoolVar(&o.bypass, "allow-bypass", false, "let sessions be started that ask for no permission, from this machine")
	f.Float64Var(&o.runs.Day, "day-budget", 0, "end the runs it started when all runs of the day have cost this many `DOLLARS`")
	o.runs.NotifyFlag(f)
	f.IntVar(&o.slots, "max-runs", 8, "run at most `N` sessions at a time; others wait")
	f.BoolVar(&o.share, "share-links", false, "let pages be shared by links, which need no token: \"sesskeep share --link\"")
	f.BoolVar(&o.unit, "print-unit", false, "print a service file with which the system starts it when you log in")
	f.BoolVar(&o.log, "log", false, "log every request on standard error")
	cmd.AddCommand(serveStopCommand(sh))
	return cmd
}

// check resolves what the flags name, and refuses what cannot be served.
func (o *serveOptions) check(sh *shell.Shell) error {
	for _, text := range o.trust {
		t, err := api.ParseTrust(text)
		if err != nil {
			return fail.Usage("--trust: "+err.Error(), "for example: --trust 192.168.1.0/24=read")
		}
		o.door.Trust = append(o.door.Trust, t)
	}
	if err := o.door.Check(); err != nil {
		hint := "for example: --listen 127.0.0.1:9000"
		if errors.Is(err, api.ErrUnsafe) {
			hint = "use --tls-cert and --tls-key, --behind-proxy, or --trust for a private network"
		}
		return fail.Usage("--listen: "+err.Error(), hint)
	}
	for i, root := range o.roots {
		o.roots[i] = sh.Absolute([]string{root})[0]
		if info, err := os.Stat(o.roots[i]); err != nil || !info.IsDir() {
			return fail.Usage("--allow-root: there is no directory "+root, "make it first, or name another")
		}
	}
	return nil
}

func runServe(ctx context.Context, sh *shell.Shell, o serveOptions) error {
	if err := o.check(sh); err != nil {
		return err
	}
	if o.unit {
		return printUnit(sh, o.args())
	}
	_, prices, err := usage.ReadMoney(ctx, sh, usage.MoneyOptions{})
	if err != nil {
		return err
	}
	station, tokens, err := Station(sh)
	if err != nil {
		return err
	}
	taken, err := station.Acquire()
	var running *api.RunningError
	if errors.As(err, &running) {
		err = fail.Conflict(err, "ask that one, or stop it first")
	}
	if err != nil {
		return err
	}
	// After all that is opened from here on: who waits for the place finds nothing
	// of this server at work.
	sh.AtEnd(taken.Release)
	if _, err := tokens.Local(ctx); err != nil {
		return err
	}
	if err := openToDevices(ctx, &o, tokens); err != nil {
		return err
	}
	o.door.Socket = station.Socket()
	listening, err := o.door.Listen()
	if errors.Is(err, syscall.EADDRINUSE) {
		err = fail.Hint(err, "another program uses this address; --listen 127.0.0.1:0 takes a free one")
	}
	if err != nil {
		return err
	}
	shell.RecoverOrNote(ctx, sh)
	a, err := sh.OpenWith(app.Options{Patience: sh.Patience, FirstPatience: firstPatience})
	if err != nil {
		return errors.Join(err, listening.Close())
	}
	a.Stay()
	if err := taken.Publish(api.Running{PID: os.Getpid(), URL: listening.URL, Socket: o.door.Socket, Trust: api.DescribeTrust(o.door.Trust), Homes: a.Homes.Roots()}); err != nil {
		return errors.Join(err, listening.Close())
	}
	sh.Note("serving at " + listening.URL)
	if listening.Devices.URL != "" {
		sh.Note("paired phones reach it at " + listening.Devices.URL)
	}
	for _, text := range listening.Warnings {
		sh.Report("warning: " + text)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	runs, places, err := serverRuns(ctx, sh, &o)
	if err != nil {
		return errors.Join(err, listening.Close())
	}
	links, err := Links(sh)
	if err != nil {
		return errors.Join(err, listening.Close())
	}
	server := api.New(api.Options{
		Links: links, ShareLinks: o.share,
		Runs: runs, Places: places, Proxied: o.door.BehindProxy,
		App: a, Tokens: tokens, Hosts: listening.Hosts, Proxies: listening.Proxies, URL: listening.URL, Trust: o.door.Trust, Version: shell.Version().Version,
		Alive: sh.Alive(), Managed: host.ManagedDir(), Now: sh.Now, Log: serverLog(sh, o), Stop: stop, Devices: listening.Devices, Prices: prices,
		Quiet: func() { freeMemory(a) }, Models: models(a, prices),
	})
	go func() {
		if a.Index.Ready(ctx) == nil {
			shell.Thrift()
			freeMemory(a)
		}
	}()
	return listening.Run(ctx, server)
}

// freeMemory gives back what requests, or a first reading, have left.
func freeMemory(a *app.App) {
	a.Index.FreeMemory()
	debug.FreeOSMemory()
}

// firstPatience is how long the first requests wait for homes that were never read: a
// client that does not look at the coverage of an answer would take nothing for all there is.
const firstPatience = 2 * time.Second

// autoDevices stands for the address of this machine on its network.
const autoDevices = "auto"

// openToDevices says where phones reach the server, and by which key they know it.
func openToDevices(ctx context.Context, o *serveOptions, tokens *access.Store) (err error) {
	if o.devices == "" {
		return nil
	}
	o.door.Devices = o.devices
	if o.devices == autoDevices {
		address, err := host.NetworkAddress()
		if err != nil {
			return fail.Hint(err, `name one: "sesskeep serve --devices=ADDRESS"`)
		}
		o.door.Devices = net.JoinHostPort(address, api.DevicePort)
	}
	o.door.DeviceKey, err = tokens.Key(ctx)
	return err
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
	if o.devices != "" {
		list = append(list, "--devices="+o.devices)
	}
	if o.door.BehindProxy {
		list = append(list, "--behind-proxy")
	}
	for _, root := range o.roots {
		list = append(list, "--allow-root", root)
	}
	if o.bypass {
		list = append(list, "--allow-bypass")
	}
	if o.runs.Day > 0 {
		list = append(list, "--day-budget", strconv.FormatFloat(o.runs.Day, 'f', -1, 64))
	}
	for _, destination := range o.runs.Notify {
		list = append(list, "--notify", destination)
	}
	if o.slots > 0 && o.slots != 8 {
		list = append(list, "--max-runs", strconv.Itoa(o.slots))
	}
	if o.share {
		list = append(list, "--share-links")
	}
	if o.door.Cert != "" {
		list = append(list, "--tls-cert", o.door.Cert, "--tls-key", o.door.Key)
	}
	return list
}

// serverRuns is how the server starts sessions, and where it may. Runs that ended
// long ago are forgotten.
func serverRuns(ctx context.Context, sh *shell.Shell, o *serveOptions) (*runs.Runs, runs.AllowedDirs, error) {
	if o.slots < 0 {
		return nil, runs.AllowedDirs{}, fail.Usage("--max-runs: it cannot be negative", "for example: --max-runs 4")
	}
	opts, err := run.Options(sh)
	if err != nil {
		return nil, runs.AllowedDirs{}, err
	}
	opts.Bypass, opts.Slots = o.bypass, o.slots
	if err := o.runs.Apply(&opts); err != nil {
		return nil, runs.AllowedDirs{}, err
	}
	started := runs.New(opts)
	if sh.Flags.Demo.On {
		run.StartDemo(sh, started, opts.Dir)
		if dir, err := run.DemoWork(sh); err == nil {
			o.roots = append(o.roots, dir)
		}
	}
	if _, err := started.Expire(ctx); err != nil {
		sh.Note("old runs: " + err.Error())
	}
	places := runs.AllowedDirs{Roots: o.roots, Home: sh.Home}
	for _, dir := range []func() (string, error){sh.Dirs().Data, sh.Dirs().State} {
		if path, err := dir(); err == nil {
			places.Never = append(places.Never, path)
		}
	}
	return started, places, nil
}

// serverLog is where requests are logged; nil: nowhere.
func serverLog(sh *shell.Shell, o serveOptions) *slog.Logger {
	if !o.log {
		return nil
	}
	return slog.New(slog.NewTextHandler(sh.Stderr, nil))
}
