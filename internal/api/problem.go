package api

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/errcode"
	"sesskeep/internal/reading"
)

// Problem is an error in an answer: RFC 9457, with the additional fields of cli-bridge.
type Problem struct {
	Title      string `json:"title" doc:"Text of the HTTP status"`
	Status     int    `json:"status" doc:"HTTP status"`
	Detail     string `json:"detail" doc:"What went wrong, for people"`
	Code       string `json:"code" doc:"What went wrong, for programs"`
	Hint       string `json:"hint,omitempty" doc:"How to fix it"`
	Field      string `json:"field,omitempty" doc:"Parameter or field of the body that is wrong"`
	Name       string `json:"error" doc:"Error code in the terms of cli-bridge"`
	Message    string `json:"message" doc:"The same as detail, for clients of cli-bridge"`
	RetryAfter int    `json:"retryAfter,omitempty" doc:"Seconds to wait before the next try"`
	Candidates []any  `json:"candidates,omitempty" doc:"Objects that the name could mean"`
	// Coverage is set if what was not found may be where nothing was read.
	Coverage *ask.Coverage `json:"coverage,omitempty" doc:"How much was read, if what was not found may be in the rest"`
}

func newProblem(status int, code, detail string) *Problem {
	return &Problem{Title: http.StatusText(status), Status: status, Detail: detail, Code: code, Hint: hints[errcode.Code(code)], Name: bridgeName(status), Message: detail}
}

// bridgeName returns the name that cli-bridge has for errors with a status.
func bridgeName(status int) string {
	switch {
	case status == http.StatusNotFound:
		return "NOT_FOUND"
	case status == http.StatusTooManyRequests:
		return "RATE_LIMITED"
	case status == http.StatusUnauthorized:
		return "UNAUTHORIZED"
	case status == http.StatusForbidden:
		return "FORBIDDEN"
	case status == http.StatusConflict:
		return "CONFLICT"
	case status >= 500:
		return "SERVER_ERROR"
	}
	return "VALIDATION_ERROR"
}

func (p *Problem) Error() string { return p.Detail }

// GetStatus implements [huma.StatusError].
func (p *Problem) GetStatus() int { return p.Status }

// ContentType implements [huma.ContentTypeFilter].
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// Huma creates all its errors by this function, which is global.
func init() {
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		if status == http.StatusUnprocessableEntity {
			status = http.StatusBadRequest // cli-bridge's status for invalid requests
		}
		var details []string
		field := ""
		for _, err := range errs {
			var one *huma.ErrorDetail
			switch {
			case errors.As(err, &one):
				field = cmp.Or(field, fieldOf(one.Location))
				details = append(details, strings.TrimPrefix(fieldOf(one.Location)+": ", ": ")+one.Message)
			case err != nil:
				details = append(details, err.Error())
			}
		}
		if len(details) == 0 {
			details = append(details, message)
		}
		p := newProblem(status, codeOf(status), strings.Join(details, "; "))
		p.Field = field
		return p
	}
}

// fieldOf returns the name of a parameter or field from its location in huma: query.limit
// is limit.
func fieldOf(location string) string {
	_, field, _ := strings.Cut(location, ".")
	return cmp.Or(field, location)
}

// Codes of errors that only the server has.
const (
	codeMethod   = "method_not_allowed"
	codeOrigin   = "origin"
	codeTooLarge = "too_large"
)

// codeOf returns the code of an error that only has a status.
func codeOf(status int) string {
	switch status {
	case http.StatusBadRequest:
		return string(errcode.Invalid)
	case http.StatusNotFound:
		return string(errcode.NotFound)
	case http.StatusRequestEntityTooLarge:
		return codeTooLarge
	case http.StatusUnsupportedMediaType:
		return "media_type"
	}
	return string(errcode.Failed)
}

// statuses are the HTTP statuses of error codes.
var statuses = map[errcode.Code]int{
	errcode.Invalid: http.StatusBadRequest, errcode.NotFound: http.StatusNotFound, errcode.NoProject: http.StatusNotFound,
	errcode.NoHome: http.StatusNotFound, errcode.Ambiguous: http.StatusConflict, errcode.Conflict: http.StatusConflict,
	errcode.Denied: http.StatusForbidden, errcode.Held: http.StatusConflict, errcode.Changed: http.StatusConflict,
	errcode.TimedOut: http.StatusGatewayTimeout, errcode.Incomplete: http.StatusConflict, errcode.NoSpace: http.StatusInsufficientStorage,
	errcode.Damaged:  http.StatusConflict,
	errcode.Canceled: http.StatusServiceUnavailable, // who is still there to read it was cut off by the end of the server
}

// hints are suggestions for each error code.
var hints = map[errcode.Code]string{
	errcode.Invalid:    "GET " + prefix + "/openapi.json documents the parameters of every request",
	errcode.NotFound:   "GET /sessions lists what there is",
	errcode.NoProject:  "GET /projects lists what there is",
	errcode.NoHome:     "GET /doctor reports the state of the homes",
	errcode.Ambiguous:  "give more of the id, or ?root= for one home",
	errcode.Held:       "another program is using it: try again",
	errcode.Changed:    "it changed since you read it: read it again",
	errcode.Conflict:   "GET it again to see how it is now",
	errcode.Denied:     "make sure that the server's user may read and write it",
	errcode.Damaged:    `"sesskeep keep restore ID --partial" puts back what is intact`,
	errcode.Incomplete: "make sure that the server's user may read it",
	errcode.TimedOut:   "ask for less, or try again",
	errcode.Failed:     `"sesskeep doctor" reports problems, and "serve --log" logs what the server does`,
	codeOrigin:         "open the page under the address of this server",
	codeTooLarge:       "send less at a time",
	errcode.Canceled:   "the server is stopping: try again when it runs",
	errcode.NoSpace:    "make room on the disk of the server",
}

// lists are hints where to find what was not found, by the operation that failed.
var lists = map[string]string{
	"find conversation": "GET /sessions/{id}/conversations lists what there is",
	"find message":      "GET /sessions/{id}/blocks has the ids of messages",
	"find blob":         "GET /sessions/{id}/blocks has the references of blobs",
	"find agent":        "GET /sessions/{id}/agents lists what there is",
	"find in the trash": "GET /trash lists what there is",
	"find the copy of":  "GET /keep/gone lists what there is",
	"undo":              "GET /activity lists what was changed",
}

// problemOf converts an error to a problem.
func problemOf(err error) *Problem {
	var p *Problem
	if errors.As(err, &p) {
		return p
	}
	code := errcode.Of(err)
	status, known := statuses[code]
	if !known {
		status = http.StatusInternalServerError
	}
	p = newProblem(status, string(code), err.Error())
	p.Field = fieldIn(err)
	var lost *sesskeep.Error
	if errors.As(err, &lost) && code == errcode.NotFound {
		p.Hint = cmp.Or(lists[lost.Op], p.Hint)
	}
	switch {
	case errors.Is(err, errcode.ErrAgent):
		p.Hint = "ask it of the session that started the agent"
	case errors.Is(err, errcode.ErrNoRun):
		p.Hint = "GET /runs lists what there is"
	case errors.Is(err, errcode.ErrNoPrompt):
		p.Hint = "GET /inbox lists what waits"
	}
	var several *reading.Ambiguous
	if errors.As(err, &several) {
		for _, c := range several.Candidates {
			p.Candidates = append(p.Candidates, c)
		}
	}
	return p
}

// inPart says of something that was not found that it may be in what was not read.
func inPart(err error, c ask.Coverage) error {
	if code := errcode.Of(err); c.Complete || code != errcode.NotFound && code != errcode.NoProject {
		return err
	}
	p := problemOf(err)
	p.Detail += ", but not everything was read: " + c.String()
	p.Message, p.Hint, p.Coverage = p.Detail, "try again when GET /sessions/count is complete; GET /doctor says what cannot be read", &c
	return p
}

// fieldIn returns the parameter that an error is about, or an empty text.
func fieldIn(err error) string {
	var word *ask.WordError
	switch {
	case errors.Is(err, errcode.ErrCursor):
		return "cursor"
	case errors.As(err, &word):
		return word.What
	}
	return ""
}

// writeProblem answers with an error.
func writeProblem(w http.ResponseWriter, r *http.Request, err error) {
	p := problemOf(err)
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	if r.Method != http.MethodHead {
		_ = json.NewEncoder(w).Encode(p) // a client that does not read has gone
	}
}

// invalid is the problem of an invalid parameter.
func invalid(name, format string, args ...any) error {
	return invalidField(name, fmt.Sprintf(format, args...))
}

func invalidField(name, detail string) *Problem {
	p := newProblem(http.StatusBadRequest, string(errcode.Invalid), name+": "+detail)
	p.Field = name
	return p
}
