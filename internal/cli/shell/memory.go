package shell

import (
	"os"
	"runtime/debug"
	"strconv"

	"github.com/spf13/cobra"
)

// UsualMemory is how much memory a command takes before garbage is no longer
// left lying, whatever that costs. A command that needs another limit names it
// in its annotation memoryNote, in bytes.
const UsualMemory = 128 << 20

// MemoryNote is the annotation with which a command names a limit of its own.
const MemoryNote = "memory"

// limitMemory sets the limit of the command that is about to run. The user's
// own, in GOMEMLIMIT, goes first.
func limitMemory(bytes int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(bytes)
	}
}

// MemoryOf is the limit of a command: its own, or that of the nearest command
// above it that has one.
func MemoryOf(cmd *cobra.Command) int64 {
	for ; cmd != nil; cmd = cmd.Parent() {
		if bytes, err := strconv.ParseInt(cmd.Annotations[MemoryNote], 10, 64); err == nil {
			return bytes
		}
	}
	return UsualMemory
}
