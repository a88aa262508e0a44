package term_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"sesskeep/internal/term"
)

// terminal opens a pseudo terminal of 97 columns: the program's side, and the
// side of the one who looks at it.
func terminal(t *testing.T) (tty, screen *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { screen.Close() })
	var unlock, number int32
	size := [4]uint16{24, 97}
	ioctl(t, screen, syscall.TIOCSPTLCK, unsafe.Pointer(&unlock))
	ioctl(t, screen, syscall.TIOCGPTN, unsafe.Pointer(&number))
	ioctl(t, screen, syscall.TIOCSWINSZ, unsafe.Pointer(&size))
	tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { tty.Close() })
	return tty, screen
}

func ioctl(t *testing.T, f *os.File, request uintptr, arg unsafe.Pointer) {
	t.Helper()
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), request, uintptr(arg)); errno != 0 {
		t.Skip(errno)
	}
}

func TestDetectTerminal(t *testing.T) {
	tty, _ := terminal(t)
	for _, c := range []struct {
		name string
		env  []string
		want term.Screen
	}{
		{"plain", nil, term.Screen{Width: 97, Color: true, TTY: true}},
		{"no color", []string{"NO_COLOR", "1"}, term.Screen{Width: 97, TTY: true}},
		{"dumb", []string{"TERM", "dumb"}, term.Screen{Width: 97, TTY: true}},
		{"color off", []string{"CLICOLOR", "0"}, term.Screen{Width: 97, TTY: true}},
		{"columns", []string{"COLUMNS", "50"}, term.Screen{Width: 50, Color: true, TTY: true}},
		{"bad columns", []string{"COLUMNS", "-3"}, term.Screen{Width: 97, Color: true, TTY: true}},
	} {
		for _, out := range []io.Writer{tty, term.NewExit(tty)} {
			if got := term.Detect(out, environment(c.env...)); got != c.want {
				t.Errorf("%s: %T: got %+v, want %+v", c.name, out, got, c.want)
			}
		}
	}
}

func TestPageOnTerminal(t *testing.T) {
	tty, screen := terminal(t)
	p := term.Page(context.Background(), term.NewExit(tty), term.NewExit(io.Discard), lookup("PAGER", "tr a-z A-Z"))
	if p.Gone() == nil {
		t.Fatal("no pager was started")
	}
	io.WriteString(p, "paged \x1b]0;x\a\n")
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 64)
	screen.SetReadDeadline(time.Now().Add(time.Minute))
	n, _ := screen.Read(b)
	if got := string(b[:n]); !strings.Contains(got, "PAGED ␛]0;X␇") {
		t.Errorf("the screen shows %q", got)
	}
}

func TestPageWithoutProgram(t *testing.T) {
	tty, _ := terminal(t)
	var pipe bytes.Buffer
	for name, p := range map[string]*term.Pager{
		"not found": term.Page(context.Background(), term.NewExit(tty), term.NewExit(io.Discard), lookup("PAGER", "no-such-pager-here")),
		"cat":       term.Page(context.Background(), term.NewExit(tty), term.NewExit(io.Discard), lookup("PAGER", "cat")),
		"pipe":      term.Page(context.Background(), term.NewExit(&pipe), term.NewExit(io.Discard), lookup()),
	} {
		if p.Gone() != nil {
			t.Errorf("%s: a pager runs", name)
		}
		if _, err := io.WriteString(p, "x"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := p.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := pipe.String(); got != "x" {
		t.Errorf("the pipe got %q", got)
	}
}
