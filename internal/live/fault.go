package live

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// Fault turns the result of recover into an error that names the place of the
// panic. A program with a terminal to restore must not be ended by a panic in
// another goroutine.
func Fault(r any) error {
	where := "somewhere"
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for panicked, more := false, true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		// What lies above the panic on the stack is the net itself.
		if panicked && !strings.HasPrefix(f.Function, "runtime.") {
			where = fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
			break
		}
		panicked = panicked || f.Function == "runtime.gopanic"
	}
	return errors.New("fault in sesskeep at " + where + ": " + strings.ReplaceAll(fmt.Sprint(r), "\n", " "))
}
