package launch

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// nested are the variables that a client sets for processes inside it.
var nested = []string{
	"CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_CHILD_SESSION",
	"CLAUDE_CODE_PARENT_SESSION_ID", "CLAUDE_CODE_EXECPATH",
}

// Environ returns the part of an environment that the client gets: everything but
// our own variables and those that mark a process as running inside a client.
func Environ(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return strings.HasPrefix(name, "SESSKEEP_") || strings.HasPrefix(name, "CLAUDECODE") || slices.Contains(nested, name)
	})
}

// ErrNoClient means that the client is not installed.
var ErrNoClient = errors.New("claude is not installed, or not in PATH")

// Find returns the absolute path of the client. It looks up a bare name in the
// directories of path, a list like PATH. It skips directories that are not
// absolute, so that the working directory never decides what runs.
func Find(name, path string) (string, error) {
	if strings.ContainsAny(name, `/\`) {
		if !filepath.IsAbs(name) {
			return "", fmt.Errorf("%s: name the client by its absolute path", name)
		}
		return find(name)
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if found, err := find(filepath.Join(dir, name)); err == nil {
			return found, nil
		}
	}
	return "", ErrNoClient
}

func find(path string) (string, error) {
	found, err := exec.LookPath(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("%s: %w", path, ErrNoClient)
	}
	return found, err
}
