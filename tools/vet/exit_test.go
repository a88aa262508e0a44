package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

func TestExit(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), exit,
		"sesskeep/internal/cli/shell", "sesskeep/internal/cli/list", "sesskeep/internal/tui", "sesskeep/internal/term", "sesskeep/internal/bench")
}

// What may use an exit is there: a file that has moved must not leave its place
// to another.
func TestExitFiles(t *testing.T) {
	for name, files := range exits {
		for _, file := range files {
			text, err := os.ReadFile(filepath.Join("../..", file))
			if word := name[strings.LastIndexByte(name, '.')+1:]; err != nil || !strings.Contains(string(text), word) {
				t.Errorf("%s does not use %s: take it off the list (%v)", file, name, err)
			}
		}
	}
}
