package shell

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/term"
)

// Finish closes the pager, prints what went wrong, and returns the exit code.
func (sh *Shell) Finish(err error) int {
	if e := sh.Out.Close(); err == nil {
		err = e
	}
	for _, close := range slices.Backward(sh.closers) {
		_ = close() // an index that was not closed properly is rebuilt
	}
	if errors.Is(err, syscall.EPIPE) {
		return 0 // the reader has closed the pipe
	}
	if err = withUnread(sh, err); err == nil {
		return 0
	}
	v := fail.Judge(err)
	if session, _, _ := strings.Cut(sh.Asked, "#"); session != "" {
		session, _, _ = strings.Cut(session, ":")
		session, _, _ = strings.Cut(session, "/")
		v.Hint = strings.ReplaceAll(v.Hint, "SESSION", session)
	}
	v.Hint = strings.ReplaceAll(v.Hint, `"sesskeep `, `"`+sh.Command("")) // about the same homes
	if errors.Is(err, fail.ErrShown) || v.Exit == 130 {
		return v.Exit
	}
	if sh.Out.JSON() {
		reportJSON(sh, err, v)
		return v.Exit
	}
	sh.Report(fail.Wording(err))
	if v.Hint != "" && !sh.Out.Flags.Quiet {
		sh.Report("hint: " + v.Hint)
	}
	return v.Exit
}

// withUnread adds to how a command ended what it could not read: an answer that lacks
// something is no whole one.
func withUnread(sh *Shell, err error) error {
	if len(sh.missed) == 0 {
		return err
	}
	text := sh.missed[0].Error()
	if more := len(sh.missed) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more that cannot be read)", more)
	}
	if err == nil && !sh.Acted {
		return fail.Partial(text + ": what is in it is missing here")
	}
	sh.Report(text + ": what is in it is missing here")
	return err
}

// Report writes a remark to standard error, on a terminal broken between words.
func (sh *Shell) Report(text string) {
	text = "sesskeep: " + term.Line(text)
	if screen := term.Detect(sh.Stderr, sh.Getenv); screen.TTY {
		text = term.Wrap(text, screen.Width, "")
	}
	fmt.Fprintln(sh.Stderr, text)
}

func reportJSON(sh *Shell, err error, v fail.Verdict) {
	type body struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		Hint    string `json:"hint,omitempty"`
	}
	_ = output.WriteJSON(sh.Stderr, map[string]body{"error": {v.Code, fail.Wording(err), v.Hint}}, "")
}
