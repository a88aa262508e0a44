// Package fail has the errors of commands, and says what every error means to the user:
// an exit code, a word for programs and a hint.
//
// Commands make errors of their own with Usage, Missing, Partial, Damage, Timeout and
// Conflict; Hint adds a hint that fits better than the usual one. Judge is the only table
// from errors to exit codes.
package fail

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"sesskeep"
	"sesskeep/internal/access"
	"sesskeep/internal/catalog"
	"sesskeep/internal/demo"
	"sesskeep/internal/errcode"
	"sesskeep/internal/host"
	"sesskeep/internal/identity"
	"sesskeep/internal/reading"
)

// The errors that commands return for reasons of their own. All others mean what their
// code says.
type (
	usageError   struct{ message, hint string } // the command was not written as it must be
	missingError struct{ message, hint string } // what was asked for is not there
	damageError  struct{ message string }       // the command did its work, and found damage
	partialError struct{ message string }       // some of what was asked for was done, and some not
	timeoutError struct{ message string }       // what the command waited for did not come
)

func (e usageError) Error() string   { return e.message }
func (e missingError) Error() string { return e.message }
func (e damageError) Error() string  { return e.message }
func (e partialError) Error() string { return e.message }
func (e timeoutError) Error() string { return e.message }

// Usage returns an error for a command that was not written as it must be.
func Usage(message, hint string) error { return usageError{message, hint} }

// Missing returns an error for something that is not there.
func Missing(message, hint string) error { return missingError{message, hint} }

// Damage returns an error for a command that did its work and found damage.
func Damage(message string) error { return damageError{message} }

// Partial returns an error for a command that did some of its work, but not all.
func Partial(message string) error { return partialError{message} }

// Timeout returns an error for a command that waited for something that did not come.
func Timeout(message string) error { return timeoutError{message} }

// hinted is an error with a hint that fits better than the usual one.
type hinted struct {
	error
	hint string
}

func (e hinted) Unwrap() error { return e.error }

// Hint returns err with a hint that fits better than the usual one.
func Hint(err error, hint string) error { return hinted{err, hint} }

// conflict is an error that another process causes.
type conflict struct{ hinted }

// Conflict returns err as a conflict with another process.
func Conflict(err error, hint string) error { return conflict{hinted{err, hint}} }

// ErrShown ends a command whose outcome the user has seen already.
var ErrShown = errors.New("shown already")

// Verdict is what an error means to the user.
type Verdict struct {
	Exit int
	Code string
	Hint string
}

// Judge decides what an error means; one that brings its own hint keeps it.
func Judge(err error) Verdict {
	v := table(err)
	var h hinted
	var noDir *host.NoDirError
	var taken *identity.TakenError
	switch {
	case errors.Is(err, errcode.ErrLive):
		v.Hint = "wait until it has finished, or pass --force"
	case errors.As(err, &h):
		v.Hint = h.hint
	case errors.As(err, &noDir):
		v.Hint = "set HOME or " + noDir.Variable
	case errors.Is(err, errcode.ErrNewer):
		v.Hint = "use that sesskeep, or a newer one"
	case errors.Is(err, errcode.ErrNoCopies):
		v.Hint = "set HOME or XDG_DATA_HOME"
	case errors.As(err, &taken):
		v.Hint = "choose another name, or rename that home with --claude-dir NAME=" + taken.Root
	}
	return v
}

// table is what errors of a command's own mean; all others mean what their code
// says.
func table(err error) Verdict {
	var usage usageError
	var damage damageError
	var partial partialError
	var exit Exit
	var timeout timeoutError
	var missing missingError
	var cause *sesskeep.Error
	var short *reading.TooShort
	var part *catalog.PartOfTitle
	var held conflict
	switch {
	case errors.As(err, &held):
		return Verdict{5, "conflict", held.hint}
	case errors.Is(err, access.ErrLost):
		return Verdict{7, "damage", `make new ones with "sesskeep token create"`}
	case errors.Is(err, demo.ErrInUse):
		return Verdict{5, "held", "end the interface or the server that shows it, or leave =fresh out"}
	case errors.As(err, &exit):
		return Verdict{int(exit), "failed", ""}
	case errors.As(err, &timeout):
		return Verdict{8, "timeout", ""}
	case errors.As(err, &missing):
		return Verdict{3, "not_found", missing.hint}
	case errors.As(err, &partial):
		return Verdict{6, "partial", ""}
	case errors.As(err, &usage):
		return Verdict{2, "usage", usage.hint}
	case errors.As(err, &damage):
		return Verdict{7, "damage", ""}
	case errors.As(err, &short):
		return Verdict{3, "not_found", "give more characters"}
	case errors.As(err, &part):
		return Verdict{3, "not_found", "give the id, or the whole title"}
	}
	if v, ok := verdicts[errcode.Of(err)]; ok {
		if errors.Is(err, sesskeep.ErrNotFound) && errors.As(err, &cause) {
			v.Hint = notFoundHint(cause)
		}
		if errors.Is(err, errcode.ErrCursor) {
			v.Hint = "leave out --cursor to start from the beginning"
		}
		return v
	}
	return Verdict{1, "failed", ""}
}

// verdicts is the one table from codes to exit codes and hints.
var verdicts = map[errcode.Code]Verdict{
	errcode.Invalid:    {2, "invalid", ""},
	errcode.TimedOut:   {8, "timeout", ""},
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
		return `"sesskeep session conversations SESSION" lists them`
	case e.Op == "find agent":
		return `"sesskeep session agents SESSION" lists them`
	case e.Op == "find message":
		return `"sesskeep show SESSION" shows them, "sesskeep search" finds them`
	case e.Op == "show command":
		return `"sesskeep command ls" lists them`
	case e.Name == "@live":
		return `no client runs; @last is the most recently active session`
	}
	return `"sesskeep ls --all --source all" lists everything there is; @last is the most recently active session`
}

// Wording says in plain words what was not found. An error that has more to say
// speaks for itself.
func Wording(err error) string {
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

// Exit is the exit code of a program that ran in our place and has printed its own error.
type Exit int

func (e Exit) Error() string { return "exit code " + strconv.Itoa(int(e)) }

func (e Exit) Is(target error) bool { return target == ErrShown }
