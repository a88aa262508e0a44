package ask

import "sesskeep/internal/stamp"

// Project is a working directory in a list.
type Project struct {
	ID           string     `json:"id"` // short name
	Name         string     `json:"name"`
	Path         string     `json:"path"`
	DirName      string     `json:"dirName"`
	Root         string     `json:"root"`
	Repository   string     `json:"repository,omitempty"` // of a worktree
	SessionCount int        `json:"sessionCount"`         // every row that is not archived
	Counts       Counts     `json:"counts"`
	InlineAgents int        `json:"inlineAgentCount"` // inside the files of their sessions (1.0): they have no rows
	LastActivity stamp.Time `json:"lastActivityAt,omitzero"`
	LastUsed     stamp.Time `json:"lastUsed,omitzero"`
	Size         int64      `json:"fileSize"`
	Memory       bool       `json:"memory,omitempty"` // has notes the client keeps for itself
}

// Counts are rows by source.
type Counts struct {
	User   int `json:"user"`
	Agent  int `json:"agent"`
	Helper int `json:"helper"`
	// Archived are those that were put away, of any source; the others count none
	// of them.
	Archived int `json:"archived"`
}
