package live

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep"
)

// Latest holds the latest hook report of every session. Two homes can have
// sessions of one id, so a report counts in the home that its transcript lies in.
// A report without a transcript counts in every home.
type Latest struct {
	roots []string
	last  map[reportedOn]Report
	homes map[string]string // directories that reports name → root of ours, "" or notOurs
}

// reportedOn names a session that hooks reported of. Without a root it is meant in
// every home.
type reportedOn struct {
	root    string
	session sesskeep.SessionID
}

// notOurs is the home of reports that are of none of ours.
const notOurs = "/"

// LastReports reads the latest report of every session of the homes at roots. If
// there is no file, there are no reports.
func LastReports(reports string, roots []string) (*Latest, error) {
	l := newLatest(roots)
	if reports == "" {
		return l, nil
	}
	list, err := (&Reports{}).Read(reports)
	for i := range list {
		l.add(list[i])
	}
	return l, err
}

func rootsOf(stores []*sesskeep.Store) []string {
	roots := make([]string, len(stores))
	for i, s := range stores {
		roots[i] = s.Root()
	}
	return roots
}

func newLatest(roots []string) *Latest {
	return &Latest{roots: roots, last: map[reportedOn]Report{}, homes: map[string]string{}}
}

// add keeps a report if it is the latest of its session, and returns the root that
// it counts in. Hooks run side by side: the last in the file need not be the
// latest.
func (l *Latest) add(r Report) (root string) {
	root = l.home(r.File)
	if root == notOurs {
		return root
	}
	key := reportedOn{root, r.Session}
	l.last[key] = r.orBefore(l.last[key])
	return root
}

// orBefore returns the later of two reports, unless the later one adds nothing: it
// repeats the other with less detail, or says that something is over that the other
// does not ask about.
func (r Report) orBefore(was Report) Report {
	if r.Time.Before(was.Time) || r.reminds(was) || r.concludes() && !r.answers(was) {
		return was
	}
	return r
}

// Of returns the latest report of a session; it is zero if there is none.
func (l *Latest) Of(root string, id sesskeep.SessionID) Report {
	here, anywhere := l.last[reportedOn{root, id}], l.last[reportedOn{"", id}]
	if here.Time.Before(anywhere.Time) {
		return anywhere.orBefore(here)
	}
	return here.orBefore(anywhere)
}

// forget drops reports that are not wanted any more.
func (l *Latest) forget(unwanted func(reportedOn, Report) bool) { maps.DeleteFunc(l.last, unwanted) }

// home is the root of the home that a transcript lies in: by its name, or because
// ROOT/projects/DIR/FILE leads to the same directory in another way. It is empty if
// the name does not show the home, and notOurs if it lies in another one.
func (l *Latest) home(file string) string {
	for _, root := range l.roots {
		if rest, ok := strings.CutPrefix(file, root); ok && rest != "" && os.IsPathSeparator(rest[0]) {
			return root
		}
	}
	projects := filepath.Dir(filepath.Dir(file))
	if filepath.Base(projects) != "projects" || !filepath.IsAbs(projects) {
		return ""
	}
	dir := filepath.Dir(projects)
	root, known := l.homes[dir]
	if !known {
		root = l.alias(dir)
		l.homes[dir] = root
	}
	return root
}

// alias is the root of ours that a directory is.
func (l *Latest) alias(dir string) string {
	info, err := os.Stat(dir)
	if err != nil {
		return "" // perhaps it was moved
	}
	i := slices.IndexFunc(l.roots, func(root string) bool {
		other, err := os.Stat(root)
		return err == nil && os.SameFile(info, other)
	})
	if i < 0 {
		return notOurs
	}
	return l.roots[i]
}
