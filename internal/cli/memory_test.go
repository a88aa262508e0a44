package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/cli/shell"

	"github.com/spf13/cobra"
)

// TestMemory: a command runs with its own limit, or with that of the command it
// belongs to, or with the usual one.
func TestMemory(t *testing.T) {
	root := &cobra.Command{Use: "root"}
	large := &cobra.Command{Use: "large", Annotations: map[string]string{shell.MemoryNote: "1000"}}
	part := &cobra.Command{Use: "part"}
	root.AddCommand(large)
	large.AddCommand(part)
	for cmd, want := range map[*cobra.Command]int64{root: shell.UsualMemory, large: 1000, part: 1000} {
		if got := shell.MemoryOf(cmd); got != want {
			t.Errorf("%s has %d bytes, want %d", cmd.Name(), got, want)
		}
	}
	var limits []int64
	var out bytes.Buffer
	Main([]string{"version"}, shell.Env{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Dir: "/", Now: time.Now,
		Lookup: func(string) (string, bool) { return "", false },
		Memory: func(bytes int64) { limits = append(limits, bytes) },
	})
	if len(limits) != 1 || limits[0] != shell.UsualMemory {
		t.Errorf("limits %v were set before a command ran: %s", limits, &out)
	}
}
