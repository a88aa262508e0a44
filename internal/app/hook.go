package app

import (
	"path/filepath"
	"time"

	"sesskeep/internal/live"
	"sesskeep/internal/shelf"
)

// What writes below Claude's home is known to fronts by these names.
type (
	Shelf      = shelf.Shelf
	Act        = shelf.Act
	Plan       = shelf.Plan
	HookStatus = shelf.HookStatus
	// ElsewhereError says that a change was made in a home that was not meant.
	ElsewhereError = shelf.ElsewhereError
)

// HookEvents are the events our hooks report.
var HookEvents = shelf.Events

// NewShelf is the shelf with its data in dir.
func NewShelf(dir string, now func() time.Time) *Shelf { return shelf.New(dir, now) }

// Hooks is how hooks are set up.
type Hooks struct {
	Shelf   *Shelf
	Command string // what the client shall run
	Managed string // directory of the system's managed settings; may be missing
}

// settingsFile is where a home keeps its settings.
func settingsFile(root string) string { return filepath.Join(root, "settings.json") }

// Install plans to install our hooks in a home.
func (h Hooks) Install(root string) (Plan, error) {
	return shelf.InstallHooks(settingsFile(root), h.Command)
}

// Uninstall plans to take them out.
func (h Hooks) Uninstall(root string) (Plan, error) {
	return h.Shelf.UninstallHooks(settingsFile(root))
}

// Status tells which hooks a home has.
func (h Hooks) Status(root string) (HookStatus, error) {
	return shelf.Hooks(settingsFile(root), h.Command, h.Managed)
}

// Report adds what the client told a hook to the file of reports.
func Report(file string, input []byte, now time.Time) error {
	r, err := live.ParseReport(input, now)
	if err != nil {
		return err
	}
	return live.AppendReport(file, r)
}
