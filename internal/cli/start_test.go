package cli_test

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// What our packages do before main is a small part of what all packages do: hooks and status lines
// start the program again and again. Tables that few commands use are made when they are first
// used. Usually, our packages make 900 allocations and take a sixth of the time.
func TestStart(t *testing.T) {
	const allocations, share = 1300, 0.5
	least := 1.0
	for range 5 {
		ours, all := initialized(t)
		if ours.allocations == 0 || ours.allocations > allocations {
			t.Errorf("our packages make %d allocations before main, at most %d are allowed", ours.allocations, allocations)
		}
		least = min(least, ours.milliseconds/all.milliseconds)
	}
	if least > share {
		t.Errorf("our packages take %.2f of the time before main, at most %.2f are allowed", least, share)
	}
}

// initialization is what packages take before main.
type initialization struct {
	milliseconds float64
	allocations  int
}

// initialized starts a program with our packages, this test, and says what they and all packages take.
func initialized(t *testing.T) (ours, all initialization) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	for lines := bufio.NewScanner(&said); lines.Scan(); {
		// init sesskeep/internal/view @2.3 ms, 0.009 ms clock, 8240 bytes, 53 allocs
		words := strings.Fields(lines.Text())
		if len(words) != 11 || words[0] != "init" {
			continue
		}
		took, err := strconv.ParseFloat(words[4], 64)
		if err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		made, err := strconv.Atoi(words[9])
		if err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		all.milliseconds, all.allocations = all.milliseconds+took, all.allocations+made
		if strings.HasPrefix(words[1], "sesskeep") && !forTests(words[1]) {
			ours.milliseconds, ours.allocations = ours.milliseconds+took, ours.allocations+made
		}
	}
	return ours, all
}

// forTests reports whether a package initializes what only tests need: this one does too.
func forTests(pkg string) bool {
	return pkg == "sesskeep/internal/cli" || strings.HasPrefix(pkg, "sesskeep/internal/storetest")
}
