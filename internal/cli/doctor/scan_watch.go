package doctor

import (
	"context"
	"strconv"
	"strings"

	"sesskeep/internal/app"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/follow"
	"sesskeep/internal/health"
	"sesskeep/internal/term"
)

// watchSecrets says when sessions write secrets, until it is interrupted.
func watchSecrets(ctx context.Context, sh *shell.Shell, address string) error {
	form, err := sh.Out.Form()
	if err != nil {
		return err
	}
	switch {
	case sh.Out.Flags.JSON == "?":
		return sh.Out.PrintFields(output.Listing{Value: health.Written{}})
	case form == "csv":
		return fail.Usage("events have no csv form", "use tsv or jsonl")
	case sh.Flags.Since != "":
		return fail.Usage("--watch begins now: --since does not apply", "leave one of them out")
	}
	a, err := shell.OpenLive(sh)
	if err != nil {
		return err
	}
	o := follow.WatchOptions{All: address == "", Brief: true, Now: sh.Now}
	if err := watchScope(ctx, sh, a, address, &o); err != nil {
		return err
	}
	o.Warn = func(err error) { sh.Note("changes are done for every 2 s: " + err.Error()) }
	a.Stay()
	found, err := followSecrets(ctx, a, o, func() { sh.Note("watching for secrets") }, func(w health.Written) error {
		return printWritten(sh, w, form)
	})
	if ctx.Err() != nil {
		sh.Note(output.Plural(found, "secret") + " found")
	}
	return err
}

// watchScope finds what is to be watched.
func watchScope(ctx context.Context, sh *shell.Shell, a *app.App, address string, o *follow.WatchOptions) error {
	if address == "" {
		scope, err := sh.NamedScope(ctx, a)
		o.Projects = scope.Projects
		return err
	}
	target, err := a.Catalog.Find(ctx, address)
	if err != nil {
		return err
	}
	t := follow.WatchTarget{Store: target.Store, Ref: target.Ref}
	o.Targets = []follow.WatchTarget{t}
	return nil
}

// followSecrets gives each secret that is written, and returns how many there were.
func followSecrets(ctx context.Context, a *app.App, o follow.WatchOptions, ready func(), give func(health.Written) error) (found int, err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	done := make(chan struct{})
	var watch *health.SecretWatch
	o.Ready = func(int) {
		w, err := a.Health.WatchSecrets(ctx)
		if err != nil {
			stop(err)
			close(done)
			return
		}
		watch = w
		go func() {
			defer close(done)
			stop(w.Run(ctx, func(one health.Written) error {
				found++
				return give(one)
			}))
		}()
		ready()
	}
	err = a.Live.Watch(ctx, o, func(m follow.Event) error {
		if watch != nil && m.Session != "" {
			watch.Changed(m.Root, m.Key)
		}
		return nil
	})
	stop(err)
	if watch != nil {
		<-done
	}
	return found, context.Cause(ctx)
}

// printWritten shows a secret that was written, at once.
func printWritten(sh *shell.Shell, w health.Written, form string) error {
	l := output.Listing{Value: w}
	switch {
	case sh.Out.Flags.JQ != "":
		return sh.Out.PrintJQ(l)
	case form == "json" || form == "jsonl":
		return sh.Out.PrintLines(l)
	}
	when, session, file := output.RFC3339(w.Time), string(w.Session), w.File
	gap := "\t"
	if sh.Out.Screen.TTY && form != "tsv" {
		when, session, file = w.Time.In(sh.Now().Location()).Format("15:04:05"), output.Head(session, 8), shortFile(file, session)
		gap = "  "
	}
	line := strings.Join([]string{when, session, w.Family, term.Line(file), strconv.Itoa(w.Line)}, gap)
	_, err := sh.Stdout.Write([]byte(line + "\n"))
	return err
}
