package settings

import (
	"strings"

	"sesskeep/internal/jsonedit"
)

// HookStatus says which of our hooks a settings file has, and whether the
// client heeds them.
type HookStatus struct {
	File   string      `json:"file"`
	Path   string      `json:"path"` // where links lead
	Events []HookEvent `json:"events"`
	// Installed is "yes", "no", "partly", or "other" if the hooks of another program are there.
	Installed string `json:"installed"`
	// Off says why the client runs none of them; empty: it does.
	Off string `json:"off,omitempty"`
	// Problem says what in the file prevents our hooks from being installed.
	Problem string `json:"problem,omitempty"`
}

// HookEvent is our hook for one event.
type HookEvent struct {
	Event   string `json:"event"`
	Command string `json:"command,omitempty"` // empty: there is none
	Current bool   `json:"current"`           // it is the one that would be installed
}

// Status looks at the text of a settings file. Command is the one that would be
// installed.
func (h Hooks) Status(text []byte, command string) (HookStatus, error) {
	var st HookStatus
	d := &jsonedit.Document{}
	if !blank(text) {
		var err error
		if d, err = jsonedit.ParseObject(text); err != nil {
			return st, err
		}
	}
	if _, err := h.Add(text, command); err != nil {
		st.Problem = err.Error()
	}
	hooks := d.Root.Member("hooks")
	current, there := 0, 0
	for _, event := range h.Events {
		e := HookEvent{Event: event}
		if found := handlers(d, hooks.Member(event), h.runs); len(found) > 0 {
			e.Command = d.String(found[0].command)
			// What people made of it is as they want it.
			e.Current = strings.TrimSpace(e.Command) == command || !h.isOurs(e.Command)
			there++
		}
		if e.Current {
			current++
		}
		st.Events = append(st.Events, e)
	}
	switch {
	case there == 0:
		st.Installed = "no"
	case current == len(h.Events):
		st.Installed = "yes"
	case there == len(h.Events) && current == 0:
		st.Installed = "other"
	default:
		st.Installed = "partly"
	}
	return st, nil
}

// SwitchedOff returns the first of keys that a text sets to true: a reason why
// the client runs no hooks.
func SwitchedOff(text []byte, keys ...string) string {
	d, err := jsonedit.ParseObject(text)
	if err != nil {
		return ""
	}
	for _, key := range keys {
		if n := d.Root.Member(key); n != nil && string(d.Raw(n)) == "true" {
			return key
		}
	}
	return ""
}
