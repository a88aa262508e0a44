package shell

import (
	"io"

	"sesskeep/internal/term"
)

type Shell struct{ Stdout *term.Exit }

func (sh *Shell) Lend() io.Writer { return sh.Stdout.Raw() }
