package usage

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/money"
	"sesskeep/internal/statusline"
	"sesskeep/internal/term"
)

// StatusLine is what a status line can show. What is not known is left out.
type StatusLine struct {
	SessionID string      `json:"sessionId,omitempty"`     // session of the line
	Model     string      `json:"model,omitempty"`         // model as the client names it
	Session   *money.Cost `json:"cost,omitempty"`          // what the session cost, with its agents
	Agents    *money.Cost `json:"agentsCost,omitempty"`    // what its agents cost
	Today     *money.Cost `json:"todayCost,omitempty"`     // what today cost, in all projects
	Context   int64       `json:"contextTokens,omitempty"` // tokens before the last answer
	Window    int64       `json:"windowTokens,omitempty"`  // how many fit, as the client reports
	Limits    []ask.Limit `json:"limits,omitempty"`        // limits of the plan, as the client reports
	Now       time.Time   `json:"-"`
}

// usualLine is the line where nothing else was chosen.
const usualLine = "{session} session ({agents} agents)|{today} today"

// lineWords are what stands for a value in a format.
var lineWords = []string{"session", "agents", "today", "context", "context%", "window", "model", "5h", "5h-resets", "5h-full", "7d", "7d-resets", "7d-full"}

// word is a value as people read it; empty: it is not known.
func (l *StatusLine) word(name string) string {
	switch name {
	case "session":
		return costWord(l.Session)
	case "agents":
		return costWord(l.Agents)
	case "today":
		return costWord(l.Today)
	case "context", "window":
		n := map[string]int64{"context": l.Context, "window": l.Window}[name]
		if n == 0 {
			return ""
		}
		return term.Tokens(n)
	case "context%":
		if l.Context == 0 || l.Window == 0 {
			return ""
		}
		return fmt.Sprintf("%d%%", l.Context*100/l.Window)
	case "model":
		return l.Model
	}
	prefix, what, _ := strings.Cut(name, "-")
	return l.limitWord(map[string]string{"5h": "five_hour", "7d": "seven_day"}[prefix], what)
}

func costWord(c *money.Cost) string {
	if c == nil {
		return ""
	}
	return c.String()
}

func (l *StatusLine) limitWord(name, what string) string {
	i := slices.IndexFunc(l.Limits, func(one ask.Limit) bool { return one.Name == name })
	if i < 0 {
		return ""
	}
	one, at := &l.Limits[i], time.Time{}
	switch what {
	case "":
		return fmt.Sprintf("%.0f%%", one.Percent)
	case "resets":
		at = one.Resets.Time
	case "full":
		at = one.FullAt.Time
	}
	switch {
	case at.IsZero():
		return ""
	case at.Sub(l.Now) >= 24*time.Hour:
		return at.In(l.Now.Location()).Format("01-02 15:04")
	}
	return at.In(l.Now.Location()).Format("15:04")
}

// CheckLine checks the format of a status line.
func CheckLine(format string) error {
	for rest := format; ; {
		_, after, found := strings.Cut(rest, "{")
		if !found {
			return nil
		}
		name, tail, closed := strings.Cut(after, "}")
		if !closed {
			return fmt.Errorf("%q has { without }", format)
		}
		if !slices.Contains(lineWords, name) {
			return fmt.Errorf("{%s} is none of {%s}", name, strings.Join(lineWords, "}, {"))
		}
		rest = tail
	}
}

// text is the line in a format: parts with | between them. A part is left out if something of it
// is not known, and so is what stands in parentheses.
func (l *StatusLine) text(format, gap string) string {
	var parts []string
	for part := range strings.SplitSeq(format, "|") {
		if text, ok := l.part(part); ok {
			parts = append(parts, term.Line(text))
		}
	}
	return strings.Join(parts, gap)
}

func (l *StatusLine) part(format string) (string, bool) {
	if open, close := strings.Index(format, "("), strings.LastIndex(format, ")"); open >= 0 && close > open {
		inside, known := l.filled(format[open : close+1])
		if !known {
			inside = ""
		}
		before, ok1 := l.filled(format[:open])
		after, ok2 := l.filled(format[close+1:])
		return strings.TrimSpace(before + inside + after), ok1 && ok2
	}
	text, known := l.filled(format)
	return strings.TrimSpace(text), known
}

func (l *StatusLine) filled(format string) (text string, known bool) {
	known = true
	for _, name := range lineWords {
		if mark := "{" + name + "}"; strings.Contains(format, mark) {
			value := l.word(name)
			known = known && value != ""
			format = strings.ReplaceAll(format, mark, value)
		}
	}
	return format, known
}

// newStatusLine collects what is known.
func newStatusLine(sh *shell.Shell, in statusline.Report, s *money.Status, zone *time.Location) *StatusLine {
	l := &StatusLine{SessionID: in.Session, Model: in.Model, Window: in.Window, Limits: in.Reported(sh.Now()), Now: sh.Now().In(zone)}
	if s == nil {
		return l
	}
	if total := s.Session.Total(); total.Messages > 0 {
		l.Session, l.Context = &total.Cost, s.Session.Context
	}
	if s.Session.Agents.Messages > 0 {
		l.Agents = &s.Session.Agents.Cost
	}
	l.Today = &s.Today.Cost
	return l
}

// encoded is the line as JSON, on one line.
func (l *StatusLine) encoded() string {
	data, err := json.Marshal(l)
	if err != nil {
		return ""
	}
	return string(data)
}
