// Command times runs "go test" and prints what each package took: seconds on the clock,
// and seconds of CPU with those of the programs that its tests started and waited for.
// What is left of the sum is building: compiling, linking and vetting.
//
//	times [-top N] -- [flags and packages of go test]
package main

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// notes names the file to which the test binaries' runs are noted, one line each.
const notes = "SESSKEEP_TIMES"

func main() {
	if file := os.Getenv(notes); file != "" {
		os.Exit(runOne(file, os.Args[1:]))
	}
	top := flag.Int("top", 25, "how many packages are listed")
	flag.Parse()
	if err := run(os.Stdout, *top, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "times:", err)
		os.Exit(1)
	}
}

// run runs go test with the arguments, and this program around each test binary.
func run(out io.Writer, top int, args []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "times")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "notes")
	cmd := exec.Command("go", append([]string{"test", "-exec", self}, args...)...)
	cmd.Env = append(os.Environ(), notes+"="+file)
	cmd.Stdout, cmd.Stderr = out, os.Stderr
	start := time.Now()
	failed := cmd.Run()
	if cmd.ProcessState == nil {
		return failed
	}
	whole := note{wall: time.Since(start), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	packages, err := read(file)
	if err != nil {
		return errors.Join(failed, err)
	}
	report(out, packages, whole, top)
	return failed
}

// runOne runs a test binary as it would run without us, and notes what it took.
func runOne(file string, args []string) int {
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, "times:", err)
		return 2
	}
	os.Unsetenv(notes)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	start := time.Now()
	err = cmd.Run()
	if cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, "times:", err)
		return 2
	}
	n := note{dir, time.Since(start), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if err := n.append(file); err != nil {
		fmt.Fprintln(os.Stderr, "times:", err)
		return 2
	}
	if code := cmd.ProcessState.ExitCode(); code >= 0 {
		return code
	}
	return 2 // ended by a signal
}

// A note is what the tests of one package took.
type note struct {
	dir       string
	wall, cpu time.Duration
}

// append writes the note in one call, so that those of packages side by side do not mix.
func (n note) append(file string) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "%d %d %s\n", n.wall, n.cpu, n.dir)
	return errors.Join(err, f.Close())
}

func read(file string) ([]note, error) {
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	var all []note
	for line := range bytes.Lines(data) {
		var n note
		if _, err := fmt.Sscan(string(line), &n.wall, &n.cpu); err != nil {
			return nil, fmt.Errorf("read the note %q: %w", line, err)
		}
		n.dir = strings.SplitN(strings.TrimSuffix(string(line), "\n"), " ", 3)[2]
		all = append(all, n)
	}
	return all, nil
}

// report lists the packages, those that took most CPU first.
func report(out io.Writer, packages []note, whole note, top int) {
	here, _ := os.Getwd()
	slices.SortFunc(packages, func(a, b note) int { return cmp.Compare(b.cpu, a.cpu) })
	var tests time.Duration
	fmt.Fprintf(out, "\n%8s %8s\n", "CPU s", "wall s")
	for i, n := range packages {
		tests += n.cpu
		if i < top {
			dir, _ := filepath.Rel(here, n.dir)
			fmt.Fprintf(out, "%8.1f %8.1f  %s\n", n.cpu.Seconds(), n.wall.Seconds(), dir)
		}
	}
	if rest := len(packages) - top; rest > 0 {
		fmt.Fprintf(out, "%19s%d more\n", "", rest)
	}
	fmt.Fprintf(out, "%8.1f           building\n%8.1f %8.1f  all\n", (whole.cpu - tests).Seconds(), whole.cpu.Seconds(), whole.wall.Seconds())
}
