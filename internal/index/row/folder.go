package row

import (
	"strings"

	"sesskeep"
)

// FolderOf is the project directory that a name in a home lies in.
func FolderOf(name string) sesskeep.ProjectKey {
	name, _ = strings.CutPrefix(name, "projects/")
	dir, _, _ := strings.Cut(name, "/")
	return sesskeep.ProjectKey(dir)
}
