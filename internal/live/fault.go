package live

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// Fault makes an error of what recover gave, with the place in our code where
// it happened. A goroutine of ours must not end a program that has a screen to
// restore first.
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
