package host

import (
	"os"
	"os/exec"
	"path/filepath"
)

// Program is the path under which this program will be found again. The name
// in PATH stays the same when a package manager puts a new version elsewhere.
func Program() (string, error) {
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
