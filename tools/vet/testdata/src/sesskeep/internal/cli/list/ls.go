package list

import (
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	hidden "os"
	"syscall"

	"sesskeep/internal/cli/shell"
)

func ls(sh *shell.Shell, title string) {
	fmt.Fprintln(sh.Stdout, title)

	fmt.Println(title)                   // want `fmt.Println leads past term.Exit`
	fmt.Fprintln(os.Stdout, title)       // want `os.Stdout leads past term.Exit`
	fmt.Fprintln(hidden.Stderr)          // want `os.Stderr leads past term.Exit`
	fmt.Fprintln(os.NewFile(1, "x"))     // want `os.NewFile leads past term.Exit`
	fmt.Fprintln(sh.Stdout.Raw())        // want `sesskeep/internal/term.Exit.Raw leads past term.Exit`
	fmt.Fprintln(sh.Lend())              // want `sesskeep/internal/cli/shell.Shell.Lend leads past term.Exit`
	_, _ = syscall.Write(1, nil)         // want `syscall.Write leads past term.Exit`
	_, _ = os.OpenFile("/dev/tty", 1, 0) // want `/dev/tty leads past term.Exit`
	log.Print(title)                     // want `log.Print leads past term.Exit`
	slog.Info(title)                     // want `log/slog.Info leads past term.Exit`
	println(title)                       // want `println leads past term.Exit`

	print := fmt.Printf // want `fmt.Printf leads past term.Exit`
	_, _ = print(title)
	raw := (*shell.Shell).Lend // want `sesskeep/internal/cli/shell.Shell.Lend leads past term.Exit`
	var _ io.Writer = raw(sh)
}
