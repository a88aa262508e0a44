package shell

import (
	"path/filepath"
	"strings"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/history"
	"sesskeep/internal/paging"
)

// Where is the project that -p, --all and the working directory name.
func Where(sh *Shell) history.Where {
	return history.Where{All: sh.Flags.All && sh.Flags.Project == "", Project: sh.Flags.Project, Dir: sh.Dir}
}

// Limit checks -n.
func (sh *Shell) Limit() (int, error) {
	if sh.Flags.Limit < 0 {
		return 0, fail.Usage("--limit must not be negative", "leave it out to see all")
	}
	return sh.Flags.Limit, nil
}

// Slice is the part of a list that --limit and --cursor ask for.
func (sh *Shell) Slice() (paging.Slice, error) {
	limit, err := sh.Limit()
	return paging.Slice{Limit: limit, Cursor: sh.Flags.Cursor}, err
}

// Tilde shortens a path in the user's home directory for people to read.
func (sh *Shell) Tilde(path string) string {
	if sh.Home == "" {
		return path
	}
	rest, ok := strings.CutPrefix(path, sh.Home)
	if !ok || rest != "" && rest[0] != filepath.Separator {
		return path
	}
	return "~" + rest
}
