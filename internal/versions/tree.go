package versions

import (
	"context"
	"errors"
	"strings"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/query"
)

// FileTree is the files of a session as they were at one time.
type FileTree struct {
	SessionID string        `json:"sessionId"` // id of the session
	Root      string        `json:"root"`      // directory of the home
	Asked     string        `json:"at"`        // time or prompt that was asked for
	Files     []FileVersion `json:"files"`     // without their texts; those of which nothing was known then are left out
	Total     int           `json:"total"`     // number of files
	ask.Covered
}

// Tree returns what some files were at a time, as Show does. It does not follow moves.
func (v *Versions) Tree(ctx context.Context, paths []string, at string) (FileTree, error) {
	tree := FileTree{Asked: at, Files: []FileVersion{}, Covered: ask.NewCovered(v.Catalog.Coverage())}
	for _, path := range paths {
		p := &past{path: path, backups: map[int]backup{}}
		if err := v.join(ctx, p, absolute(path, ""), 0); err != nil {
			return tree, err
		}
		f, err := v.at(ctx, p, at)
		if errors.Is(err, errEarly) {
			continue
		}
		if err != nil {
			return tree, err
		}
		f.Text = ""
		tree.Files = append(tree.Files, f)
	}
	tree.Total = len(tree.Files)
	return tree, nil
}

// InSession completes what stands behind @ for a session: a prompt is one of that session.
func InSession(t catalog.Target, at string, now time.Time) string {
	if _, isTime := query.ParseTime(at, now); isTime || strings.Contains(at, "#") {
		return at
	}
	address := string(t.Store.Parent(t.Ref))
	if t.Ref.Agent != "" {
		address += "/" + string(t.Ref.Agent)
	}
	return address + "#" + at + t.Suffix
}
