// Mutate removes one refusal at a time from the packages that guard something, runs
// the tests that meet it, and says which refusals no test misses.
//
// A refusal is an "if" or a "case" that ends in an error of our own making, or the error
// at the end of a check (refusal.go). All of them are made removable in one build
// (rewrite.go), by an overlay: the sources stay as they are. A first run of each test
// notes the refusals that it meets, and only these tests can miss one (trial.go). What
// survives has to stand in a file with the reason why nothing changes without it
// (known.go).
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

// line is a package whose refusals are removed, with the packages whose tests have to
// miss them: its own first.
type line struct {
	pkg   string
	tests []string
}

// lines are all of them, in the order in which they are tried.
var lines = []line{
	{"internal/shelf", []string{"internal/shelf", "internal/manage", "internal/cli"}},
	{"internal/access", []string{"internal/access", "internal/api", "internal/cli"}},
	{"internal/vault", []string{"internal/vault", "internal/keeping", "internal/cli"}},
	{"internal/holder", []string{"internal/holder", "internal/runs", "internal/api", "internal/cli"}},
	{"internal/runs", []string{"internal/runs", "internal/api", "internal/cli"}},
	{"internal/acts", []string{"internal/manage", "internal/app", "internal/api", "internal/cli"}},
	{"internal/liveness", []string{"internal/manage", "internal/app", "internal/api", "internal/cli"}},
	{"internal/trash", []string{"internal/trash", "internal/manage", "internal/app", "internal/api", "internal/cli"}},
	{"internal/manage", []string{"internal/manage", "internal/app", "internal/api", "internal/cli"}},
	{"internal/relocate", []string{"internal/manage", "internal/app", "internal/api", "internal/cli"}},
	{"internal/undo", []string{"internal/manage", "internal/app", "internal/api", "internal/cli"}},
	{"internal/transfer", []string{"internal/api", "internal/cli"}},
	{"internal/keeping", []string{"internal/keeping", "internal/app", "internal/api", "internal/cli"}},
	{"internal/resume", []string{"internal/resume", "internal/api", "internal/cli"}},
	{"internal/health", []string{"internal/health", "internal/app", "internal/api", "internal/cli"}},
	{"internal/api", []string{"internal/api", "internal/cli"}},
	{"homefs", []string{"homefs", ".", "internal/vault", "internal/app", "internal/api", "internal/cli"}},
	{"internal/regular", []string{"internal/regular", "homefs", "internal/app", "internal/api", "internal/cli"}},
	{"internal/label", []string{"internal/label", "internal/manage", "internal/app", "internal/api", "internal/cli"}},
	{"internal/bundle", []string{"internal/bundle", "internal/api", "internal/cli"}},
	{"internal/config", []string{"internal/config", "internal/api", "internal/cli"}},
	{"internal/redact", []string{"internal/redact", "internal/api", "internal/cli"}},
	{"internal/secrets", []string{"internal/health", "internal/api", "internal/cli"}},
	{"internal/export", []string{"internal/api", "internal/cli"}},
	{"internal/folder", []string{"internal/api", "internal/cli"}},
	{"internal/purge", []string{"internal/app", "internal/cli"}},
	{"internal/traces", []string{"internal/app", "internal/cli"}},
	{"internal/backup", []string{"internal/backup", "internal/cli"}},
	{"internal/travel", []string{"internal/cli"}},
	{"internal/share", []string{"internal/share", "internal/api", "internal/cli"}},
	{"internal/catalog", []string{"internal/catalog", "internal/app", "internal/api", "internal/cli"}},
}

func main() {
	known := flag.String("known", "docs/mutants.md", "the `file` that lists what may survive")
	only := flag.String("only", "", "try refusals whose name fits this `pattern`")
	list := flag.Bool("list", false, "print the refusals and try none")
	jobs := flag.Int("jobs", 2, "how many tests run at a time")
	flag.Parse()
	if err := run(*known, *only, *list, *jobs); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(known, only string, list bool, jobs int) error {
	began := time.Now()
	root, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	reasons, err := readKnown(known)
	if err != nil {
		return err
	}
	var names []string
	for _, l := range lines {
		names = append(names, "./"+l.pkg)
	}
	all, err := load(root, names)
	if err != nil {
		return err
	}
	pattern, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	chosen := slices.DeleteFunc(slices.Clone(all), func(r *refusal) bool { return !pattern.MatchString(r.name()) })
	if list {
		for _, r := range chosen {
			fmt.Printf("%s:%d\t%s\n", r.file, r.line, r.name())
		}
		fmt.Println(len(chosen), "refusals")
		return nil
	}
	b, err := newBench(root, lines, all, jobs, os.Stderr)
	if b != nil {
		defer b.close()
	}
	if err != nil {
		return err
	}
	survived, err := b.try(chosen)
	if err != nil {
		return err
	}
	fmt.Printf("%d refusals, %d survived, %s\n", len(chosen), len(survived), time.Since(began).Round(time.Second))
	if !reasons.explain(os.Stdout, all, chosen, survived) {
		return errors.New("what survives and what " + known + " says is not the same")
	}
	return nil
}
