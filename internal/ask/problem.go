package ask

import "sesskeep"

// Problem is damage in one of the homes.
type Problem struct {
	Root string `json:"root"` // directory of the home
	sesskeep.Problem
}
