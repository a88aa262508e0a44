package claudehome

import (
	"bytes"
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"sesskeep"
	"sesskeep/homefs"
)

// Setting is one setting of the client as it takes effect, and the file that sets
// it.
type Setting struct {
	Key   string // with dots: "permissions.defaultMode"
	Value json.RawMessage
	// Hidden says that the value may be a secret and is left out: the values of environment
	// variables and headers, and of keys with names such as apiKey. Switches are shown.
	Hidden bool
	File   string // whole path
	// Programs are those that a hidden value makes the client run, such as hooks, without
	// their arguments, which can be secrets.
	Programs []Program
	// Overridden are the files that set it as well and do not decide.
	Overridden []string
}

// Settings lists the settings that take effect, by key. The first of the files
// that sets one decides; lists of permission rules add up, and have a Setting for
// each file. The order is that of [FindRetention]. What cannot be read is a
// Problem.
func Settings(s *homefs.Home, o RetentionOptions) ([]Setting, []sesskeep.Problem) {
	var c collector
	read := map[string]bool{} // beside the home, the project's settings are its own
	for _, source := range settingsFiles(s, o) {
		c.file = source.store.Path(source.name)
		if read[c.file] {
			continue
		}
		read[c.file] = true
		top, err := source.read()
		if err != nil {
			c.problems = append(c.problems, unread(c.file, err))
			continue
		}
		c.object("", top, false)
	}
	slices.SortStableFunc(c.list, func(a, b Setting) int { return cmp.Compare(a.Key, b.Key) })
	return c.list, c.problems
}

// collector gathers settings from one file after another.
type collector struct {
	file     string
	list     []Setting
	problems []sesskeep.Problem
}

// maxSettingDepth is deeper than any setting of the client.
const maxSettingDepth = 4

func (c *collector) object(prefix string, fields map[string]json.RawMessage, hidden bool) {
	for key, value := range fields {
		c.value(prefix+key, value, hidden || secretName().MatchString(key))
	}
}

func (c *collector) value(key string, value json.RawMessage, hidden bool) {
	var inner map[string]json.RawMessage
	if value[0] == '{' && strings.Count(key, ".") < maxSettingDepth && json.Unmarshal(value, &inner) == nil && len(inner) > 0 {
		c.object(key+".", inner, hidden)
		return
	}
	set := Setting{Key: key, Value: compact(value), Hidden: hidden, File: c.file}
	if set.Hidden = hidden && !harmless(key, value); set.Hidden {
		set.Value, set.Programs = nil, programsOf(key, value)
	}
	for i := range c.list {
		if c.list[i].Key == key && !addsUp(key, value) {
			c.list[i].Overridden = append(c.list[i].Overridden, c.file)
			return
		}
	}
	c.list = append(c.list, set)
}

// addsUp reports whether the values of all files count together.
func addsUp(key string, value json.RawMessage) bool {
	return value[0] == '[' && (strings.HasPrefix(key, "permissions.") || strings.HasPrefix(key, "hooks."))
}

// secretName matches the keys whose values, and whatever is below them, may be
// secrets. Commands can have one among their arguments.
var secretName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^env$|key|token|secret|passw|auth|credential|header|helper|cookie|command|mcpservers|^hooks$`)
})

// compact is a value on one line.
func compact(value json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return value
	}
	return b.Bytes()
}
