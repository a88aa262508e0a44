package keep

import (
	"context"
	"io"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/keeping"
	"sesskeep/internal/stamp"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

func keepStatusCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show what is kept, and what is not",
		Long: `Show whether copies are kept, how many sessions they cover, how far behind they are, and
how much space they take up.

Exit codes: 0 fine · 6 a directory or a file could not be read · 7 damage is known`,
		Example: "  sesskeep keep status\n  sesskeep keep status --jq '.missingSize'",
		Args:    shell.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runKeepStatus(cmd.Context(), sh) },
	}
}

func runKeepStatus(ctx context.Context, sh *shell.Shell) error {
	a, err := sh.OpenWith(app.Options{})
	if err != nil {
		return err
	}
	st, err := a.Keep.Status(ctx)
	if err != nil {
		return err
	}
	err = sh.Out.Print(ctx, output.Listing{Value: st, Render: func(w io.Writer) error { return writeKeepStatus(w, sh, st) }})
	switch {
	case err != nil:
		return err
	case len(st.Flaws) > 0:
		return fail.Damage("damage is known in the copies: " + output.Plural(len(st.Flaws), "place"))
	case len(st.Unread) > 0:
		return fail.Partial(output.Plural(len(st.Unread), "place") + " could not be read")
	}
	return nil
}

func writeKeepStatus(w io.Writer, sh *shell.Shell, st keeping.KeepStatus) error {
	r := output.NewChecklist(w, sh.Out.Screen)
	switch {
	case st.On:
		r.Say(output.Fine, "copies are kept in %s", sh.Tilde(st.Dir))
	case st.Asked.IsZero():
		r.Say(output.Notable, "copies are not kept: %s", sh.Command("keep on"))
	default:
		r.Say(output.Notable, "keeping is off: %s", sh.Command("keep on"))
	}
	if st.Stopped != "" {
		r.Say(output.Broken, "keeping stopped: %s", st.Stopped)
	}
	for _, p := range st.Unread {
		r.Say(output.Broken, "cannot be read: %s: %s", sh.Tilde(p.File), p.Reason)
	}
	if st.Problem != "" {
		r.Say(output.Broken, "%s", st.Problem)
	}
	WriteHealth(&r, sh, st.KeepHealth)
	switch {
	case st.Missing == 0 && st.Covered == st.Sessions && len(st.Unread) == 0:
		r.Say(output.Fine, "%s of %s copied completely", term.Count(st.Covered), output.Plural(st.Sessions, "session"))
	default:
		r.Say(output.Notable, "%s of %s copied completely · %s not copied", term.Count(st.Covered), output.Plural(st.Sessions, "session"), term.Bytes(st.Missing))
		if st.Behind > 0 {
			r.More("%s changed since, the first %s ago", output.Plural(st.Behind, "session"), lag(st.Lag))
		}
	}
	if st.CopyOnly > 0 {
		r.Say(output.Fine, "%s deleted, but copies are kept (%s)", output.Were(st.CopyOnly, "session"), sh.Command("keep gone"))
	}
	if st.Kept > 0 {
		r.Say(output.Fine, "%s on disk · ratio %.1f · %s", term.Bytes(st.Size), st.Ratio, output.Plural(st.Versions, "old version"))
	}
	writeMirrors(&r, sh, st.Mirrors)
	if st.Quota > 0 {
		r.More("at most %s", term.Bytes(st.Quota))
	}
	for _, dir := range st.Exclude {
		r.More("not kept: %s", sh.Tilde(dir))
	}
	return r.Flush()
}

// since is how long ago a moment was, in words.
func since(s stamp.Time, now time.Time) string { return lag(max(1, int64(now.Sub(s.Time).Seconds()))) }

// lag is a number of seconds in words.
func lag(seconds int64) string {
	d := time.Duration(seconds) * time.Second
	switch {
	case d < 2*time.Minute:
		return output.Plural(int(d.Seconds()), "second")
	case d < 2*time.Hour:
		return output.Plural(int(d.Minutes()), "minute")
	case d < 48*time.Hour:
		return output.Plural(int(d.Hours()), "hour")
	}
	return output.Plural(int(d.Hours()/24), "day")
}

// WriteHealth says what is known of the copies themselves.
func WriteHealth(r *output.Checklist, sh *shell.Shell, st keeping.KeepHealth) {
	switch {
	case len(st.Flaws) > 0:
		r.Say(output.Broken, "%s damaged in the copies: %s", output.Plural(len(st.Flaws), "place"), sh.Command("keep verify --repair"))
		for _, f := range st.Flaws[:min(3, len(st.Flaws))] {
			r.More("%s: %s", sh.Tilde(f.Path), f.Reason)
		}
	case !st.WholeAt.IsZero():
		r.Say(output.Fine, "no damage found · every copy checked within the last %s", since(st.WholeAt, sh.Now()))
	case !st.CheckedAt.IsZero():
		r.Say(output.Fine, "no damage found · some copies checked %s ago", since(st.CheckedAt, sh.Now()))
	}
}
