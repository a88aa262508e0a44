package view

import "strings"

// relative returns a path relative to cwd if it is below it. Paths come from any
// system, so both separators count.
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

// base returns the last element of a path of any system, or "" if that could name
// anything but a file in the directory it is looked up in.
func base(path string) string {
	name := path[strings.LastIndexAny(path, `/\:`)+1:]
	if name == "." || name == ".." || strings.ContainsAny(name, "\x00\n\r") {
		return ""
	}
	return name
}
