package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
)

// dataDir is where what cannot be made again is kept: the journal, backups.
// Without a home of the user there is none.
func (sh *shell) dataDir() (string, error) {
	return sh.ownDir("XDG_DATA_HOME", ".local", "share")
}

// reportsFile is where hooks report to.
func (sh *shell) reportsFile() (string, error) {
	dir, err := sh.ownDir("XDG_STATE_HOME", ".local", "state")
	return filepath.Join(dir, "reports.jsonl"), err
}

// lifecycleFile is the log of what happens to sessions; empty where there is no
// place for it.
func (sh *shell) lifecycleFile() string {
	dir, err := sh.ownDir("XDG_STATE_HOME", ".local", "state")
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "lifecycle.jsonl")
}

func (sh *shell) ownDir(variable string, below ...string) (string, error) {
	dir := sh.Getenv(variable)
	if dir == "" && sh.Home != "" {
		dir = filepath.Join(append([]string{sh.Home}, below...)...)
	}
	if dir == "" {
		return "", hinted{errors.New("no place for data"), "set HOME or " + variable}
	}
	return filepath.Join(dir, "sesskeep"), nil
}

// program is the path under which this program will be found again. The name
// in PATH stays the same when a package manager puts a new version elsewhere.
func program() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	mine, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	named, err := exec.LookPath(filepath.Base(path))
	if err != nil || !filepath.IsAbs(named) {
		return path, nil
	}
	if info, err := os.Stat(named); err != nil || !os.SameFile(mine, info) {
		return path, nil
	}
	return named, nil
}
