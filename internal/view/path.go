package view

import "strings"

// relative shortens a path to what it is below cwd. Paths come from any system,
// not only the one we run on, so both separators count.
func relative(cwd, path string) string {
	cwd = strings.TrimRight(cwd, `/\`)
	if cwd == "" {
		return path
	}
	rest, ok := strings.CutPrefix(path, cwd)
	switch {
	case !ok:
		return path
	case rest == "":
		return "."
	case strings.ContainsRune(`/\`, rune(rest[0])) && len(rest) > 1:
		return rest[1:]
	}
	return path
}

// base is the last element of a path of any system, or "" if that could lead
// anywhere but to a file in the folder it is looked up in.
func base(path string) string {
	name := path[strings.LastIndexAny(path, `/\:`)+1:]
	if name == "." || name == ".." || strings.ContainsAny(name, "\x00\n\r") {
		return ""
	}
	return name
}
