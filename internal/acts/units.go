package acts

import (
	"slices"
	"strings"

	"sesskeep"
)

// Units returns the paths to move for the files of a session: a directory that has its
// name as a whole, and every other file by itself.
func Units(id sesskeep.SessionID, files []string) []string {
	var list []string
	for _, file := range files {
		parts := strings.Split(file, "/")
		unit := file
		if n := slices.Index(parts[:len(parts)-1], string(id)); n >= 0 {
			unit = strings.Join(parts[:n+1], "/")
		}
		if !slices.Contains(list, unit) {
			list = append(list, unit)
		}
	}
	return list
}
