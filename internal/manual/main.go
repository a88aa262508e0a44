// Command manual writes the man pages of all commands, and the completions of four shells.
// Releases and packages contain them:
//
//	go run ./internal/manual -version 0.1.0 -date 2026-11-20 -dir dist/manual
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"sesskeep/internal/cli"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func main() {
	dir := flag.String("dir", "dist/manual", "where man1 and completions are written")
	version := flag.String("version", "", "the version that the pages name")
	date := flag.String("date", "", "the day that the pages name, as 2006-01-02")
	flag.Parse()
	if err := write(*dir, *version, *date); err != nil {
		fmt.Fprintln(os.Stderr, "manual:", err)
		os.Exit(1)
	}
}

func write(dir, version, date string) error {
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return fmt.Errorf("-date: %w", err)
	}
	pages, completions := filepath.Join(dir, "man1"), filepath.Join(dir, "completions")
	for _, d := range []string{pages, completions} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	root := cli.Commands()
	root.DisableAutoGenTag = true // it has the time of day
	header := doc.GenManHeader{Section: "1", Source: "sesskeep " + version, Manual: "sesskeep", Date: &day}
	if err := doc.GenManTree(root, &header, pages); err != nil {
		return err
	}
	return complete(root, completions)
}

// complete writes the completions under the names that each shell looks for.
func complete(root *cobra.Command, dir string) error {
	for name, gen := range map[string]func(file string) error{
		"sesskeep":      func(f string) error { return root.GenBashCompletionFileV2(f, true) },
		"_sesskeep":     root.GenZshCompletionFile,
		"sesskeep.fish": func(f string) error { return root.GenFishCompletionFile(f, true) },
		"sesskeep.ps1":  root.GenPowerShellCompletionFileWithDesc,
	} {
		if err := gen(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}
