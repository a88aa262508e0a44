package cli

import "io"

// lend is standard output as it is, for a program that has it in our place: the
// client that is run on our terminal, the interface, whose frames are made safe
// before, and a holder, which speaks to a program. Nothing else may use it.
func (sh *shell) lend() io.Writer { return sh.Stdout.Raw() }

// lendErrors is standard error as it is, for such a program, and for one of the
// user's own that --exec runs.
func (sh *shell) lendErrors() io.Writer { return sh.Stderr.Raw() }
