// Command sesskeep understands, keeps, searches and watches the sessions of
// Claude Code.
package main

import (
	"os"
	"runtime/debug"

	"sesskeep/internal/cli"
	"sesskeep/internal/cli/shell"
)

func main() {
	if os.Getenv("GOGC") == "" {
		// Reading thousands of files makes much garbage beside little that
		// stays: collecting less often saves a fifth of the time.
		debug.SetGCPercent(300)
	}
	os.Exit(cli.Main(os.Args[1:], shell.System()))
}
