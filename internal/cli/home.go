package cli

import (
	"path/filepath"
	"strings"

	"sesskeep/internal/history"
	"sesskeep/internal/paging"
)

// where is the project that -p, --all and the working directory name.
func (sh *shell) where() history.Where {
	return history.Where{All: sh.flags.all && sh.flags.project == "", Project: sh.flags.project, Dir: sh.Dir}
}

// limit checks -n.
func (sh *shell) limit() (int, error) {
	if sh.flags.limit < 0 {
		return 0, failUsage("--limit must not be negative", "leave it out to see all")
	}
	return sh.flags.limit, nil
}

// slice is the part of a list that --limit and --cursor ask for.
func (sh *shell) slice() (paging.Slice, error) {
	limit, err := sh.limit()
	return paging.Slice{Limit: limit, Cursor: sh.flags.cursor}, err
}

// tilde shortens a path in the user's home directory for people to read.
func (sh *shell) tilde(path string) string {
	if sh.Home == "" {
		return path
	}
	rest, ok := strings.CutPrefix(path, sh.Home)
	if !ok || rest != "" && rest[0] != filepath.Separator {
		return path
	}
	return "~" + rest
}
