// Command fakeclaude is a client that asks no model; prompts say what it answers (package
// standin). FAKECLAUDE_DUMP names a file to write the arguments, the environment and the
// directory to.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"sesskeep/internal/standin"
)

func main() {
	if file := os.Getenv("FAKECLAUDE_DUMP"); file != "" {
		dump(file)
	}
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		fmt.Println("2.1.325 (Claude Code)")
		return
	}
	os.Exit(standin.Run(standin.Options{
		Args: os.Args[1:], Getenv: os.Getenv, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Exit: os.Exit,
	}))
}

// dump writes how the process was started.
func dump(file string) {
	dir, _ := os.Getwd()
	data, err := json.Marshal(map[string]any{"args": os.Args[1:], "env": os.Environ(), "dir": dir, "pid": os.Getpid()})
	if err == nil {
		err = os.WriteFile(file, data, 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
