package shell

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"

	"github.com/spf13/cobra"
)

// UsualMemory is the memory limit of a command: below it, little time is spent on collecting
// garbage. A command that needs another limit names it, in bytes, in its annotation
// [MemoryNote].
const UsualMemory = 80 << 20

// MemoryNote is the annotation with which a command names a limit of its own.
const MemoryNote = "memory"

// limitMemory sets the limit of the command that is about to run. The user's
// own, in GOMEMLIMIT, goes first.
func limitMemory(bytes int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		l := &memoryLimit{floor: bytes, now: bytes}
		debug.SetMemoryLimit(bytes)
		l.follow()
	}
}

// memoryLimit is the limit of a process. It follows what is in use: under a fixed limit, a
// home that is large enough leaves so little room for garbage that most of the time goes
// into collecting it.
type memoryLimit struct{ floor, now int64 }

// roomFor is the limit for so many bytes in use: garbage may be half of that, and what half
// the floor leaves.
func (l *memoryLimit) roomFor(live int64) int64 { return max(l.floor, live+live/2+l.floor/2) }

// follow adjusts the limit after every collection: that is when an object which nothing
// uses is found.
func (l *memoryLimit) follow() {
	found := new(struct{ _ [16]byte })
	runtime.AddCleanup(found, func(l *memoryLimit) {
		l.adjust()
		l.follow()
	}, l)
}

// adjust sets the limit, unless that makes hardly a difference: it stops the program for a
// moment.
func (l *memoryLimit) adjust() {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	limit := l.roomFor(int64(sample[0].Value.Uint64()))
	if diff := limit - l.now; diff > l.now/16 || diff < -l.now/16 {
		l.now = limit
		debug.SetMemoryLimit(limit)
	}
}

// Thrift has garbage collected when it is as much as what is in use. What reads a home
// first is faster with much of it, and nothing that stays needs that.
func Thrift() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(100)
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
