// Package errcode says what an error means to a program: whether a caller named
// something that is not there, another process is in the way, or a file may not be
// read. Rooms return errors with a code or errors of the engines, which [Of] knows;
// fronts turn codes into exit codes, HTTP statuses and hints.
package errcode

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/backup"
	"sesskeep/internal/bundle"
	"sesskeep/internal/cursor"
	"sesskeep/internal/holder"
	"sesskeep/internal/identity"
	"sesskeep/internal/launch"
	"sesskeep/internal/sealed"
	"sesskeep/internal/shelf"
	"sesskeep/internal/vault"
)

// The errors of acts that a caller can do something about.
var (
	ErrHeld     = shelf.ErrHeld
	ErrChanged  = shelf.ErrChanged
	ErrPurged   = shelf.ErrPurged
	ErrConflict = errors.New("this needs your consent")
	ErrAgent    = errors.New("an agent goes with its session")
	ErrNoBundle = bundle.ErrInvalid
	ErrCursor   = cursor.ErrInvalid
	ErrNewer    = sealed.ErrNewer
	ErrCopyOnly = errors.New("transcript deleted; only the kept copy is left")
	// ErrLive says that a session may be being written.
	ErrLive = errors.New("the session is in use")
	// ErrRunning says that a client runs that could write what is to be moved.
	ErrRunning = errors.New("a client is running in this home")
	// ErrNoCopies says that there is no place for copies: our data directory is not
	// known.
	ErrNoCopies = errors.New("there is no data directory for copies")
)

// The errors of runs that a caller can do something about.
var (
	ErrNoClient = launch.ErrNoClient
	ErrNoRun    = holder.ErrNoRun
	ErrNotHeld  = holder.ErrNotHeld
	ErrOver     = launch.ErrOver
	ErrNoPrompt = launch.ErrNoPrompt
	ErrBypass   = launch.ErrBypass
	ErrNoSpace  = holder.ErrNoSpace
)

// Code says what an error means to a program. Fronts map codes to exit
// codes, statuses and hints.
type Code string

// The codes. Where a method's comment names none, what it returns is failed,
// canceled, or denied for what may not be read.
const (
	Invalid   Code = "invalid"   // the question makes no sense: a cursor of another list, an unknown sort
	NotFound  Code = "not_found" // what was named is not there
	NoProject Code = "no_project"
	NoHome    Code = "no_home"   // a file or a directory is not there
	Ambiguous Code = "ambiguous" // several things have that name
	Conflict  Code = "conflict"  // it would be in the way of others, or is not done to such a thing
	Denied    Code = "denied"    // it may not be read or written
	Held      Code = "held"      // another program is at it
	Changed   Code = "changed"   // others changed it since
	Canceled  Code = "canceled"  // the caller went away
	TimedOut  Code = "timeout"
	Damaged   Code = "damaged" // a copy of ours is not what was written
	// Incomplete is that a part could not be read, so that nothing was done that
	// needs all of it.
	Incomplete Code = "incomplete"
	NoSpace    Code = "no_space" // the disk is full
	Failed     Code = "failed"   // anything else
)

// Codes are all of them.
var Codes = []Code{
	Invalid, NotFound, NoProject, NoHome, Ambiguous, Conflict, Denied, Held, Changed, Canceled, TimedOut, Damaged, Incomplete, NoSpace, Failed,
}

// Error is an error with its code.
type Error struct {
	Code Code
	Err  error
}

func (e *Error) Error() string { return e.Err.Error() }

// New gives an error a code.
func New(c Code, err error) error { return &Error{c, err} }

// Unwrap gives the error itself.
func (e *Error) Unwrap() error { return e.Err }

// Of returns the code of an error; empty for none.
func Of(err error) Code {
	var coded *Error
	var taken *identity.TakenError
	var word *ask.WordError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &coded):
		return coded.Code
	case errors.Is(err, context.Canceled):
		return Canceled
	case OfRun(err) != "":
		return OfRun(err)
	case errors.Is(err, context.DeadlineExceeded):
		return TimedOut
	case errors.Is(err, vault.ErrDamaged), errors.Is(err, backup.ErrDamaged):
		return Damaged
	case errors.Is(err, sesskeep.ErrIncomplete):
		return Incomplete
	case errors.Is(err, sesskeep.ErrAmbiguous):
		return Ambiguous
	case errors.Is(err, sesskeep.ErrNotFound), errors.Is(err, backup.ErrNone):
		return NotFound
	case errors.Is(err, ErrCursor), errors.As(err, &word), errors.Is(err, ErrNoBundle):
		return Invalid
	case errors.Is(err, ErrHeld), errors.Is(err, ErrLive), errors.Is(err, ErrRunning), errors.Is(err, vault.ErrHeld), errors.Is(err, backup.ErrHeld):
		return Held
	case errors.Is(err, ErrChanged):
		return Changed
	case errors.As(err, &taken), errors.Is(err, ErrConflict), errors.Is(err, ErrAgent), errors.Is(err, ErrNoCopies), errors.Is(err, ErrCopyOnly), errors.Is(err, ErrNewer), errors.Is(err, ErrPurged), errors.Is(err, fs.ErrExist), errors.Is(err, backup.ErrTaken):
		return Conflict
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return NoSpace
	case errors.Is(err, homefs.ErrDenied), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS), errors.Is(err, backup.ErrKey):
		return Denied
	case errors.Is(err, fs.ErrNotExist):
		return NoHome
	}
	return Failed
}

// ErrNoProject says that there is no project of that name.
func ErrNoProject(name string) error {
	return New(NoProject, &sesskeep.Error{Op: "find project", Name: name, Err: sesskeep.ErrNotFound})
}

// InvalidCursor says that a list cannot be gone on with.
func InvalidCursor(err error) error { return New(Invalid, err) }

// OfRun is what an error of a run means; empty: it is none.
func OfRun(err error) Code {
	var answered *launch.AnsweredError
	switch {
	case errors.Is(err, holder.ErrNoRun), errors.Is(err, launch.ErrNoPrompt):
		return NotFound
	case errors.Is(err, launch.ErrBypass):
		return Denied
	case errors.Is(err, ErrNoSpace):
		return NoSpace
	case errors.Is(err, launch.ErrLong), errors.Is(err, launch.ErrEmpty), errors.Is(err, launch.ErrAnswer):
		return Invalid
	case errors.Is(err, holder.ErrNotHeld), errors.Is(err, holder.ErrLives), errors.Is(err, launch.ErrOver), errors.As(err, &answered),
		errors.Is(err, launch.ErrLate), errors.Is(err, launch.ErrInput), errors.Is(err, launch.ErrFull):
		return Conflict
	}
	return ""
}

// PlainReason is why something failed, without what failed.
func PlainReason(err error) string {
	return sesskeep.Cause(err).Error()
}
