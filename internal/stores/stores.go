// Package stores lists what sesskeep stores on disk, and what a backup and a purge do with it.
//
// A package that stores files of its own adds a row to [Table]: tests walk our directories after
// every script and fail for a file without one.
package stores

import (
	"path"
	"strings"
)

// Dir is one of our directories.
type Dir string

// The directories.
const (
	Data   Dir = "data"   // what cannot be created again
	State  Dir = "state"  // what describes the running system
	Cache  Dir = "cache"  // what can be created again
	Config Dir = "config" // what users configure
)

// Backup is what a backup does with a store.
type Backup string

// What backups do.
const (
	Copied   Backup = "copied"   // its files are backed up as they are
	Exported Backup = "exported" // its contents are backed up in another format
	LeftOut  Backup = "left out" // it is never backed up
)

// Purge is what a purge of sessions does with a store.
type Purge string

// What purges do.
const (
	Cleaned  Purge = "cleaned"  // what belongs to the sessions is removed from it
	Unneeded Purge = "unneeded" // it contains nothing from sessions
)

// Store is files of ours that belong together.
type Store struct {
	Dir Dir
	// Files are patterns of [path.Match] below Dir; one that ends in "/" covers everything below.
	Files  []string
	What   string // what it contains
	Backup Backup
	Purge  Purge
	Why    string // the reason for LeftOut or Unneeded
}

// Find returns the store that a file below a directory of ours belongs to.
func Find(dir Dir, name string) (Store, bool) {
	for _, s := range Table {
		if s.Dir == dir && s.has(name) {
			return s, true
		}
	}
	return Store{}, false
}

func (s *Store) has(name string) bool {
	for _, pattern := range s.Files {
		head, below := name, false
		if strings.HasSuffix(pattern, "/") {
			pattern = strings.TrimSuffix(pattern, "/")
			head, below = firstParts(name, strings.Count(pattern, "/")+1)
			if !below {
				continue
			}
		}
		if ok, err := path.Match(pattern, head); ok && err == nil {
			return true
		}
	}
	return false
}

// firstParts returns the first parts of a name, and whether something follows them.
func firstParts(name string, n int) (string, bool) {
	parts := strings.Split(name, "/")
	if len(parts) <= n {
		return name, false
	}
	return strings.Join(parts[:n], "/"), true
}
