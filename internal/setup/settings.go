package setup

import (
	"encoding/json"
	"path/filepath"

	"sesskeep/claudehome"
	"sesskeep/homefs"
	"sesskeep/internal/ask"
)

// SettingsOptions say whose settings.
type SettingsOptions struct {
	Project string // its directory
	Managed string // directory of the system's managed settings; may be missing
}

// SettingsPage is what takes effect in every home.
type SettingsPage struct {
	Settings []Setting     `json:"settings"`
	Problems []ask.Problem `json:"problems"` // files that cannot be read
	Total    int           `json:"total"`
}

// Setting is one setting that takes effect, and the file that sets it.
type Setting struct {
	Root string `json:"root"`
	Key  string `json:"key"`
	// Value is left out where it may be a secret.
	Value  json.RawMessage `json:"value,omitempty"`
	Hidden bool            `json:"hidden"`
	// Programs are those that a hidden value makes the client run, without their arguments.
	Programs   []claudehome.Program `json:"programs,omitempty"`
	File       string               `json:"file"`
	Overridden []string             `json:"overridden,omitempty"` // files that set it in vain
}

// Settings lists the settings of the client that take effect, in every home.
func (st *Setup) Settings(o SettingsOptions) SettingsPage {
	page := SettingsPage{Settings: []Setting{}, Problems: []ask.Problem{}}
	var sources claudehome.RetentionOptions
	if o.Managed != "" {
		sources.Managed, _ = homefs.Open(o.Managed) // most systems have none
	}
	if filepath.IsAbs(o.Project) {
		sources.Project = st.homes.Outside.Claude(o.Project)
	}
	for _, h := range st.homes.List {
		root := h.Store.Root()
		list, problems := claudehome.Settings(h.Store.Files(), sources)
		for _, s := range list {
			page.Settings = append(page.Settings, Setting{root, s.Key, s.Value, s.Hidden, s.Programs, s.File, s.Overridden})
		}
		for _, p := range problems {
			page.Problems = append(page.Problems, ask.Problem{Root: root, Problem: p})
		}
	}
	page.Total = len(page.Settings)
	return page
}
