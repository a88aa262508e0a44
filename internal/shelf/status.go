package shelf

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep"
)

// HookStatus says which of our hooks a settings file has, and whether the
// client heeds them.
type HookStatus struct {
	File   string      `json:"file"`
	Path   string      `json:"path"` // where links lead
	Events []HookEvent `json:"events"`
	// Installed is "yes", "no", "partly" or "other": for another program.
	Installed string `json:"installed"`
	// Off says why the client runs none of them; empty: it does.
	Off string `json:"off,omitempty"`
	// Problem says why our hooks could not be installed as the file is.
	Problem string `json:"problem,omitempty"`
}

// HookEvent is our hook for one event.
type HookEvent struct {
	Event   string `json:"event"`
	Command string `json:"command,omitempty"` // empty: there is none
	Current bool   `json:"current"`           // it is the one that would be installed
}

// Hooks looks at a settings file. Managed is the directory of the settings an
// administrator makes for all; it need not be there.
func Hooks(file, command, managed string) (HookStatus, error) {
	p, err := look("hook status", file)
	if err != nil {
		return HookStatus{}, err
	}
	st := HookStatus{File: file, Path: p.Path, Off: managedOff(managed)}
	d := &document{}
	if !blank(p.Before) {
		if d, err = parse(p.Before); err != nil {
			return st, &sesskeep.Error{Op: p.Verb, Name: file, Err: err}
		}
	}
	if st.Off == "" && d.isTrue("disableAllHooks") {
		st.Off = "disableAllHooks is set in " + file
	}
	if _, err := withOurs(p.Before, command); err != nil {
		st.Problem = err.Error()
	}
	hooks := d.root.member("hooks")
	current, there := 0, 0
	for _, event := range Events {
		e := HookEvent{Event: event}
		if found := d.handlers(hooks.member(event), theirsPattern); len(found) > 0 {
			e.Command = d.string(found[0].command)
			// What people made of it is as they want it.
			e.Current = strings.TrimSpace(e.Command) == command || !oursPattern.MatchString(e.Command)
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
	case current == len(Events):
		st.Installed = "yes"
	case there == len(Events) && current == 0:
		st.Installed = "other"
	default:
		st.Installed = "partly"
	}
	return st, nil
}

// managedOff says why an administrator's settings keep hooks of users from
// running, if they do.
func managedOff(dir string) string {
	if dir == "" {
		return ""
	}
	files := []string{filepath.Join(dir, "managed-settings.json")}
	pieces, _ := os.ReadDir(filepath.Join(dir, "managed-settings.d")) // most systems have none
	for _, e := range pieces {
		if strings.HasSuffix(e.Name(), ".json") && !strings.HasPrefix(e.Name(), ".") {
			files = append(files, filepath.Join(dir, "managed-settings.d", e.Name()))
		}
	}
	for _, file := range slices.Backward(files) {
		data, err := content(file)
		if err != nil || data == nil {
			continue
		}
		d, err := parse(data)
		if err != nil {
			continue
		}
		for _, key := range []string{"disableAllHooks", "allowManagedHooksOnly"} {
			if d.isTrue(key) {
				return key + " is set in " + file
			}
		}
	}
	return ""
}
