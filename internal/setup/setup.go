// Package setup reads what users set up for the client: command files, settings, and what
// it shall remember of a project.
package setup

import (
	"sesskeep/internal/homes"
	"sesskeep/internal/talk"
)

// Setup reads what users set up.
type Setup struct {
	homes *homes.Set
	talk  *talk.Talk
}

// New makes a Setup. It reads nothing before it is asked.
func New(set *homes.Set, tk *talk.Talk) *Setup { return &Setup{homes: set, talk: tk} }
