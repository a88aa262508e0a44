package ask

import "sesskeep/internal/stamp"

// Project is a working directory in a list.
type Project struct {
	ID           string     `json:"id"`                      // short name, unique among all projects
	Name         string     `json:"name"`                    // last element of the path
	Path         string     `json:"path"`                    // working directory
	DirName      string     `json:"dirName"`                 // directory below projects/ in the home
	Root         string     `json:"root"`                    // directory of the home
	Repository   string     `json:"repository,omitempty"`    // for a git worktree: the repository
	SessionCount int        `json:"sessionCount"`            // rows that are not archived
	Counts       Counts     `json:"counts"`                  // rows by source
	InlineAgents int        `json:"inlineAgentCount"`        // agents inside the files of their sessions (clients 1.0), which have no rows
	LastActivity stamp.Time `json:"lastActivityAt,omitzero"` // time of the last line of any session
	LastUsed     stamp.Time `json:"lastUsed,omitzero"`       // when the client last ran in the project
	Size         int64      `json:"fileSize"`                // bytes of all transcripts
	Memory       bool       `json:"memory,omitempty"`        // true if the client keeps memory files for the project
}

// Counts are rows by source.
type Counts struct {
	User   int `json:"user"`   // sessions of users
	Agent  int `json:"agent"`  // agents
	Helper int `json:"helper"` // helpers of the client
	// Archived counts the archived rows of all sources. The other counts leave them out.
	Archived int `json:"archived"`
}
