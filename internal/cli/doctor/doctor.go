// Package doctor has the commands that find what is wrong and repair it: doctor, check,
// repair and storage.
package doctor

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/keep"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/serve"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/health"
	"sesskeep/internal/host"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type doctorOptions struct {
	details  bool
	settings bool
	days     int
}

// Command is "doctor".
func Command(sh *shell.Shell) *cobra.Command {
	var o doctorOptions
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check Claude's home: damage, retention, leftovers",
		Long: `Check all of Claude's home: files that cannot be read or contain damaged lines, how soon
Claude will delete transcripts, records of a kind that this version does not know, and
entries of clients that are no longer running. Nothing is changed, and secrets are
neither opened nor named.

--settings instead lists the settings of Claude Code that apply here, each with the file
it comes from: the administrator's, the project's or the home's. Values of environment
variables and anything else that may be secret are never shown.

Exit codes: 0 nothing is lost · 7 records cannot be read`,
		Example: `  sesskeep doctor
  sesskeep doctor --details
  sesskeep doctor --settings
  sesskeep doctor --jq '.problems[] | select(.lost) | "\(.file):\(.line)"'`,
		Args: shell.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if sh.Flags.Project != "" && !o.settings {
				return fail.Usage("doctor checks whole homes: --project only applies to --settings", "leave it out")
			}
			if sh.Flags.Limit > 0 && !o.settings {
				return fail.Usage("doctor reports everything: --limit only applies to --settings", "leave it out")
			}
			if o.settings {
				return runSettings(cmd.Context(), sh)
			}
			return runDoctor(cmd.Context(), sh, o)
		},
	}
	cmd.Flags().BoolVar(&o.settings, "settings", false, "list the settings that apply here, and where they come from")
	cmd.Flags().BoolVar(&o.details, "details", false, "list every problem and every session that is about to be deleted")
	cmd.Flags().IntVar(&o.days, "days", int(health.ExpirySoon/(24*time.Hour)), "warn about sessions that Claude will delete within `N` days")
	return cmd
}

func runDoctor(ctx context.Context, sh *shell.Shell, o doctorOptions) error {
	if o.days < 1 {
		return fail.Usage("--days must be at least 1", "")
	}
	a, done, err := sh.Open()
	if err != nil {
		return err
	}
	defer done()
	within := time.Duration(o.days) * 24 * time.Hour
	health, err := a.Health.Doctor(ctx, health.DoctorOptions{Now: sh.Now(), Alive: sh.Alive(), Managed: host.ManagedDir(), Within: within, Server: serve.Note(sh), Config: configNote(sh)})
	if err != nil {
		return err
	}
	keep.WarnUnkept(ctx, sh, a)
	done()
	report := func(w io.Writer, whole bool) *doctorReport {
		r := &doctorReport{Checklist: output.NewChecklist(w, sh.Out.Screen), sh: sh, details: o.details, whole: whole, days: o.days}
		r.write(health)
		return r
	}
	err = sh.Out.Print(ctx, output.Listing{
		Value: health, Rows: true,
		Table:  func(s term.Screen) *term.Table { return report(io.Discard, true).Table(s) },
		Render: func(w io.Writer) error { return report(w, o.details).Flush() },
	})
	if err == nil && health.Lost > 0 {
		return fail.Damage(verdict(health.Lost, health.Damaged))
	}
	return err
}

// verdict says what is lost, and apart from that what only cannot be read.
func verdict(lost int, list []health.DamagedFile) string {
	unread := 0
	for _, f := range list {
		if f.Unreadable {
			unread++
			lost -= f.Lost
		}
	}
	var parts []string
	if lost > 0 {
		parts = append(parts, "damage found: "+output.Plural(lost, "record")+" cannot be read")
	}
	if unread > 0 {
		parts = append(parts, output.Plural(unread, "file")+" cannot be read")
	}
	return strings.Join(parts, "; ")
}

// doctorReport writes a check-up for people.
type doctorReport struct {
	output.Checklist
	sh      *shell.Shell
	details bool
	whole   bool // every file is named
	days    int  // how far ahead it looks
	short   bool // there is one home, and it needs no naming
}

func (r *doctorReport) write(h health.Health) {
	r.short = len(h.Roots) == 1
	r.roots(h.Roots)
	for _, retention := range h.Retention {
		r.retention(retention, h.Problems)
	}
	r.damage(h)
	keep.WriteHealth(&r.Checklist, r.sh, h.Copies)
	r.twins(h.Twins)
	r.unknown(h.Unknown)
	r.registry(h)
	r.server(h.Server)
	r.config(h.Config)
}

// server writes who may ask a server of ours without a token.
func (r *doctorReport) server(s *health.ServerNote) {
	switch {
	case s == nil:
	case len(s.Trust) == 0:
		r.Say(output.Fine, "serving at %s, to those with a token", s.URL)
	default:
		r.Say(output.Notable, "serving at %s", s.URL)
		for _, text := range s.Trust {
			r.More("%s", text)
		}
	}
}

func (r *doctorReport) roots(roots []health.RootHealth) {
	for _, root := range roots {
		name := r.sh.Tilde(root.Root)
		if root.Error != "" {
			r.Say(output.Broken, "%s cannot be read: %s", name, root.Error)
			continue
		}
		r.Say(output.Fine, "%s readable · %s · %s · %s", name, output.Plural(root.Files, "file"),
			term.Bytes(root.Bytes), output.Plural(root.Transcripts, "transcript"))
		if root.OrphanedFiles > 0 {
			r.Say(output.Notable, "%s left over from sessions that no longer have a transcript: %s (%s)",
				output.Plural(root.OrphanedFiles, "file"), term.Bytes(root.OrphanedBytes), r.sh.Command("storage --by owner"))
		}
	}
}

func (r *doctorReport) retention(h health.RetentionHealth, problems []health.Finding) {
	l, source := output.Fine, "cleanupPeriodDays in "+r.sh.Tilde(h.File)
	if h.File == "" {
		file := filepath.Join(h.Root, "settings.json")
		source = "default; no cleanupPeriodDays in " + r.sh.Tilde(file)
		if i := slices.IndexFunc(problems, func(p health.Finding) bool { return p.File == file }); i >= 0 {
			source = fmt.Sprintf("default; %s does not count: %s", r.sh.Tilde(file), problems[i].Reason)
		}
	}
	if h.File == "" || len(h.Expiring) > 0 {
		l = output.Notable
	}
	r.Say(l, "Claude deletes transcripts after %s (%s)", output.Plural(h.Days, "day"), source)
	switch n := len(h.Expiring); {
	case n == 0:
		r.More("no session reaches that age within %s", output.Plural(r.days, "day"))
	case h.Overdue > 0:
		r.More("%s within %s; %s past it and can go any time", reach(n), output.Plural(r.days, "day"), term.Count(h.Overdue))
	default:
		r.More("%s within %s", reach(n), output.Plural(r.days, "day"))
	}
	if !r.details {
		return
	}
	for _, e := range h.Expiring {
		r.Item("%s %s %s", e.ExpiresAt.In(r.sh.Now().Location()).Format("2006-01-02 15:04"), e.ID, r.sh.Out.Screen.Truncate(term.Line(e.Title), 60))
	}
}

// reach is "n sessions reach that age" with its grammar.
func reach(n int) string {
	if n == 1 {
		return "1 session reaches that age"
	}
	return output.Plural(n, "session") + " reach that age"
}

// twins writes which transcripts lists leave out, and why.
func (r *doctorReport) twins(list []health.Duplicate) {
	if len(list) == 0 {
		return
	}
	r.Say(output.Notable, "%s the same id as another that is more recent: lists show only that one (ls --all --source twin)", has(len(list), "transcript"))
	if !r.details {
		return
	}
	for _, t := range list {
		r.Item("%s", r.sh.Tilde(filepath.Join(t.Root, filepath.FromSlash(t.File))))
	}
}

// damage writes first what is lost, then what is only harmless.
func (r *doctorReport) damage(h health.Health) {
	var unread, lost, harmless []health.DamagedFile
	for _, f := range h.Damaged {
		switch {
		case f.Lost > 0 && f.Unreadable:
			unread = append(unread, f)
		case f.Lost > 0:
			lost = append(lost, f)
		default:
			harmless = append(harmless, f)
		}
	}
	if len(h.Damaged) == 0 {
		r.Say(output.Fine, "no damage")
	}
	if len(unread) > 0 {
		r.Say(output.Broken, "%s cannot be read", output.Plural(len(unread), "file"))
		r.files(h, unread)
	}
	if len(lost) > 0 {
		r.Say(output.Broken, "%s damaged lines: %s", has(len(lost), "file"), outcome(lost))
		r.files(h, lost)
	}
	if len(harmless) > 0 {
		r.Say(output.Notable, "%s something unusual, but no record is lost", has(len(harmless), "file"))
		r.files(h, harmless)
	}
}

// has is "n files have" with its grammar.
func has(n int, noun string) string {
	if n == 1 {
		return output.Plural(n, noun) + " has"
	}
	return output.Plural(n, noun) + " have"
}

// outcome sums up what became of the damaged lines.
func outcome(list []health.DamagedFile) string {
	lost, all := 0, 0
	for _, f := range list {
		lost += f.Lost
		all += f.Count
	}
	text := output.Plural(lost, "record") + " lost"
	if all > lost {
		text += ", " + term.Count(all-lost) + " recovered"
	}
	return text
}

// shownFiles is how many files a report names without --details.
const shownFiles = 10

func (r *doctorReport) files(h health.Health, list []health.DamagedFile) {
	for i, f := range list {
		if i == shownFiles && !r.whole {
			r.Item("and %s more (--details)", term.Count(len(list)-i))
			return
		}
		var reasons []string
		for _, reason := range f.Reasons {
			text := reason.Reason
			if reason.Count > 1 {
				text += fmt.Sprintf(" (%d)", reason.Count)
			}
			reasons = append(reasons, text)
		}
		r.Item("%s: %s", r.path(f.Root, f.File), strings.Join(reasons, ", "))
		if r.details {
			r.problems(h, f)
		}
	}
}

// path is where a file lies. Settings come with their whole path.
func (r *doctorReport) path(root, file string) string {
	if !filepath.IsAbs(file) && !(r.short && file != "") {
		file = filepath.Join(root, filepath.FromSlash(file))
	}
	return r.sh.Tilde(file)
}

func (r *doctorReport) problems(h health.Health, f health.DamagedFile) {
	shown := 0
	for _, p := range h.Problems {
		if p.Root != f.Root || p.File != f.File {
			continue
		}
		shown++
		if p.Line == 0 {
			continue // it is about the file, and its reason stands above
		}
		became := "nothing lost"
		if p.Lost {
			became = "lost"
		}
		r.Indented("      ", "line %d, offset %d, %s: %s, %s", p.Line, p.Offset, term.Bytes(p.Length), p.Reason, became)
	}
	if shown < f.Count {
		r.Indented("      ", "and %s more", term.Count(f.Count-shown))
	}
}

// unknown writes what this version has never heard of, by the version of the
// client that wrote it: news about the format, not damage.
func (r *doctorReport) unknown(list []sesskeep.Unfamiliar) {
	if len(list) == 0 {
		r.Say(output.Fine, "nothing unknown in the transcripts")
		return
	}
	r.Say(output.Notable, "%s in the transcripts that this version does not know", output.Plural(len(list), "thing"))
	for _, u := range list {
		version := u.Version
		if version == "" {
			version = "of unknown version"
		}
		r.Item("%s %s, client %s, %s", u.What, u.Name, version, times(u.Count))
	}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return term.Count(n) + " times"
}

func (r *doctorReport) registry(h health.Health) {
	if h.Running > 0 {
		r.Say(output.Fine, "%s running", output.Plural(h.Running, "client"))
	}
	if len(h.Leftovers) == 0 {
		return
	}
	r.Say(output.Notable, "%s registered but not running here: killed, or in another container", output.Plural(len(h.Leftovers), "client"))
	for i, l := range h.Leftovers {
		if i == shownFiles && !r.whole {
			r.Item("and %s more (--details)", term.Count(len(h.Leftovers)-i))
			return
		}
		r.Item("%s: process %d, session %s", r.path(l.Root, l.File), l.PID, l.Session)
	}
}
