package ask

import (
	"strings"

	"sesskeep"
)

// Home is a home to index, with the project paths that are known from
// elsewhere.
type Home struct {
	Store *sesskeep.Store
	Hints []string
}

// inTrash follows the root of a home in the name of what lies in its trash. No home is at
// such a path, because roots are clean.
const inTrash = "/./trash"

// TrashRoot returns the root under which the index knows what lies in the trash of the home at
// root: it is in no list, but what was spent there counts.
func TrashRoot(root string) string { return root + inTrash }

// HomeRoot returns the root of the home that a root of the index belongs to, and whether it is
// that of its trash.
func HomeRoot(root string) (home string, trashed bool) { return strings.CutSuffix(root, inTrash) }
