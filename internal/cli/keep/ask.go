package keep

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"sesskeep/internal/app"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/host"
	"sesskeep/internal/term"
	"sesskeep/internal/vault"
)

// Ask asks once, before the interface opens, whether copies shall be kept.
// The interface opens even if that fails.
func Ask(ctx context.Context, sh *shell.Shell, a *app.App) {
	p, err := a.Keep.Policy()
	if err != nil || !p.Asked.IsZero() || sh.Flags.Demo.On {
		return
	}
	st, err := a.Keep.Status(ctx)
	if err != nil || st.Bytes == 0 {
		return
	}
	fmt.Fprintf(sh.Stdout, `Claude Code deletes sessions after %s. Shall sesskeep keep a copy of each?
  where    %s
  space    about %s for %s
  stop     sesskeep keep off
Keep copies? [Y/n] `, output.Plural(a.Keep.Period(host.ManagedDir()), "day"), term.Line(sh.Tilde(st.Dir)), term.Bytes(st.Bytes/3), output.Plural(st.Sessions, "session"))
	yes, err := answer(sh.Stdin)
	if err != nil {
		return
	}
	if _, err := a.Keep.SetPolicy(func(p *vault.Policy) { p.On, p.Asked = yes, sh.Now() }); err != nil {
		sh.Report(err.Error())
		return
	}
	if yes {
		fmt.Fprintln(sh.Stdout, `Copies are kept while the interface is open; "sesskeep keep on" also adds a hook for when it is not.`)
	}
}

// answer reads a yes or a no. Enter is yes; the end of the input is neither.
func answer(in io.Reader) (yes bool, err error) {
	line, err := bufio.NewReaderSize(in, 16).ReadString('\n')
	if err != nil {
		return false, err
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "", "y", "yes":
		return true, nil
	}
	return false, nil
}
