package shell

import "io"

// Lend is standard output as it is, for a program that has it in our place: the
// client that is run on our terminal, the interface, whose frames are made safe
// before, and a holder, which speaks to a program. Nothing else may use it.
func (sh *Shell) Lend() io.Writer { return sh.Stdout.Raw() }

// LendErrors is standard error as it is, for such a program, and for one of the
// user's own that --exec runs.
func (sh *Shell) LendErrors() io.Writer { return sh.Stderr.Raw() }
