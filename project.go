package sesskeep

import (
	"crypto/sha256"
	"encoding/base32"
	"path"
	"slices"
	"strings"
)

// Project is a working directory and the sessions started in it. Several
// projects can share a directory of the home, because their paths encode to the
// same name.
type Project struct {
	Root string
	Dir  ProjectKey
	Path string // empty when no session names it
}

// Name returns the name by which people address the project: the last part of
// its path, and four characters that distinguish it from others of that name.
func (p Project) Name() string {
	sum := sha256.Sum256([]byte(p.Root + "\x00" + string(p.Dir) + "\x00" + p.Path))
	tail := strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:4])
	return p.Base() + "-" + tail
}

// Base returns the last part of the project's path, without characters that
// could confuse a shell or a terminal.
func (p Project) Base() string {
	base := p.Path
	if base == "" {
		base = string(p.Dir)
	}
	base = strings.TrimRight(base, `/\`)
	base = base[strings.LastIndexAny(base, `/\`)+1:]
	base = strings.Map(func(r rune) rune {
		if r == '.' || r == '_' || r == '-' || r < 0x80 && isAlnum(byte(r)) {
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
func (p Project) Worktree() (repository, name string) {
	repository, name, ok := strings.Cut(filepathSlash(p.Path), "/.claude/worktrees/")
	if !ok {
		return "", ""
	}
	return repository, name
}

func filepathSlash(p string) string { return strings.ReplaceAll(p, `\`, "/") }

// AssignPaths returns the project's path of each session of one directory.
// Cwds holds the working directories of each session in order; the first that
// encodes to the directory is its project. A session without one joins the
// most frequent project of the directory. If no session has one, as when the
// folder was moved, it is the first of the hints that does: paths known from
// elsewhere. If there is none either, as when the directory was named by hand, the
// first working directory of each session counts.
func AssignPaths(dir ProjectKey, cwds [][]string, hints []string) []string {
	paths := make([]string, len(cwds))
	often := map[string]int{}
	for i, list := range cwds {
		if at := slices.IndexFunc(list, dir.Holds); at >= 0 {
			paths[i] = list[at]
			often[list[at]]++
		}
	}
	hint := slices.IndexFunc(hints, dir.Holds)
	if len(often) == 0 && hint < 0 {
		for i, list := range cwds {
			if len(list) > 0 {
				paths[i] = list[0]
				often[list[0]]++
			}
		}
	}
	usual := mostFrequent(often)
	if usual == "" && hint >= 0 {
		usual = hints[hint]
	}
	for i := range paths {
		if paths[i] == "" {
			paths[i] = usual
		}
	}
	return paths
}

// mostFrequent picks the key with the highest count, the first by name among
// equals.
func mostFrequent(counts map[string]int) string {
	best := ""
	for key, n := range counts {
		if best == "" || n > counts[best] || n == counts[best] && key < best {
			best = key
		}
	}
	return best
}

// IndexedPath returns the path that a sessions-index.json names. Clients wrote
// that file early in 2026 and never updated it, so the path is only a hint.
func (s *Store) IndexedPath(dir ProjectKey) string {
	data, err := s.files.ReadFile(path.Join("projects", string(dir), "sessions-index.json"), metaLimit)
	if err != nil {
		return ""
	}
	return field(data, "originalPath")
}
