package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sesskeep"
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

func doctorCommand(sh *shell) *cobra.Command {
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
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if sh.flags.project != "" && !o.settings {
				return usageError{"doctor checks whole homes: --project only applies to --settings", "leave it out"}
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

func runDoctor(ctx context.Context, sh *shell, o doctorOptions) error {
	if o.days < 1 {
		return usageError{"--days must be at least 1", ""}
	}
	a, done, err := sh.open()
	if err != nil {
		return err
	}
	defer done()
	within := time.Duration(o.days) * 24 * time.Hour
	health, err := a.Health.Doctor(ctx, health.DoctorOptions{Now: sh.Now(), Alive: sh.alive(), Managed: host.ManagedDir(), Within: within, Server: serverNote(sh)})
	if err != nil {
		return err
	}
	warnUnkept(ctx, sh, a)
	done()
	err = sh.print(ctx, listing{value: health, render: func(w io.Writer) error {
		r := doctorReport{sh: sh, out: bufio.NewWriter(w), details: o.details, days: o.days}
		r.write(health)
		return r.out.Flush()
	}})
	if err == nil && health.Lost > 0 {
		return damageError{"damage found: " + plural(health.Lost, "record") + " cannot be read"}
	}
	return err
}

// doctorReport writes a check-up for people: a mark and a finding a line, what
// belongs to it below.
type doctorReport struct {
	out     *bufio.Writer
	sh      *shell
	details bool
	days    int  // how far ahead it looks
	short   bool // there is one home, and it needs no naming
}

// level is how bad a finding is.
type level int

const (
	fine level = iota
	notable
	broken
)

// say writes a finding.
func (r *doctorReport) say(l level, format string, args ...any) {
	glyphs := [...]string{"✓", "!", "✗"}
	text := term.Line(fmt.Sprintf(format, args...))
	if r.sh.screen.ASCII {
		glyphs = [...]string{"ok", "! ", "x "}
		text = strings.ReplaceAll(text, " · ", ", ")
	}
	style := [...]term.Style{term.Green, term.Yellow, term.Red}[l]
	fmt.Fprintf(r.out, "%s %s\n", r.sh.screen.Paint(style, glyphs[l]), text)
}

// more writes a line that belongs to the finding before it, item one of a list
// below that.
func (r *doctorReport) more(format string, args ...any) { r.indented("  ", format, args...) }
func (r *doctorReport) item(format string, args ...any) { r.indented("    ", format, args...) }

func (r *doctorReport) indented(by, format string, args ...any) {
	if r.sh.screen.ASCII {
		by += " " // the marks are wider
	}
	fmt.Fprintf(r.out, "%s%s\n", by, term.Line(fmt.Sprintf(format, args...)))
}

func (r *doctorReport) write(h health.Health) {
	r.short = len(h.Roots) == 1
	r.roots(h.Roots)
	for _, retention := range h.Retention {
		r.retention(retention, h.Problems)
	}
	r.damage(h)
	writeKeepHealth(r, r.sh, h.Copies)
	r.twins(h.Twins)
	r.unknown(h.Unknown)
	r.registry(h)
	r.server(h.Server)
}

// server writes who may ask a server of ours without a token.
func (r *doctorReport) server(s *health.ServerNote) {
	switch {
	case s == nil:
	case len(s.Trust) == 0:
		r.say(fine, "serving at %s, to those with a token", s.URL)
	default:
		r.say(notable, "serving at %s", s.URL)
		for _, text := range s.Trust {
			r.more("%s", text)
		}
	}
}

func (r *doctorReport) roots(roots []health.RootHealth) {
	for _, root := range roots {
		name := r.sh.tilde(root.Root)
		if root.Error != "" {
			r.say(broken, "%s cannot be read: %s", name, root.Error)
			continue
		}
		r.say(fine, "%s readable · %s · %s · %s", name, plural(root.Files, "file"),
			term.Bytes(root.Bytes), plural(root.Transcripts, "transcript"))
		if root.OrphanedFiles > 0 {
			r.say(notable, "%s left over from sessions that no longer have a transcript: %s (%s)",
				plural(root.OrphanedFiles, "file"), term.Bytes(root.OrphanedBytes), r.sh.command("storage --by owner"))
		}
	}
}

func (r *doctorReport) retention(h health.RetentionHealth, problems []health.Finding) {
	l, source := fine, "cleanupPeriodDays in "+r.sh.tilde(h.File)
	if h.File == "" {
		file := filepath.Join(h.Root, "settings.json")
		source = "default; no cleanupPeriodDays in " + r.sh.tilde(file)
		if i := slices.IndexFunc(problems, func(p health.Finding) bool { return p.File == file }); i >= 0 {
			source = fmt.Sprintf("default; %s does not count: %s", r.sh.tilde(file), problems[i].Reason)
		}
	}
	if h.File == "" || len(h.Expiring) > 0 {
		l = notable
	}
	r.say(l, "Claude deletes transcripts after %s (%s)", plural(h.Days, "day"), source)
	switch n := len(h.Expiring); {
	case n == 0:
		r.more("no session reaches that age within %s", plural(r.days, "day"))
	case h.Overdue > 0:
		r.more("%s within %s; %s past it and can go any time", reach(n), plural(r.days, "day"), term.Count(h.Overdue))
	default:
		r.more("%s within %s", reach(n), plural(r.days, "day"))
	}
	if !r.details {
		return
	}
	for _, e := range h.Expiring {
		r.item("%s %s %s", e.ExpiresAt.In(r.sh.Now().Location()).Format("2006-01-02 15:04"), e.ID, r.sh.screen.Truncate(term.Line(e.Title), 60))
	}
}

// reach is "n sessions reach that age" with its grammar.
func reach(n int) string {
	if n == 1 {
		return "1 session reaches that age"
	}
	return plural(n, "session") + " reach that age"
}

// twins writes which transcripts lists leave out, and why.
func (r *doctorReport) twins(list []health.Duplicate) {
	if len(list) == 0 {
		return
	}
	r.say(notable, "%s the same id as another that is more recent: lists show only that one (ls --all --source twin)", has(len(list), "transcript"))
	if !r.details {
		return
	}
	for _, t := range list {
		r.item("%s", r.sh.tilde(filepath.Join(t.Root, filepath.FromSlash(t.File))))
	}
}

// damage writes first what is lost, then what is only odd.
func (r *doctorReport) damage(h health.Health) {
	var lost, odd []health.DamagedFile
	for _, f := range h.Damaged {
		if f.Lost > 0 {
			lost = append(lost, f)
		} else {
			odd = append(odd, f)
		}
	}
	if len(h.Damaged) == 0 {
		r.say(fine, "no damage")
	}
	if len(lost) > 0 {
		r.say(broken, "%s damaged lines: %s", has(len(lost), "file"), outcome(lost))
		r.files(h, lost)
	}
	if len(odd) > 0 {
		r.say(notable, "%s something odd, but no record is lost", has(len(odd), "file"))
		r.files(h, odd)
	}
}

// has is "n files have" with its grammar.
func has(n int, noun string) string {
	if n == 1 {
		return plural(n, noun) + " has"
	}
	return plural(n, noun) + " have"
}

// outcome sums up what became of the damaged lines.
func outcome(list []health.DamagedFile) string {
	lost, all := 0, 0
	for _, f := range list {
		lost += f.Lost
		all += f.Count
	}
	text := plural(lost, "record") + " lost"
	if all > lost {
		text += ", " + term.Count(all-lost) + " recovered"
	}
	return text
}

// shownFiles is how many files a report names without --details.
const shownFiles = 10

func (r *doctorReport) files(h health.Health, list []health.DamagedFile) {
	for i, f := range list {
		if i == shownFiles && !r.details {
			r.item("and %s more (--details)", term.Count(len(list)-i))
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
		r.item("%s: %s", r.path(f.Root, f.File), strings.Join(reasons, ", "))
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
	return r.sh.tilde(file)
}

func (r *doctorReport) problems(h health.Health, f health.DamagedFile) {
	told := 0
	for _, p := range h.Problems {
		if p.Root != f.Root || p.File != f.File {
			continue
		}
		told++
		if p.Line == 0 {
			continue // it is about the file, and its reason stands above
		}
		became := "nothing lost"
		if p.Lost {
			became = "lost"
		}
		r.indented("      ", "line %d, offset %d, %s: %s, %s", p.Line, p.Offset, term.Bytes(p.Length), p.Reason, became)
	}
	if told < f.Count {
		r.indented("      ", "and %s more", term.Count(f.Count-told))
	}
}

// unknown writes what this version has never heard of, by the version of the
// client that wrote it: news about the format, not damage.
func (r *doctorReport) unknown(list []sesskeep.Unfamiliar) {
	if len(list) == 0 {
		r.say(fine, "nothing unknown in the transcripts")
		return
	}
	r.say(notable, "%s in the transcripts that this version does not know", plural(len(list), "thing"))
	for _, u := range list {
		version := u.Version
		if version == "" {
			version = "of unknown version"
		}
		r.item("%s %s, client %s, %s", u.What, u.Name, version, times(u.Count))
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
		r.say(fine, "%s running", plural(h.Running, "client"))
	}
	if len(h.Leftovers) == 0 {
		return
	}
	r.say(notable, "%s registered but not running here: killed, or in another container", plural(len(h.Leftovers), "client"))
	for i, l := range h.Leftovers {
		if i == shownFiles && !r.details {
			r.item("and %s more (--details)", term.Count(len(h.Leftovers)-i))
			return
		}
		r.item("%s: process %d, session %s", r.path(l.Root, l.File), l.PID, l.Session)
	}
}
