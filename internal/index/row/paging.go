package row

import (
	"sesskeep/internal/cursor"
	"sesskeep/internal/index/db"
)

// ListName names what a filter lists. Times are left out: two days ago is another
// time on every page.
func (f *Filter) ListName() string {
	return cursor.Hash("sessions", Roots(f.Homes), f.In, f.Project, f.Projects, f.Source, f.Fields, f.Branch, f.Model, f.Parent, f.Fork,
		f.Title, f.Slug, f.ID, f.MinSize, f.Empty, f.Archived, f.Listed, f.Query.String(), f.Sessions, f.States, f.Sort)
}

// After is the condition that a row comes after the one a cursor names.
func (o *Order) After(c cursor.Cursor) (string, []any) {
	if !c.HasPosition() {
		return "1", nil
	}
	value, than, tie := any(c.Number), ">", ">"
	if o.text {
		value = c.Text
	}
	if o.down {
		than = "<"
	}
	if o.back {
		tie = "<"
	}
	return o.value + " " + than + "= ? AND (" + o.value + " " + than + " ? OR (r.id, r.root, r.file) " + tie + " (?, ?, ?))",
		[]any{value, value, c.Key, c.Rest[0], c.Rest[1]}
}

// fileKey names the file of a row in SQL, in whichever home.
const fileKey = "r.root || ' ' || f.name"

// NotGiven leaves out files whose rows came on an earlier page, by name: a
// file that was rewritten stays the same one.
func NotGiven(files []string) (string, []any) {
	if len(files) == 0 {
		return "1", nil
	}
	return "(SELECT " + fileKey + " FROM file f WHERE f.id = r.file) NOT IN (SELECT value FROM json_each(?))", []any{db.JSON(files)}
}
