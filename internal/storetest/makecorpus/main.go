// Command makecorpus writes a made-up home for benchmarks, or finds the one that an
// earlier run has written.
//
//	go run ./internal/storetest/makecorpus -size M -seed 1 -dir DIR
//
// The home is DIR/home, the truth about it DIR/corpus.json.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"sesskeep/internal/storetest"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "makecorpus:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("makecorpus", flag.ContinueOnError)
	name := flags.String("size", "S", "S, M, L, L4 or XL")
	seed := flags.Uint64("seed", 1, "seed: the same one gives the same bytes")
	scale := flags.Float64("scale", 1, "multiply every figure of the size")
	dir := flags.String("dir", "", "where to put it")
	if err := flags.Parse(args); err != nil {
		return err
	}
	size, ok := storetest.SizeOf(*name)
	if !ok || *dir == "" {
		return fmt.Errorf("need -dir and -size S, M, L, L4 or XL")
	}
	if *scale != 1 {
		size = size.Scale(*scale)
	}
	start := time.Now()
	c, made, err := storetest.MakeOnce(*dir, size, *seed)
	if err != nil {
		return err
	}
	verb := "reused"
	if made {
		verb = fmt.Sprintf("made in %.1fs", time.Since(start).Seconds())
	}
	_, err = fmt.Fprintf(out, "%s: %d sessions, %d agents, %d lines, %d bytes, %d prompts, %d messages, %d needles; %s\n",
		c.Dir, c.Sessions, c.Agents, c.Lines, c.Bytes, c.Prompts, c.Messages, len(c.Needles), verb)
	return err
}
