// Package setup reads what users set up for the client: command files, settings, and what
// it shall remember of a project.
package setup

import (
	"sesskeep/internal/history"
	"sesskeep/internal/homes"
)

// Setup reads what users set up.
type Setup struct {
	homes   *homes.Set
	history *history.History
}

// New makes a Setup. It reads nothing before it is asked.
func New(set *homes.Set, h *history.History) *Setup { return &Setup{homes: set, history: h} }
