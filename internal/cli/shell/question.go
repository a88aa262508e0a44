package shell

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/term"

	xterm "golang.org/x/term"
)

// Asks reports whether there is a person to ask: both ends are a terminal, and
// the answer is not for a program.
func (sh *Shell) Asks() bool {
	return sh.Typed() && sh.Out.Screen.TTY && sh.Out.Flags.JSON == "" && !sh.Out.Flags.JSONL && sh.Out.Flags.JQ == ""
}

// Typed reports whether standard input is a terminal.
func (sh *Shell) Typed() bool {
	in, ok := sh.Stdin.(*os.File)
	return ok && xterm.IsTerminal(int(in.Fd()))
}

// Prompt asks for a line; the second result is false when there are no more.
func (sh *Shell) Prompt(ctx context.Context, in <-chan string, text string) (string, bool) {
	fmt.Fprint(sh.Stdout, sh.Out.Screen.Paint(term.Bold, text))
	select {
	case line, ok := <-in:
		if !ok {
			fmt.Fprintln(sh.Stdout)
		}
		return line, ok
	case <-ctx.Done():
		fmt.Fprintln(sh.Stdout)
		return "", false
	}
}

// OneLine reads a line and not a byte more: what is typed after it is for others.
func OneLine(r io.Reader) <-chan string {
	typed := make(chan string, 1)
	go func() {
		defer close(typed)
		var line []byte
		for b := make([]byte, 1); ; {
			n, err := r.Read(b)
			if n > 0 && b[0] != '\n' {
				line = append(line, b[0])
				continue
			}
			if n == 0 && err == nil {
				continue
			}
			if n > 0 || len(line) > 0 {
				typed <- strings.TrimSpace(string(line))
			}
			return
		}
	}()
	return typed
}

// Yes asks a person.
func (sh *Shell) Yes(ctx context.Context) bool {
	answer, ok := sh.Prompt(ctx, OneLine(sh.Stdin), "Continue? [y/N] ")
	return ok && (strings.EqualFold(answer, "y") || strings.EqualFold(answer, "yes"))
}

// Secret asks a person for a text that is not shown while it is typed.
func Secret(sh *Shell, text string) (string, error) {
	in, ok := sh.Stdin.(*os.File)
	if !ok || !sh.Typed() {
		return "", fail.Usage("there is no terminal to ask for the passphrase on", "name a file with it: --passphrase-file FILE")
	}
	fmt.Fprint(sh.Stderr, text)
	typed, err := xterm.ReadPassword(int(in.Fd()))
	fmt.Fprintln(sh.Stderr)
	return string(typed), err
}
