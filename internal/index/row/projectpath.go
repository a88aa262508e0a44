package row

import (
	"path"
	"slices"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/jsonl"
)

// AssignPaths returns the project's path of each session of one directory.
// Cwds holds the working directories of each session in order; the first that
// encodes to the directory is its project. A session without one joins the
// most frequent project of the directory. If no session has one, as when the
// folder was moved, it is the first of the hints that does: paths known from
// elsewhere. If there is none either, as when the directory was named by hand, the
// first working directory of each session counts.
func AssignPaths(dir sesskeep.ProjectKey, cwds [][]string, hints []string) []string {
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
func IndexedPath(files *homefs.Home, dir sesskeep.ProjectKey) string {
	data, err := files.ReadFile(path.Join("projects", string(dir), "sessions-index.json"), indexLimit)
	if err != nil {
		return ""
	}
	var p jsonl.Parser
	p.Reset(data)
	known := ""
	for key := range p.Object() {
		if string(key) == "originalPath" {
			known = p.Text()
		}
	}
	return known
}

// indexLimit is far above any sessions-index.json seen.
const indexLimit = 1 << 20
