package cli

import (
	"context"
	"io"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/keeping"
	"sesskeep/internal/stamp"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

func keepStatusCommand(sh *shell) *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show what is kept, and what is not",
		Long: `Show whether copies are kept, how many sessions they cover, how far behind they are, and
how much space they take up.

Exit codes: 0 fine · 6 a directory or a file could not be read · 7 damage is known`,
		Example: "  sesskeep keep status\n  sesskeep keep status --jq '.missingSize'",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runKeepStatus(cmd.Context(), sh) },
	}
}

func runKeepStatus(ctx context.Context, sh *shell) error {
	a, err := sh.openWith(app.Options{})
	if err != nil {
		return err
	}
	st, err := a.Keep.Status(ctx)
	if err != nil {
		return err
	}
	err = sh.out.print(ctx, listing{value: st, render: func(w io.Writer) error { return writeKeepStatus(w, sh, st) }})
	switch {
	case err != nil:
		return err
	case len(st.Flaws) > 0:
		return failDamage("damage is known in the copies: " + plural(len(st.Flaws), "place"))
	case len(st.Unread) > 0:
		return failPartial(plural(len(st.Unread), "place") + " could not be read")
	}
	return nil
}

func writeKeepStatus(w io.Writer, sh *shell, st keeping.KeepStatus) error {
	r := newChecklist(w, sh.out.screen)
	switch {
	case st.On:
		r.say(fine, "copies are kept in %s", sh.tilde(st.Dir))
	case st.Asked.IsZero():
		r.say(notable, "copies are not kept: %s", sh.command("keep on"))
	default:
		r.say(notable, "keeping is off: %s", sh.command("keep on"))
	}
	if st.Stopped != "" {
		r.say(broken, "keeping stopped: %s", st.Stopped)
	}
	for _, p := range st.Unread {
		r.say(broken, "cannot be read: %s: %s", sh.tilde(p.File), p.Reason)
	}
	if st.Problem != "" {
		r.say(broken, "%s", st.Problem)
	}
	writeKeepHealth(&r, sh, st.KeepHealth)
	switch {
	case st.Missing == 0 && st.Covered == st.Sessions && len(st.Unread) == 0:
		r.say(fine, "%s of %s copied completely", term.Count(st.Covered), plural(st.Sessions, "session"))
	default:
		r.say(notable, "%s of %s copied completely · %s not copied", term.Count(st.Covered), plural(st.Sessions, "session"), term.Bytes(st.Missing))
		if st.Behind > 0 {
			r.more("%s changed since, the first %s ago", plural(st.Behind, "session"), lag(st.Lag))
		}
	}
	if st.CopyOnly > 0 {
		r.say(fine, "%s deleted, but copies are kept (%s)", were(st.CopyOnly, "session"), sh.command("keep gone"))
	}
	if st.Kept > 0 {
		r.say(fine, "%s on disk · ratio %.1f · %s", term.Bytes(st.Size), st.Ratio, plural(st.Versions, "old version"))
	}
	if st.Quota > 0 {
		r.more("at most %s", term.Bytes(st.Quota))
	}
	for _, dir := range st.Exclude {
		r.more("not kept: %s", sh.tilde(dir))
	}
	return r.flush()
}

// since is how long ago a moment was, in words.
func since(s stamp.Time, now time.Time) string { return lag(max(1, int64(now.Sub(s.Time).Seconds()))) }

// lag is a number of seconds in words.
func lag(seconds int64) string {
	d := time.Duration(seconds) * time.Second
	switch {
	case d < 2*time.Minute:
		return plural(int(d.Seconds()), "second")
	case d < 2*time.Hour:
		return plural(int(d.Minutes()), "minute")
	case d < 48*time.Hour:
		return plural(int(d.Hours()), "hour")
	}
	return plural(int(d.Hours()/24), "day")
}

// writeKeepHealth says what is known of the copies themselves.
func writeKeepHealth(r *checklist, sh *shell, st keeping.KeepHealth) {
	switch {
	case len(st.Flaws) > 0:
		r.say(broken, "%s damaged in the copies: %s", plural(len(st.Flaws), "place"), sh.command("keep verify --repair"))
		for _, f := range st.Flaws[:min(3, len(st.Flaws))] {
			r.more("%s: %s", sh.tilde(f.Path), f.Reason)
		}
	case !st.WholeAt.IsZero():
		r.say(fine, "no damage found · every copy checked within the last %s", since(st.WholeAt, sh.Now()))
	case !st.CheckedAt.IsZero():
		r.say(fine, "no damage found · some copies checked %s ago", since(st.CheckedAt, sh.Now()))
	}
}
