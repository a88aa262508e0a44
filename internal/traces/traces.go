// Package traces finds what a home of Claude Code has of some sessions, or of a whole project:
// their files wherever they lie, their lines in files of all sessions, and their entries in
// the client's state. It reads and changes nothing; a purge takes its plan from it.
package traces

import (
	"io"
	"maps"
	"slices"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/mention"
)

// Scope is what to find traces of.
type Scope struct {
	Of mention.Set
	// Slugs are the names of the sessions' plans, without those that other sessions use too.
	Slugs []string
	// Whole are the directories below projects/ that belong to the scope with all their files;
	// in other directories only files of the sessions do.
	Whole []sesskeep.ProjectKey
	// Pastes are hashes of pasted texts that belong to the scope, besides those that are found.
	Pastes []string
	// Runs reports whether a process of the client's registry is running.
	Runs func(pid int) bool
}

// Kind is a kind of trace, in the words that users see.
type Kind string

// The kinds.
const (
	Transcripts Kind = "transcripts"
	Agents      Kind = "agents"
	Results     Kind = "tool results"
	Memory      Kind = "memory"
	Lists       Kind = "sessions-index.json"
	Prompts     Kind = "prompts in history.jsonl"
	Pastes      Kind = "pasted texts"
	Images      Kind = "pasted images and uploads"
	State       Kind = "entries in .claude.json"
	StateBackup Kind = "entries in backups of .claude.json"
	Todos       Kind = "todos and tasks"
	Edits       Kind = "file history"
	Plans       Kind = "plans"
	Jobs        Kind = "background jobs"
	Debug       Kind = "debug logs"
	Usage       Kind = "usage data"
	Other       Kind = "other files"
)

// Count is how many traces of a kind there are.
type Count struct {
	Kind  Kind  `json:"kind"`
	Items int   `json:"count"`              // files, lines or entries
	Bytes int64 `json:"fileSize,omitempty"` // size of the files
}

// Edit is a file that stays and loses some of its content.
type Edit struct {
	File  string // absolute path
	Kind  Kind
	Items int                           // how many lines or entries are removed
	From  func() (io.ReadCloser, error) // its new content
}

// Found is the traces of a Scope in a home.
type Found struct {
	Counts []Count
	Erase  []string // inside the home: files, and directories with all they hold
	Edits  []Edit
	Left   []string // files that mention it and that only the user may change
	Notes  []string

	bytes  map[Kind]*Count
	pastes map[string]bool // hashes of pasted texts that only removed lines refer to
}

// Find finds the traces of a Scope in a home.
func Find(store *sesskeep.Store, scope Scope) (*Found, error) {
	f := &finder{
		store: store, home: store.Files().Disk(), scope: scope, of: scope.Of.Finder(),
		found: &Found{bytes: map[Kind]*Count{}, pastes: map[string]bool{}},
	}
	for _, hash := range scope.Pastes {
		f.found.pastes[hash] = true
	}
	for _, find := range []func() error{f.history, f.projects, f.named, f.others, f.state, f.left} {
		if err := find(); err != nil {
			return f.found, err
		}
	}
	for _, c := range f.found.bytes {
		f.found.Counts = append(f.found.Counts, *c)
	}
	slices.SortFunc(f.found.Counts, func(a, b Count) int { return slices.Index(kinds, a.Kind) - slices.Index(kinds, b.Kind) })
	slices.Sort(f.found.Erase)
	return f.found, nil
}

var kinds = []Kind{Transcripts, Agents, Results, Memory, Lists, Prompts, Pastes, Images, State, StateBackup, Todos, Edits, Plans, Jobs, Debug, Usage, Other}

// finder finds what one home has.
type finder struct {
	store *sesskeep.Store
	home  *homefs.Home // the files on disk, without our copies of deleted ones
	scope Scope
	of    *mention.Finder
	found *Found
}

// count adds traces of a kind.
func (f *finder) count(kind Kind, items int, bytes int64) {
	c := f.found.bytes[kind]
	if c == nil {
		c = &Count{Kind: kind}
		f.found.bytes[kind] = c
	}
	c.Items, c.Bytes = c.Items+items, c.Bytes+bytes
}

// Pastes lists the hashes of the pasted texts to remove. The texts themselves may be gone.
func (f *Found) Pastes() []string { return slices.Sorted(maps.Keys(f.pastes)) }
