package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"sesskeep/internal/app"
)

// Problem is an error as it is answered: RFC 9457, with what clients of
// cli-bridge look for beside.
type Problem struct {
	Title      string `json:"title" doc:"What the status means"`
	Status     int    `json:"status"`
	Detail     string `json:"detail" doc:"What went wrong, for people"`
	Code       string `json:"code" doc:"What went wrong, for programs"`
	Hint       string `json:"hint,omitempty" doc:"What to do about it"`
	Name       string `json:"error" doc:"The code as cli-bridge calls it"`
	Message    string `json:"message" doc:"The same as detail, as cli-bridge calls it"`
	RetryAfter int    `json:"retryAfter,omitempty" doc:"Seconds to wait"`
	Candidates []any  `json:"candidates,omitempty" doc:"What else has the name"`
}

func newProblem(status int, code, detail string) *Problem {
	return &Problem{Title: http.StatusText(status), Status: status, Detail: detail, Code: code, Name: bridgeName(status), Message: detail}
}

// bridgeName is what cli-bridge calls an error of a status.
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

// GetStatus is asked for by huma.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType is asked for by huma.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// Huma makes all its errors by this function, which is one for the process.
func init() {
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		if status == http.StatusUnprocessableEntity {
			status = http.StatusBadRequest // what cli-bridge says of a wrong question
		}
		details := []string{message}
		for _, err := range errs {
			var p *Problem
			if errors.As(err, &p) {
				return p
			}
			if err != nil {
				details = append(details, err.Error())
			}
		}
		return newProblem(status, codeOf(status), strings.Join(details, ": "))
	}
}

// codeOf is the code of an error that only has a status.
func codeOf(status int) string {
	switch status {
	case http.StatusBadRequest:
		return string(app.CodeInvalid)
	case http.StatusNotFound:
		return string(app.CodeNotFound)
	case http.StatusRequestEntityTooLarge:
		return "too_large"
	case http.StatusUnsupportedMediaType:
		return "media_type"
	}
	return string(app.CodeFailed)
}

// statuses are what the codes of app are answered with.
var statuses = map[app.ErrorCode]int{
	app.CodeInvalid: http.StatusBadRequest, app.CodeNotFound: http.StatusNotFound, app.CodeNoProject: http.StatusNotFound,
	app.CodeNoHome: http.StatusNotFound, app.CodeAmbiguous: http.StatusConflict, app.CodeConflict: http.StatusConflict,
	app.CodeDenied: http.StatusForbidden, app.CodeHeld: http.StatusConflict, app.CodeChanged: http.StatusConflict,
	app.CodeTimedOut: http.StatusGatewayTimeout,
}

// hints say what to do about an error.
var hints = map[app.ErrorCode]string{
	app.CodeNotFound:  "GET /sessions lists what there is",
	app.CodeNoProject: "GET /projects lists what there is",
	app.CodeAmbiguous: "give more of the id, or ?root= for one home",
	app.CodeHeld:      "another program is at it: try again",
	app.CodeChanged:   "it changed since you read it: read it again",
}

// problemOf is what an error of app is answered with.
func problemOf(err error) *Problem {
	var p *Problem
	if errors.As(err, &p) {
		return p
	}
	code := app.Code(err)
	status, known := statuses[code]
	if !known {
		status = http.StatusInternalServerError
	}
	p = newProblem(status, string(code), err.Error())
	p.Hint = hints[code]
	switch {
	case errors.Is(err, app.ErrNoRun):
		p.Hint = "GET /runs lists what there is"
	case errors.Is(err, app.ErrNoPrompt):
		p.Hint = "GET /inbox lists what waits"
	}
	var several *app.Ambiguous
	if errors.As(err, &several) {
		for _, c := range several.Candidates {
			p.Candidates = append(p.Candidates, c)
		}
	}
	return p
}

// writeProblem answers with an error.
func writeProblem(w http.ResponseWriter, r *http.Request, err error) {
	p := problemOf(err)
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	if r.Method != http.MethodHead {
		_ = json.NewEncoder(w).Encode(p) // who does not read it has gone
	}
}

// invalid is the problem of a parameter.
func invalid(name, format string, args ...any) error {
	return newProblem(http.StatusBadRequest, string(app.CodeInvalid), name+": "+fmt.Sprintf(format, args...))
}
