package cli

import (
	"io"

	"sesskeep/internal/term"
)

type shell struct{ Stdout *term.Exit }

func (sh *shell) lend() io.Writer { return sh.Stdout.Raw() }
