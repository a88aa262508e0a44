package view

import (
	"regexp"
	"strings"
	"sync"

	"sesskeep/internal/saved"
)

// refusals are how the results of denied calls start, in clients that do not say so
// in a field.
var refusals = []string{
	"The user doesn't want to proceed with this tool use",
	"The user doesn't want to take this action right now",
	"User rejected tool use",
	"Claude requested permissions to",
	"Permission to use ",
}

// interruptions are how the results of interrupted calls start.
var interruptions = []string{
	"[Request interrupted by user",
	"[Tool call interrupted",
	"Interrupted by user",
}

func (c *Call) state(r reply) CallState {
	switch r.denied {
	case "cancelled", "interrupted":
		return Interrupted
	case "":
	default:
		return Denied
	}
	said := strings.TrimPrefix(r.note, "Error: ")
	switch {
	case r.data.flag("interrupted"):
		return Interrupted
	case r.error && (hasAnyPrefix(c.Output, interruptions) || hasAnyPrefix(said, interruptions)):
		return Interrupted
	case r.error && (hasAnyPrefix(c.Output, refusals) || hasAnyPrefix(said, refusals)):
		return Denied
	case r.error:
		return Failed
	case strings.HasSuffix(r.data.text("status"), "_launched"):
		return Launched
	case c.StartsAgent() && strings.HasPrefix(c.Output, "Async agent launched"):
		return Launched
	}
	return OK
}

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return false
}

var exitCode = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:Error: )?Exit code (\d+)`) })

// outcome describes how the call ended in a few words.
func (c *Call) outcome(t tool, r reply) string {
	switch c.State {
	case Denied, Interrupted, Launched:
		return string(c.State)
	case Failed:
		if m := exitCode().FindStringSubmatch(c.Output); m != nil {
			return "exit " + m[1]
		}
		return "error"
	}
	if t.outcome != nil {
		if s := t.outcome(c, r.data); s != "" {
			return s
		}
	}
	if saved, ok := saved.Parse(c.Output); ok && c.Persisted != "" {
		if n, ok := r.data.count("persistedOutputSize"); ok {
			return size(n)
		}
		return saved.Size
	}
	if t.quiet {
		return ""
	}
	return amount(c)
}

// reason drops what the client adds to every result.
func (c *Call) reason() string {
	if c.State == Failed {
		return strings.TrimSpace(exitCode().ReplaceAllString(c.Output, ""))
	}
	if c.State != Denied {
		return ""
	}
	if _, said, ok := strings.Cut(c.Output, "the user said:"); ok {
		return strings.TrimSpace(said)
	}
	if hasAnyPrefix(c.Output, refusals) {
		return ""
	}
	return c.Output
}

// amount describes how much output there was.
func amount(c *Call) string {
	n := lineCount(withoutReminders(c.Output))
	switch {
	case n == 0 && c.Images > 0:
		return plural(c.Images, "image")
	case n == 0:
		return "no output"
	}
	return plural(n, "line")
}
