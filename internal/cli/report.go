package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"

	"sesskeep"
	"sesskeep/internal/access"
	"sesskeep/internal/api"
	"sesskeep/internal/catalog"
	"sesskeep/internal/demo"
	"sesskeep/internal/errcode"
	"sesskeep/internal/host"
	"sesskeep/internal/identity"
	"sesskeep/internal/reading"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

// usageError is a command that was not written as it must be.
type usageError struct{ message, hint string }

func (e usageError) Error() string { return e.message }

// damageError says that what was asked for was done, and damage was found.
type damageError struct{ message string }

func (e damageError) Error() string { return e.message }

// partialError says that some of what was asked for was done, and some not.
type partialError struct{ message string }

func (e partialError) Error() string { return e.message }

// timeoutError says that what was waited for did not come.
type timeoutError struct{ message string }

func (e timeoutError) Error() string { return e.message }

// missingError says that what was asked for is not there.
type missingError struct{ message, hint string }

func (e missingError) Error() string { return e.message }

// hinted is an error with a hint that fits better than the usual one.
type hinted struct {
	error
	hint string
}

func (e hinted) Unwrap() error { return e.error }

// errShown ends a command whose outcome the user has seen already.
var errShown = errors.New("shown already")

// verdict is what an error means to the user.
type verdict struct {
	exit int
	code string
	hint string
}

// judge decides what an error means; one that brings its own hint keeps it.
func judge(err error) verdict {
	v := table(err)
	var h hinted
	var place *host.NoDirError
	var taken *identity.TakenError
	switch {
	case errors.Is(err, errcode.ErrLive):
		v.hint = "wait until it has finished, or pass --force"
	case errors.As(err, &h):
		v.hint = h.hint
	case errors.As(err, &place):
		v.hint = "set HOME or " + place.Variable
	case errors.Is(err, errcode.ErrNewer):
		v.hint = "use that sesskeep, or a newer one"
	case errors.Is(err, errcode.ErrNoCopies):
		v.hint = "set HOME or XDG_DATA_HOME"
	case errors.As(err, &taken):
		v.hint = "choose another name, or rename that home with --claude-dir NAME=" + taken.Root
	}
	return v
}

// table is what errors of a command's own mean; all others mean what their code
// says.
func table(err error) verdict {
	var usage usageError
	var damage damageError
	var partial partialError
	var exit exitCode
	var timeout timeoutError
	var missing missingError
	var cause *sesskeep.Error
	var short *reading.TooShort
	var part *catalog.PartOfTitle
	var served *api.RunningError
	switch {
	case errors.As(err, &served):
		return verdict{5, "conflict", "ask that one, or stop it first"}
	case errors.Is(err, access.ErrLost):
		return verdict{7, "damage", `make new ones with "sesskeep token create"`}
	case errors.Is(err, demo.ErrInUse):
		return verdict{5, "held", "end the interface or the server that shows it, or leave =fresh out"}
	case errors.As(err, &exit):
		return verdict{int(exit), "failed", ""}
	case errors.As(err, &timeout):
		return verdict{8, "timeout", ""}
	case errors.As(err, &missing):
		return verdict{3, "not_found", missing.hint}
	case errors.As(err, &partial):
		return verdict{6, "partial", ""}
	case errors.As(err, &usage):
		return verdict{2, "usage", usage.hint}
	case errors.As(err, &damage):
		return verdict{7, "damage", ""}
	case errors.As(err, &short):
		return verdict{3, "not_found", "give more characters"}
	case errors.As(err, &part):
		return verdict{3, "not_found", "give the id, or the whole title"}
	}
	if v, ok := verdicts[errcode.Of(err)]; ok {
		if errors.Is(err, sesskeep.ErrNotFound) && errors.As(err, &cause) {
			v.hint = notFoundHint(cause)
		}
		if errors.Is(err, errcode.ErrCursor) {
			v.hint = "leave out --cursor to start from the beginning"
		}
		return v
	}
	return verdict{1, "failed", ""}
}

// verdicts is the one table from codes to exit codes and hints.
var verdicts = map[errcode.Code]verdict{
	errcode.Invalid:    {2, "invalid", ""},
	errcode.Canceled:   {130, "interrupted", ""},
	errcode.Ambiguous:  {3, "ambiguous", "give more characters"},
	errcode.NoProject:  {3, "not_found", `"sesskeep project ls" lists them`},
	errcode.NotFound:   {3, "not_found", `"sesskeep ls --all --source all" lists everything there is`},
	errcode.NoHome:     {3, "not_found", "name Claude's home with --claude-dir or CLAUDE_CONFIG_DIR, or try --demo"},
	errcode.Held:       {5, "held", "try again when it is done"},
	errcode.Changed:    {5, "changed", ""},
	errcode.Conflict:   {5, "conflict", ""},
	errcode.Damaged:    {7, "damage", `restore what is intact: "sesskeep keep restore ID --partial"`},
	errcode.Incomplete: {6, "incomplete", "make it readable, and try again"},
	errcode.Denied:     {4, "denied", "check who owns the file and who may write it, or name another home with --claude-dir"},
	errcode.NoSpace:    {1, "no_space", "make room on that disk, or name a directory on another one with XDG_DATA_HOME"},
}

// notFoundHint names the command that lists what can be found. SESSION is the
// address that was asked for.
func notFoundHint(e *sesskeep.Error) string {
	switch {
	case e.Op == "find project":
		return `"sesskeep project ls" lists them`
	case e.Op == "find in the trash":
		return `"sesskeep trash ls" lists what is in the trash`
	case e.Op == "find conversation":
		return `"sesskeep session branches SESSION" lists them`
	case e.Op == "find agent":
		return `"sesskeep session agents SESSION" lists them`
	case e.Op == "find message":
		return `"sesskeep show SESSION" shows them, "sesskeep search" finds them`
	case e.Op == "show command":
		return `"sesskeep command ls" lists them`
	case e.Name == "@live":
		return `no client runs; @last is the session active last`
	}
	return `"sesskeep ls --all --source all" lists everything there is; @last is the session active last`
}

// wording says in plain words what was not found. An error that has more to say
// speaks for itself.
func wording(err error) string {
	var e *sesskeep.Error
	if !errors.As(err, &e) || !errors.Is(e.Err, sesskeep.ErrNotFound) || err.Error() != e.Error() {
		return err.Error()
	}
	switch e.Op {
	case "find":
		return fmt.Sprintf("no session matches %q", e.Name)
	case "find in the trash":
		return fmt.Sprintf("no session in the trash matches %q", e.Name)
	case "find project":
		return fmt.Sprintf("no project matches %q", e.Name)
	case "find conversation", "find agent", "find message":
		return fmt.Sprintf("no %s begins with %q", strings.TrimPrefix(e.Op, "find "), e.Name)
	case "show command":
		return fmt.Sprintf("no command is called %q", e.Name)
	}
	return err.Error()
}

// finish closes the pager, tells the user what went wrong, and gives the exit
// code.
func (sh *shell) finish(err error) int {
	if sh.pager != nil {
		if e := sh.pager.Close(); err == nil {
			err = e
		}
	}
	if e := sh.flush(); err == nil {
		err = e
	}
	for _, close := range slices.Backward(sh.closers) {
		_ = close() // the index is read anew if it was not left well
	}
	if errors.Is(err, syscall.EPIPE) {
		return 0 // whoever read us has seen enough
	}
	if err = sh.withUnread(err); err == nil {
		return 0
	}
	v := judge(err)
	if session, _, _ := strings.Cut(sh.asked, "#"); session != "" {
		session, _, _ = strings.Cut(session, ":")
		session, _, _ = strings.Cut(session, "/")
		v.hint = strings.ReplaceAll(v.hint, "SESSION", session)
	}
	v.hint = strings.ReplaceAll(v.hint, `"sesskeep `, `"`+sh.command("")) // about the same homes
	if errors.Is(err, errShown) || v.exit == 130 {
		return v.exit
	}
	if sh.asJSON() {
		sh.reportJSON(err, v)
		return v.exit
	}
	sh.tell(wording(err))
	if v.hint != "" && !sh.flags.quiet {
		sh.tell("hint: " + v.hint)
	}
	return v.exit
}

// withUnread adds to how a command ended what it could not read: an answer that lacks
// something is no whole one.
func (sh *shell) withUnread(err error) error {
	if len(sh.missed) == 0 {
		return err
	}
	text := sh.missed[0].Error()
	if more := len(sh.missed) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more that cannot be read)", more)
	}
	if err == nil && !sh.acted {
		return partialError{text + ": what is in it is missing here"}
	}
	sh.tell(text + ": what is in it is missing here")
	return err
}

// tell writes a remark to standard error, on a terminal broken between words.
func (sh *shell) tell(text string) {
	text = "sesskeep: " + term.Line(text)
	if screen := term.Detect(sh.Stderr, sh.Getenv); screen.TTY {
		text = term.Wrap(text, screen.Width, "")
	}
	fmt.Fprintln(sh.Stderr, text)
}

func (sh *shell) reportJSON(err error, v verdict) {
	type body struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		Hint    string `json:"hint,omitempty"`
	}
	_ = writeJSON(sh.Stderr, map[string]body{"error": {v.code, wording(err), v.hint}}, "")
}

// noArgs and oneArg check arguments with a message of ours.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := `run "` + cmd.CommandPath() + ` --help"`
	if meant := commandsLike(cmd, args[0]); len(meant) > 0 {
		hint = `did you mean "` + strings.Join(meant, `" or "`) + `"?`
	}
	return usageError{fmt.Sprintf("unknown command or argument %q", args[0]), fieldsHint(cmd, args[0], hint)}
}

// commandsLike is what somebody who typed word behind cmd may have meant: the
// commands of that name one level down, else the one that is spelled nearly so.
func commandsLike(cmd *cobra.Command, word string) []string {
	var meant []string
	for _, group := range cmd.Commands() {
		for _, sub := range group.Commands() {
			if sub.Name() == word && !group.Hidden && !sub.Hidden {
				meant = append(meant, sub.CommandPath())
			}
		}
	}
	if len(meant) > 0 {
		return meant
	}
	// Short words are near to everything: less than half may be wrong.
	cmd.SuggestionsMinimumDistance = max(1, min(2, (len(word)-1)/2))
	if near := cmd.SuggestionsFor(word); len(near) > 0 {
		meant = append(meant, cmd.CommandPath()+" "+near[0])
	}
	return meant
}

// fieldsHint is the hint for an argument that was meant as the value of --json.
func fieldsHint(cmd *cobra.Command, arg, hint string) string {
	if cmd.Flags().Changed("json") && cmd.Flag("json").Value.String() == cmd.Flag("json").NoOptDefVal {
		return "to choose fields write --json=" + arg
	}
	return hint
}

// flagError says what is wrong with a flag without naming the functions of Go
// that found out.
func flagError(cmd *cobra.Command, err error) error {
	text, _, _ := strings.Cut(err.Error(), `: strconv.`)
	if cmd.Name() == "search" && strings.HasPrefix(text, "unknown") {
		return usageError{text, `a query that begins with "-" goes behind "--": sesskeep search -- "-retry half"`}
	}
	return usageError{text, `run "` + cmd.CommandPath() + ` --help"`}
}

func oneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch len(args) {
		case 0:
			return usageError{"which " + what + "?", "usage: " + cmd.UseLine()}
		case 1:
			return nil
		}
		return usageError{fmt.Sprintf("give one %s, not %d", what, len(args)), fieldsHint(cmd, args[len(args)-1], "usage: "+cmd.UseLine())}
	}
}
