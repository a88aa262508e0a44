package bridge

import (
	"errors"

	"sesskeep/internal/errcode"
	"sesskeep/internal/launch"
)

// Fault is an error as clients get it.
type Fault struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	// Recoverable is true if the socket stays open, and the agent as it was.
	Recoverable bool `json:"recoverable"`
	// Retryable is true if the same message can succeed later, after RetryAfter seconds.
	Retryable  bool `json:"retryable,omitempty"`
	RetryAfter int  `json:"retryAfter,omitempty"`
}

func (*Fault) kind() string { return "error" }

func (f *Fault) Error() string { return f.Message }

// The codes of errors. Clients act on some of them.
const (
	codeReplaced       = "connection_replaced"
	codeNoAgent        = "agent_not_found"
	codeNoSession      = "session_not_found"
	codeBadSession     = "session_invalid"
	codeRate           = "rate_limited"
	codeTooMany        = "max_agents_reached"
	codeQueueFull      = "queue_full"
	codeAuthentication = "authentication_failed"
	codeForbidden      = "forbidden"
	codeInvalid        = "invalid_message"
	codeNoQuestion     = "request_not_found"
	codeAnswer         = "invalid_answer"
	codeNothingToRetry = "nothing_to_retry"
	codeAttached       = "already_started"
	codeSlow           = "slow_reader"
	codeRefused        = "request_refused"
	codeNoClient       = "client_not_found"
	codeConflict       = "conflict"
	codeFailed         = "internal_error"
)

func fault(code, message string) *Fault {
	return &Fault{Code: code, Message: message, Recoverable: true}
}

func invalid(message string) *Fault { return fault(codeInvalid, message) }

// faultOf returns an error as clients get it. Code is what a missing thing is called.
func faultOf(err error, missing string) *Fault {
	var f *Fault
	switch code := errcode.Of(err); {
	case errors.As(err, &f):
		return f
	case errors.Is(err, launch.ErrFull):
		return &Fault{Code: codeQueueFull, Message: err.Error(), Recoverable: true, Retryable: true}
	case errors.Is(err, ErrTooManyAgents):
		return &Fault{Code: codeTooMany, Message: err.Error(), Recoverable: true, Retryable: true, RetryAfter: 60}
	case errors.Is(err, errcode.ErrNoClient):
		return fault(codeNoClient, "there is no client on the machine of the server: install Claude Code there")
	case errors.Is(err, launch.ErrAnswer):
		return fault(codeAnswer, err.Error())
	case errors.Is(err, launch.ErrOver):
		return fault(codeNoAgent, "the agent has ended; start the session again")
	case code == errcode.NotFound, code == errcode.NoProject, code == errcode.NoHome:
		return fault(missing, err.Error())
	case code == errcode.Denied:
		return fault(codeForbidden, err.Error())
	case code == errcode.Invalid, code == errcode.Ambiguous:
		return fault(codeInvalid, err.Error())
	case code == errcode.Conflict, code == errcode.Held, code == errcode.Changed:
		return fault(codeConflict, err.Error())
	default:
		return &Fault{Code: codeFailed, Message: err.Error(), Recoverable: true, Retryable: true}
	}
}
