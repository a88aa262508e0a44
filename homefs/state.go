package homefs

import "path/filepath"

// StateFiles returns the places where the client may keep .claude.json for the
// home at root: inside it, or beside it if the home is the usual one.
func StateFiles(root string) []string {
	files := []string{filepath.Join(root, ".claude.json")}
	if filepath.Base(root) == ".claude" {
		files = append(files, filepath.Join(filepath.Dir(root), ".claude.json"))
	}
	return files
}
