package ask

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"

	"sesskeep"
)

// ProjectID identifies a project: a working directory and the sessions started in it.
// Several projects can share a directory of the home, because their paths encode to the
// same name.
type ProjectID struct {
	Root string              // directory of the home
	Dir  sesskeep.ProjectKey // directory below projects/
	Path string              // working directory; empty when no session names it
}

// Name returns the name by which people address the project: the last part of
// its path, and four characters that distinguish it from others of that name.
func (p ProjectID) Name() string {
	sum := sha256.Sum256([]byte(p.Root + "\x00" + string(p.Dir) + "\x00" + p.Path))
	tail := strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:4])
	return p.Base() + "-" + tail
}

// Base returns the last part of the project's path, without characters that
// could confuse a shell or a terminal.
func (p ProjectID) Base() string {
	base := p.Path
	if base == "" {
		base = string(p.Dir)
	}
	base = strings.TrimRight(base, `/\`)
	base = base[strings.LastIndexAny(base, `/\`)+1:]
	base = strings.Map(func(r rune) rune {
		if r == '.' || r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '-'
	}, base)
	base = strings.Trim(base, "-.")
	if base == "" {
		return "root"
	}
	return base
}

// Worktree returns the repository and the name of a git worktree that the
// client made. Both are empty for other projects.
func (p ProjectID) Worktree() (repository, name string) {
	repository, name, ok := strings.Cut(filepathSlash(p.Path), "/.claude/worktrees/")
	if !ok {
		return "", ""
	}
	return repository, name
}

func filepathSlash(p string) string { return strings.ReplaceAll(p, `\`, "/") }
