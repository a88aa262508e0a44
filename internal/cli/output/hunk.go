package output

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"sesskeep/internal/acts"
	"sesskeep/internal/term"
	"sesskeep/internal/view"
)

// WriteHunk writes a hunk of a diff.
func WriteHunk(out io.Writer, s term.Screen, h view.Hunk) {
	removed, added := 0, 0
	for _, line := range h.Lines {
		if !strings.HasPrefix(line, "+") {
			removed++
		}
		if !strings.HasPrefix(line, "-") {
			added++
		}
	}
	fmt.Fprintln(out, s.Paint(term.Cyan, fmt.Sprintf("@@ -%s +%s @@", hunkRange(h.OldStart, removed), hunkRange(h.NewStart, added))))
	for _, line := range h.Lines {
		style := term.Plain
		switch {
		case strings.HasPrefix(line, "+"):
			style = term.Green
		case strings.HasPrefix(line, "-"):
			style = term.Red
		}
		// A newline inside would let one line pose as several.
		line = strings.ReplaceAll(strings.TrimRight(line, "\r\n"), "\n", "␊")
		fmt.Fprintln(out, s.Paint(style, term.Clean(line)))
	}
}

// hunkRange is where a hunk lies. The client counts from 1, but a diff names the
// line before when it takes up none. An edit that was never made has no hunkRange.
func hunkRange(start, lines int) string {
	switch {
	case start == 0 && lines > 0:
		return fmt.Sprintf("?,%d", lines)
	case start > 0 && lines == 0:
		start--
	}
	return fmt.Sprintf("%d,%d", start, lines)
}

// SettingsDiff is what a change does, for people to read. A settings file can
// hold keys and tokens: they are not shown.
func SettingsDiff(c acts.Change) []view.Hunk {
	mask := func(text []byte) string { return secretValue().ReplaceAllString(string(text), `$1"***"`) }
	return view.Diff(mask(c.Before), mask(c.After))
}

// secretValue finds the values of environment variables and of whatever is named
// like a secret.
var secretValue = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`("(?:[A-Z][A-Z0-9_]{2,}|[^"\\]*(?i:token|key|secret|passw|auth|credential)[^"\\]*)"\s*:\s*)"(?:[^"\\]|\\.)*"`)
})
