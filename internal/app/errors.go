package app

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"sesskeep"
	"sesskeep/internal/bundle"
	"sesskeep/internal/cursor"
	"sesskeep/internal/holder"
	"sesskeep/internal/identity"
	"sesskeep/internal/index"
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
	ErrCopyOnly = errors.New("it was deleted, and only our copy is left")
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

// ErrorCode says what an error means to a program. Fronts map codes to exit
// codes, statuses and hints.
type ErrorCode string

// The codes. Where a method's comment names none, what it returns is failed,
// canceled, or denied for what may not be read.
const (
	CodeInvalid   ErrorCode = "invalid"   // the question makes no sense: a cursor of another list, an unknown sort
	CodeNotFound  ErrorCode = "not_found" // what was named is not there
	CodeNoProject ErrorCode = "no_project"
	CodeNoHome    ErrorCode = "no_home"   // a file or a directory is not there
	CodeAmbiguous ErrorCode = "ambiguous" // several things have that name
	CodeConflict  ErrorCode = "conflict"  // it would be in the way of others, or is not done to such a thing
	CodeDenied    ErrorCode = "denied"    // it may not be read or written
	CodeHeld      ErrorCode = "held"      // another program is at it
	CodeChanged   ErrorCode = "changed"   // others changed it since
	CodeCanceled  ErrorCode = "canceled"  // the caller went away
	CodeTimedOut  ErrorCode = "timeout"
	CodeDamaged   ErrorCode = "damaged" // a copy of ours is not what was written
	// CodeIncomplete is that a part could not be read, so that nothing was done that
	// needs all of it.
	CodeIncomplete ErrorCode = "incomplete"
	CodeNoSpace    ErrorCode = "no_space" // the disk is full
	CodeFailed     ErrorCode = "failed"   // anything else
)

// Error is an error with its code.
type Error struct {
	Code ErrorCode
	Err  error
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap gives the error itself.
func (e *Error) Unwrap() error { return e.Err }

// WordError is a word that is none of those a question takes.
type WordError = index.WordError

// Code tells what an error means. It is empty for none.
func Code(err error) ErrorCode {
	var coded *Error
	var taken *identity.TakenError
	var word *index.WordError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &coded):
		return coded.Code
	case errors.Is(err, context.Canceled):
		return CodeCanceled
	case runCode(err) != "":
		return runCode(err)
	case errors.Is(err, context.DeadlineExceeded):
		return CodeTimedOut
	case errors.Is(err, vault.ErrDamaged):
		return CodeDamaged
	case errors.Is(err, sesskeep.ErrIncomplete):
		return CodeIncomplete
	case errors.Is(err, sesskeep.ErrAmbiguous):
		return CodeAmbiguous
	case errors.Is(err, sesskeep.ErrNotFound):
		return CodeNotFound
	case errors.Is(err, ErrCursor), errors.As(err, &word), errors.Is(err, ErrNoBundle):
		return CodeInvalid
	case errors.Is(err, ErrHeld), errors.Is(err, ErrLive), errors.Is(err, ErrRunning), errors.Is(err, vault.ErrHeld):
		return CodeHeld
	case errors.Is(err, ErrChanged):
		return CodeChanged
	case errors.As(err, &taken), errors.Is(err, ErrConflict), errors.Is(err, ErrAgent), errors.Is(err, ErrNoCopies), errors.Is(err, ErrCopyOnly), errors.Is(err, ErrNewer), errors.Is(err, fs.ErrExist):
		return CodeConflict
	case errors.Is(err, sesskeep.ErrDenied), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return CodeDenied
	case errors.Is(err, fs.ErrNotExist):
		return CodeNoHome
	}
	return CodeFailed
}

// ErrNoProject says that there is no project of that name.
func ErrNoProject(name string) error {
	return &Error{CodeNoProject, &sesskeep.Error{Op: "find project", Name: name, Err: sesskeep.ErrNotFound}}
}

// invalidCursor says that a list cannot be gone on with.
func invalidCursor(err error) error { return &Error{CodeInvalid, err} }

// runCode is what an error of a run means; empty: it is none.
func runCode(err error) ErrorCode {
	var answered *launch.AnsweredError
	switch {
	case errors.Is(err, holder.ErrNoRun), errors.Is(err, launch.ErrNoPrompt):
		return CodeNotFound
	case errors.Is(err, launch.ErrBypass):
		return CodeDenied
	case errors.Is(err, ErrNoSpace):
		return CodeNoSpace
	case errors.Is(err, launch.ErrLong), errors.Is(err, launch.ErrEmpty), errors.Is(err, launch.ErrAnswer):
		return CodeInvalid
	case errors.Is(err, holder.ErrNotHeld), errors.Is(err, holder.ErrLives), errors.Is(err, launch.ErrOver), errors.As(err, &answered),
		errors.Is(err, launch.ErrLate), errors.Is(err, launch.ErrInput):
		return CodeConflict
	}
	return ""
}
