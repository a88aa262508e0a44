package ask

import "sesskeep"

// Home is a home to index, with the project paths that are known from
// elsewhere.
type Home struct {
	Store *sesskeep.Store
	Hints []string
}
