package host

import (
	"path/filepath"
	"runtime"
)

// Dirs are the directories that are ours: where the XDG variables say, else
// below the user's home.
type Dirs struct {
	Getenv func(string) string
	Home   string // of the user; may be empty
	// Below is a directory that has all of them; "": each has a place of its own.
	Below string
}

// NoDirError says that neither the user has a home nor Variable names a
// directory.
type NoDirError struct{ Variable string }

func (e *NoDirError) Error() string { return "no place for data" }

// Data returns the directory of what cannot be recreated: the journal, backups.
func (d Dirs) Data() (string, error) {
	return d.own("data", "XDG_DATA_HOME", ".local", "share")
}

// Config returns the directory of what users configure.
func (d Dirs) Config() (string, error) {
	return d.own("config", "XDG_CONFIG_HOME", ".config")
}

// State returns the directory of what describes the running system: reports, logs,
// tokens, the server.
func (d Dirs) State() (string, error) {
	return d.own("state", "XDG_STATE_HOME", ".local", "state")
}

// Reports is the file that hooks report to.
func (d Dirs) Reports() (string, error) {
	dir, err := d.State()
	return filepath.Join(dir, "reports.jsonl"), err
}

// Lifecycle is the log of what happens to sessions; empty where there is no
// place for it.
func (d Dirs) Lifecycle() string {
	dir, err := d.State()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "lifecycle.jsonl")
}

// Cache is where what can be made again is kept; empty where there is no place
// for it.
func (d Dirs) Cache() string {
	dir, err := d.own("cache", "XDG_CACHE_HOME", ".cache")
	if err != nil {
		return ""
	}
	return dir
}

func (d Dirs) own(name, variable string, below ...string) (string, error) {
	if d.Below != "" {
		return filepath.Join(d.Below, name), nil
	}
	dir := d.Getenv(variable)
	if dir == "" && d.Home != "" {
		dir = filepath.Join(append([]string{d.Home}, below...)...)
	}
	if dir == "" {
		return "", &NoDirError{variable}
	}
	return filepath.Join(dir, "sesskeep"), nil
}

// ManagedDir is where an administrator's settings for all users lie.
func ManagedDir() string {
	switch runtime.GOOS {
	case "darwin":
		return "/Library/Application Support/ClaudeCode"
	case "windows":
		return `C:\Program Files\ClaudeCode`
	}
	return "/etc/claude-code"
}
