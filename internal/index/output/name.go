package output

import (
	"path"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/saved"
)

// Split takes apart projects/<dir>/<session>/tool-results/<name>.
func Split(file string) (dir sesskeep.ProjectKey, session, name string, ok bool) {
	if !strings.Contains(file, "/tool-results/") { // which is quickly seen, of every file there is
		return "", "", "", false
	}
	parts := strings.Split(file, "/")
	if len(parts) != 5 || parts[0] != "projects" || parts[3] != "tool-results" || !sesskeep.IsUUID(parts[2]) {
		return "", "", "", false
	}
	return sesskeep.ProjectKey(parts[1]), parts[2], parts[4], true
}

// Is reports whether a file of a home is an output.
func Is(file string) bool {
	_, _, _, ok := Split(file)
	return ok
}

// File is the name of an output inside its home.
func File(dir sesskeep.ProjectKey, session, name string) string {
	return path.Join("projects", string(dir), session, "tool-results", name)
}

// Names are the outputs of a folder, in order.
func Names(f *sesskeep.Folder) []string {
	var names []string
	for session, list := range f.Results {
		for _, name := range list {
			names = append(names, File(f.Dir, string(session), name))
		}
	}
	slices.Sort(names)
	return names
}

// In lists the outputs that a line of tool results names, by the names of their files.
func In(e *sesskeep.Entry) []string {
	var names []string
	for _, o := range saved.Outputs(e) {
		names = append(names, o.Name)
	}
	return names
}

// Find returns the file of an output that a line of a session names.
func Find(files *homefs.Home, dir sesskeep.ProjectKey, id sesskeep.SessionID, name string) (string, error) {
	return saved.File(files, dir, id, name)
}
