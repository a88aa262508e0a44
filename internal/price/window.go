package price

import "strings"

// Windows that models have.
const (
	usualWindow = 200_000
	largeWindow = 1_000_000
)

// windows are those that a model has whatever the client asks for. Of models that
// have the usual one or a large one, their name in an answer does not tell which:
// clients leave the "[1m]" behind it out.
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

// Window returns how many tokens a model can have before it, or 0 if that is not
// known. used is the most that it has had.
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
