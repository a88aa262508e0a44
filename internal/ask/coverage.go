package ask

import (
	"cmp"
	"fmt"
	"strings"

	"sesskeep/internal/stamp"
)

// Coverage is how much of what there is an answer was made from. An answer from a part
// must say so: it looks like the whole otherwise.
type Coverage struct {
	Complete bool `json:"complete"` // true if the answer was made from everything there is
	// Reading is the progress of a reading under way, newest files first; nil: there is none.
	Reading *Progress `json:"reading,omitempty"`
	// Behind is why changes may be missing though no reading is under way; nil: they are not.
	Behind *Behind `json:"behind,omitempty"`
	// SearchStopped is true if a search stopped at its budget: more may match.
	SearchStopped bool  `json:"searchStopped,omitempty"`
	Skipped       int64 `json:"skippedSize,omitempty"` // bytes of text that the search did not read, if it counted them
	// Unreadable is what could not be read, at most 10 of it.
	Unreadable      []Unreadable `json:"unreadable,omitempty"`
	UnreadableCount int          `json:"unreadableCount,omitempty"` // number of files and directories that could not be read

	Generation uint64 `json:"-"` // grows whenever answers can change
}

// Progress is how far a reading is.
type Progress struct {
	Files int `json:"files"` // number of files that were read
	Total int `json:"total"` // number of files to read; 0 until they are counted
}

// Behind says since when changes may be missing, and why.
type Behind struct {
	Since  stamp.Time `json:"since,omitzero"` // when the first of them may have been made
	Reason string     `json:"reason"`         // why they are missing
}

// Unreadable is a file or a directory that could not be read.
type Unreadable struct {
	Path   string `json:"path,omitempty"` // path of the file or directory
	Reason string `json:"reason"`         // why it could not be read
}

// mostUnreadable is how many unreadable files a Coverage names.
const mostUnreadable = 10

// AddUnreadable adds what could not be read, which makes the answer incomplete.
func (c *Coverage) AddUnreadable(list ...Unreadable) {
	if len(list) == 0 {
		return
	}
	c.Complete = false
	c.UnreadableCount += len(list)
	c.Unreadable = append(c.Unreadable, list[:min(len(list), mostUnreadable-len(c.Unreadable))]...)
}

// StopSearch records that a search did not read everything.
func (c *Coverage) StopSearch(skipped int64) {
	c.Complete, c.SearchStopped, c.Skipped = false, true, skipped
}

// Join returns the coverage of an answer that was made from two: it lacks what either lacks.
func (c Coverage) Join(o Coverage) Coverage {
	c.Complete = c.Complete && o.Complete
	c.Reading, c.Behind = cmp.Or(c.Reading, o.Reading), cmp.Or(c.Behind, o.Behind)
	c.SearchStopped, c.Skipped = c.SearchStopped || o.SearchStopped, max(c.Skipped, o.Skipped)
	if o.UnreadableCount > c.UnreadableCount {
		c.Unreadable, c.UnreadableCount = o.Unreadable, o.UnreadableCount
	}
	c.Generation = min(c.Generation, o.Generation)
	return c
}

// String says in words what an answer lacks; empty: nothing.
func (c Coverage) String() string {
	var parts []string
	if r := c.Reading; r != nil && r.Total > 0 {
		parts = append(parts, fmt.Sprintf("reading %d of %d files", r.Files, r.Total))
	} else if r != nil {
		parts = append(parts, "reading")
	}
	if c.Behind != nil {
		parts = append(parts, c.Behind.Reason)
	}
	if c.SearchStopped {
		parts = append(parts, "the search stopped at its budget: more may match")
	}
	if len(c.Unreadable) > 0 {
		u := c.Unreadable[0]
		text := strings.TrimPrefix(u.Path+": cannot be read: ", ": ") + u.Reason
		if more := c.UnreadableCount - 1; more > 0 {
			text += fmt.Sprintf(" (and %d more)", more)
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 && !c.Complete {
		return "not everything was read"
	}
	return strings.Join(parts, "; ")
}

// Covered is part of every answer that lists, counts or sums.
type Covered struct {
	// AtLeast is true if totals and sums are lower bounds, because the answer was made from
	// a part.
	AtLeast  bool     `json:"atLeast,omitempty"`
	Coverage Coverage `json:"coverage"` // how much the answer was made from
}

// NewCovered returns the Covered of an answer.
func NewCovered(c Coverage) Covered { return Covered{AtLeast: !c.Complete, Coverage: c} }
