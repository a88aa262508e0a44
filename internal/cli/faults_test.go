//go:build linux && (amd64 || arm64)

package cli

import (
	"testing"
	"fmt"
	"time"

	"sesskeep/internal/storetest/readfault"
)

func launchUnderFaults() { readfault.Launch() }

func TestFaultsBase(t *testing.T) {
	w := newFaultWorld(t, t.TempDir())
	total := 0
	for _, line := range faultTable(t) {
		w.reset(t)
		start := time.Now()
		got, err := w.run(t.Context(), line, readfault.Site{})
		took := time.Since(start)
		if err != nil { t.Error(line, err) }
		ch := w.changed(t)
		total += len(got.Sites)
		fmt.Printf("=== %s: exit %d, %d sites, %v, changed %v\n%.300s\n%.300s\n", line, got.Exit, len(got.Sites), took, ch, got.Stdout, got.Stderr)
	}
	fmt.Println("TOTAL", total)
}
