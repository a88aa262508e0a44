package price

import "strings"

// The context windows of models.
const (
	usualWindow = 200_000
	largeWindow = 1_000_000
)

// windows are those of models whose window does not depend on the client. For models
// with either the usual or a large window, the name in an answer does not show which:
// clients omit the "[1m]" after it.
var windows = map[string]int64{
	"claude-haiku-4-5":  usualWindow,
	"claude-opus-4":     usualWindow,
	"claude-opus-4-0":   usualWindow,
	"claude-opus-4-1":   usualWindow,
	"claude-opus-4-5":   usualWindow,
	"claude-haiku-5-5":  largeWindow,
	"claude-opus-5-5":   largeWindow,
	"claude-sonnet-5-5": largeWindow,
}

// Window returns the context window of a model in tokens, or 0 if it is not known.
// used is the largest context that it has had.
func Window(model string, used int64) int64 {
	if strings.Contains(strings.ToLower(model), "[1m]") || used > usualWindow {
		return largeWindow
	}
	name := Normalize(model)
	if strings.HasPrefix(name, "claude-3-") {
		return usualWindow
	}
	return windows[name]
}
