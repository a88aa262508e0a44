package freshness

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index"
)

// An answer made from a part says what it lacks, as data and in words.
func TestCoverage(t *testing.T) {
	denied := &sesskeep.Error{Op: "open", Name: "/home/ada/.claude/projects/-x/a.jsonl", Err: fs.ErrPermission}
	for name, c := range map[string]struct {
		make func(f *Index)
		json string // part of it
		text string
	}{
		"all was read": {func(*Index) {}, `{"complete":true}`, ""},
		"half of the files": {func(f *Index) { f.running.Store(&reading{files: 412, total: 6683}) },
			`"reading":{"files":412,"total":6683}`, "reading 412 of 6683 files"},
		"another process writes": {func(f *Index) { f.status.absorbed(&index.Report{Behind: true}, false, nil) },
			`"behind":{"since":"`, "another sesskeep is writing the index"},
		"our own walk writes": {func(f *Index) { f.status.absorbed(&index.Report{Behind: true}, true, nil) }, `{"complete":true}`, ""},
		"a file cannot be read": {func(f *Index) { f.opts.Unread = func() []error { return []error{denied} } },
			`"unreadable":[{"path":"/home/ada/.claude/projects/-x/a.jsonl","reason":"permission denied"}],"unreadableCount":1`,
			"/home/ada/.claude/projects/-x/a.jsonl: cannot be read: permission denied"},
	} {
		f := New(Options{Unread: func() []error { return nil }})
		f.status.walked(&index.Report{}, index.Edition{}, false, nil)
		c.make(f)
		covered := ask.NewCovered(f.Coverage())
		data, err := json.Marshal(covered.Coverage)
		if err != nil || !strings.Contains(string(data), c.json) || !strings.HasPrefix(covered.Coverage.String(), c.text) {
			t.Errorf("%s: %s, %q, %v", name, data, covered.Coverage, err)
		}
		if whole := c.text == ""; covered.Coverage.Complete != whole || covered.AtLeast == whole {
			t.Errorf("%s: %+v", name, covered)
		}
	}
}
