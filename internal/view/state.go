package view

import (
	"regexp"
	"strings"
	"sync"

	"sesskeep"
)

// refusals begin the results of calls that were not allowed, in clients that do
// not say so in a field.
var refusals = []string{
	"The user doesn't want to proceed with this tool use",
	"The user doesn't want to take this action right now",
	"User rejected tool use",
	"Claude requested permissions to",
	"Permission to use ",
}

// interruptions begin the results of calls that were cut off.
var interruptions = []string{
	"[Request interrupted by user",
	"[Tool call interrupted",
	"Interrupted by user",
}

func (c *Call) state(r reply) CallState {
	switch r.entry.text("toolDenialKind") {
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
	case r.error && (begins(c.Output, interruptions) || begins(said, interruptions)):
		return Interrupted
	case r.error && (begins(c.Output, refusals) || begins(said, refusals)):
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

func begins(s string, prefixes []string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return false
}

var exitCode = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:Error: )?Exit code (\d+)`) })

// outcome says how the call ended in a few words.
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
	if saved, ok := sesskeep.ParseSaved(c.Output); ok && c.Persisted != "" {
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

// reason leaves out what the client says every time.
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
	if begins(c.Output, refusals) {
		return ""
	}
	return c.Output
}

// amount is how much came back.
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
