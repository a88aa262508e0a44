//go:build linux && (amd64 || arm64)

package cli

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestFaultsTry(t *testing.T) {
	table := faultTable(t)
	var next int
	var mu sync.Mutex
	var wg sync.WaitGroup
	start := time.Now()
	total := 0
	only := os.Getenv("ONLY")
	stride, _ := strconv.Atoi(os.Getenv("STRIDE"))
	for range 3 {
		w := newFaultWorld(t, t.TempDir())
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				mu.Lock()
				if next == len(table) {
					mu.Unlock()
					return
				}
				line := table[next]
				next++
				mu.Unlock()
				if !strings.Contains(line.String(), only) || (os.Getenv("MODE") == "warm" && line.cold || os.Getenv("MODE") == "cold" && !line.cold) {
					continue
				}
				p := w.plain(t, line)
				began := time.Now()
				broken := 0
				var b strings.Builder
				for i, site := range p.sites {
					if stride > 0 && (i+len(line.String()))%stride != 0 {
						continue
					}
					if bad := w.try(t, line, p, site); bad != "" {
						broken++
						fmt.Fprintf(&b, "BREAK %s | %s %s | %s\n", line, site.Call, w.unplaced(site.Path), bad)
					}
				}
				mu.Lock()
				total += len(p.sites)
				fmt.Printf("=== %s: exit %d, %d sites, %d broken, %v each, %v\n%s", line, p.result.Exit, len(p.sites), broken, time.Since(began)/time.Duration(max(1, len(p.sites))), time.Since(start), b.String())
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	fmt.Println("TOTAL", total)
}
