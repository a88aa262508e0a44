package term

import (
	"bytes"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	xterm "golang.org/x/term"
)

// Exit is the one way out of the program. What is written to it for a terminal is
// made safe there once more: only the control functions of this package pass,
// whatever wrote them. A pipe or a file gets every byte as it is, with our control
// functions in the form that a terminal understands.
//
// Joiners, selectors and combining marks pass alone here: layout may have cut
// the text that Clean found them right in.
type Exit struct {
	w   io.Writer
	tty bool

	mu   sync.Mutex
	held []byte // the last bytes, whose meaning depends on the next ones
	buf  []byte
}

// NewExit is the way out to w.
func NewExit(w io.Writer) *Exit {
	f, ok := w.(*os.File)
	return &Exit{w: w, tty: ok && xterm.IsTerminal(int(f.Fd()))}
}

// TTY reports whether it leads to a terminal.
func (e *Exit) TTY() bool { return e != nil && e.tty }

// Raw is what it leads to. It is for another program that takes over the terminal.
func (e *Exit) Raw() io.Writer {
	_ = e.Flush()
	return e.w
}

// Write writes all of p, but for an unfinished end of it, which waits for more.
func (e *Exit) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	in := p
	if len(e.held) > 0 {
		in = append(e.held, p...)
	}
	done, rest := e.pass(in, false)
	var err error
	if len(done) > 0 {
		_, err = e.w.Write(done)
	}
	e.held = append(e.held[:0], rest...)
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes an unfinished end, which nothing follows.
func (e *Exit) Flush() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.held) == 0 {
		return nil
	}
	done, _ := e.pass(e.held, true)
	e.held = nil
	_, err := e.w.Write(done)
	return err
}

// pass is what goes out of in, and the end of it that has to wait. The first is
// good until the next call.
func (e *Exit) pass(in []byte, last bool) (done, rest []byte) {
	if cap(e.buf) > 1<<20 {
		e.buf = nil // one long line need not be paid for by all that follow
	}
	if e.tty {
		return safe(&e.buf, in, last)
	}
	return exact(&e.buf, in, last)
}

// Frame is text as an Exit to a terminal writes it, for the interface, which
// draws whole screens.
func Frame(text string) string {
	var buf []byte
	done, _ := safe(&buf, []byte(text), true)
	return string(done)
}

// safe is what a terminal may get of in, in buf where that is not the same, and
// the end that has to wait, which is empty if in is the last.
func safe(buf *[]byte, in []byte, last bool) (done, rest []byte) {
	out, saved := (*buf)[:0], 0 // in[:saved] is in out
	for i := 0; i < len(in); {
		if plain[in[i]] {
			i++
			continue
		}
		r, size := utf8.DecodeRune(in[i:])
		invalid := r == utf8.RuneError && size == 1
		if r >= utf8.RuneSelf && !invalid && shown(r) {
			i += size
			continue
		}
		if !last && unfinished(in[i:]) {
			rest = in[i:]
			break
		}
		out = append(out, in[saved:i]...)
		length, control := ours(in[i:])
		switch {
		case length > 0:
			size = length
			out = append(out, control...)
		case invalid:
			out = utf8.AppendRune(out, utf8.RuneError)
		case r == '\r' && bytes.HasPrefix(in[i+1:], []byte("\n")):
			// The newline that follows speaks for both.
		default:
			out = append(out, visible(r)...)
		}
		i += size
		saved = i
	}
	end := len(in) - len(rest)
	if saved == 0 {
		return in[:end], rest
	}
	*buf = append(out, in[saved:end]...)
	return *buf, rest
}

// unfinished reports whether what follows decides what the bytes are.
func unfinished(s []byte) bool {
	return len(s) == 1 && s[0] == '\r' || !utf8.FullRune(s) || s[0] == 0x1b && isColourPrefix(s)
}

// exact is all of in, with control functions in place of tokens.
func exact(buf *[]byte, in []byte, last bool) (done, rest []byte) {
	out, saved := (*buf)[:0], 0
	for i := 0; i < len(in); {
		n := bytes.IndexByte(in[i:], 0x1b)
		if n < 0 {
			break
		}
		i += n
		if !last && isColourPrefix(in[i:]) {
			rest = in[i:]
			break
		}
		length, control := ours(in[i:])
		if length > 0 {
			out = append(append(out, in[saved:i]...), control...)
			saved = i + length
		}
		i += max(length, 1)
	}
	end := len(in) - len(rest)
	if saved == 0 {
		return in[:end], rest
	}
	*buf = append(out, in[saved:end]...)
	return *buf, rest
}

// plain are the bytes that pass without a look.
var plain = func() (table [256]bool) {
	for c := range table {
		table[c] = c == '\n' || c == '\t' || ' ' <= c && c <= '~'
	}
	return table
}()

// known caches which runes are shown, 64 to a number, filled when one of them is asked
// for: the tables of Unicode take ten times as long.
var known [1 << 10]atomic.Uint64

// shown reports whether a terminal only draws the rune.
func shown(r rune) bool {
	if r >= 1<<16 {
		return draws(r)
	}
	bits := known[r>>6].Load()
	if bits == 0 {
		for i := range rune(64) {
			if draws(r&^63 + i) {
				bits |= 1 << i
			}
		}
		known[r>>6].Store(bits)
	}
	return bits>>(r&63)&1 == 1
}

func draws(r rune) bool {
	return printable(r) || isMark(r) || r == zwj || r == zwnj || unicode.Is(unicode.Variation_Selector, r)
}
