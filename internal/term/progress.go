package term

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

const (
	progressDelay = 500 * time.Millisecond // shorter work shows nothing
	progressEvery = 100 * time.Millisecond
	barCells      = 10
)

// Progress draws one line about work on many files, and erases it at the end. It
// draws only on a terminal, and only from within Set: there is no goroutine.
// Methods may be called from many goroutines.
//
// The line is erased with spaces, not with a control sequence, so that it works
// on every terminal.
type Progress struct {
	w      io.Writer
	screen Screen
	now    func() time.Time
	start  time.Time

	mu    sync.Mutex
	what  string    // is done
	fresh bool      // the word is new: what was done before it says nothing about the speed
	since time.Time // when the work began whose speed is shown
	done  int       // before that
	bytes int64     // likewise
	drawn time.Time // when the line was last drawn
	cells int       // of the line on the screen
	aside bool      // something else is being printed
	ended bool
}

// NewProgress starts the clock. What is the word before the bar, as "Reading".
func NewProgress(w io.Writer, screen Screen, what string, now func() time.Time) *Progress {
	start := now()
	return &Progress{w: w, screen: screen, what: Line(what), now: now, start: start, since: start}
}

// Doing changes the word before the bar.
func (p *Progress) Doing(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if what = Line(what); what != p.what {
		p.what, p.fresh = what, true
	}
}

// Set reports progress: files of a total, 0 if not known, and bytes read so far.
func (p *Progress) Set(done, total int, bytes int64) {
	if !p.screen.TTY {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if p.fresh {
		p.fresh, p.since, p.done, p.bytes = false, now, done, bytes
	}
	if p.ended || p.aside || now.Sub(p.start) < progressDelay || now.Sub(p.drawn) < progressEvery {
		return
	}
	p.drawn = now
	p.draw(p.line(done, total, bytes, now.Sub(p.since)))
}

// Aside erases the line while f prints something else.
func (p *Progress) Aside(f func() error) error {
	p.step(func() { p.aside = true })
	defer p.step(func() { p.aside = false })
	return f()
}

// Done erases the line. Later calls of Set do nothing.
func (p *Progress) Done() {
	p.step(func() { p.ended = true })
}

func (p *Progress) step(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
	if p.cells > 0 {
		p.draw("")
		io.WriteString(p.w, toStart)
	}
}

// draw replaces the line on the screen. The last column stays free, because
// writing there moves some terminals to the next line.
func (p *Progress) draw(line string) {
	if p.screen.Width > 0 {
		line = truncate(line, p.screen.Width-1, p.screen.ellipsis())
	}
	cells := Width(line)
	io.WriteString(p.w, toStart+line+spaces(p.cells-cells))
	p.cells = cells
}

func (p *Progress) line(done, total int, bytes int64, elapsed time.Duration) string {
	parts := []string{Count(done) + " files"}
	if total > 0 {
		parts[0] = p.bar(done, total) + " " + Count(done) + "/" + Count(total) + " files"
	}
	if bytes -= p.bytes; bytes > 0 {
		parts = append(parts, Bytes(int64(float64(bytes)/elapsed.Seconds()))+"/s")
	}
	if read := done - p.done; read > 0 && done < total {
		left := time.Duration(float64(elapsed) / float64(read) * float64(total-done))
		parts = append(parts, "ETA "+Duration(max(left.Round(time.Second), time.Second)))
	}
	return p.what + " " + strings.Join(parts, "  ")
}

// bar draws done of total in eighths of a cell.
func (p *Progress) bar(done, total int) string {
	share := min(max(float64(done)/float64(total), 0), 1)
	if p.screen.ASCII {
		full := int(share * barCells)
		return fmt.Sprintf("[%-*s]", barCells, strings.Repeat("#", full))
	}
	eighths := int(share * barCells * 8)
	bar := strings.Repeat("█", eighths/8)
	if part := eighths % 8; part > 0 {
		bar += string('█' + rune(8-part))
	}
	return "▕" + Pad(bar, barCells) + "▏"
}
