package sesskeep

import (
	"os"
	"path/filepath"
	"strings"
)

// Roots lists the homes to read: those given, else what CLAUDE_CONFIG_DIR
// names (a list is allowed), else ~/.claude. Old clients kept a home in
// ~/.config/claude: it is read too where it holds projects. A home that is
// reached by two names is listed once.
func Roots(given []string, getenv func(string) string, userHome string) []string {
	list := given
	if len(list) == 0 {
		list = splitRoots(getenv("CLAUDE_CONFIG_DIR"))
	}
	if len(list) == 0 {
		list = []string{filepath.Join(userHome, ".claude")}
		if old := filepath.Join(configHome(getenv, userHome), "claude"); isDir(filepath.Join(old, "projects")) {
			list = append(list, old)
		}
	}
	return distinct(list)
}

func configHome(getenv func(string) string, userHome string) string {
	if dir := getenv("XDG_CONFIG_HOME"); dir != "" {
		return dir
	}
	return filepath.Join(userHome, ".config")
}

// splitRoots takes a list of homes apart: several tools accept commas in
// CLAUDE_CONFIG_DIR, and some people point it at the projects folder. A path
// that exists with its comma is one home.
func splitRoots(list string) []string {
	if list == "" || isDir(list) {
		return clean(list)
	}
	var roots []string
	for _, root := range strings.Split(list, ",") {
		roots = append(roots, clean(strings.TrimSpace(root))...)
	}
	return roots
}

func clean(root string) []string {
	if root == "" {
		return nil
	}
	root = filepath.Clean(root)
	if filepath.Base(root) == "projects" && isDir(root) && !isDir(filepath.Join(root, "projects")) {
		root = filepath.Dir(root)
	}
	return []string{root}
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func distinct(list []string) []string {
	var roots []string
	var seen []os.FileInfo
next:
	for _, root := range list {
		info, err := os.Stat(root)
		for i, other := range seen {
			if roots[i] == root || err == nil && other != nil && os.SameFile(info, other) {
				continue next
			}
		}
		roots = append(roots, root)
		seen = append(seen, info)
	}
	return roots
}
