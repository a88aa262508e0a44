// Package travel backs up homes with everything that sesskeep stores about their sessions, and
// restores them here, or on another machine under other paths.
//
// A backup has trees of files:
//
//	home/<id>    files of sessions in a home
//	copies/<id>  the copies of that home, as the vault stores them
//	trash        sessions in the trash, as they are stored there
//	ours         labels.json, keep.json, config.toml, interface.json
//
// No tree has the files that package stores calls left out, and files on the deny-list of
// homefs are never opened.
package travel

import (
	"time"

	"sesskeep/internal/acts"
	"sesskeep/internal/backup"
	"sesskeep/internal/catalog"
	"sesskeep/internal/homes"
	"sesskeep/internal/trash"
)

// Options are the homes and directories that a Travel backs up or restores.
type Options struct {
	Homes   *homes.Set
	Catalog *catalog.Catalog
	Journal *acts.Journal
	Trash   *trash.Trash
	Data    string // our data directory
	Config  string // path of config.toml; may be empty
	Host    string // host name of this machine
	Now     func() time.Time
	Workers int // files read at the same time; 0: one per processor
}

// Travel backs up everything about sessions, and restores it on this machine or another one.
type Travel struct{ opts Options }

// New returns a Travel. It opens no backup before it is called.
func New(o Options) *Travel { return &Travel{opts: o} }

// The trees of a backup.
const (
	homeTree   = "home/"
	copiesTree = "copies/"
	trashTree  = "trash"
	oursTree   = "ours"
)

// The files in the tree "ours".
const (
	labelsName    = "labels.json"
	policyName    = "keep.json"
	configName    = "config.toml"
	interfaceName = "interface.json"
)

// belongings are the names at the top of a home that belong to sessions. Other files there are
// settings, which may hold secrets, and caches of the client.
var belongings = []string{
	"projects", "history.jsonl", "todos", "tasks", "plans", "file-history", "paste-cache", "image-cache", "uploads",
	"debug", "jobs", "teams", "usage-data", "agent-memory", "session-memory", "stats-cache.json",
}

// Where is the path of a repository and the key that opens it.
type Where struct {
	Path string
	Key  backup.Key
}

func (tr *Travel) repository(w Where) backup.Options {
	return backup.Options{Now: tr.opts.Now, Key: w.Key}
}
