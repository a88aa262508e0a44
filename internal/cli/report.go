package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"

	"sesskeep/internal/term"
)

// finish closes the pager, tells the user what went wrong, and gives the exit
// code.
func (sh *shell) finish(err error) int {
	if e := sh.out.close(); err == nil {
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
	if sh.out.asJSON() {
		sh.reportJSON(err, v)
		return v.exit
	}
	sh.tell(wording(err))
	if v.hint != "" && !sh.out.flags.quiet {
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
		return failPartial(text + ": what is in it is missing here")
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
