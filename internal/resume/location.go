package resume

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/runs"
)

// Location finds where a run is to work: in the directory of a project, or in one
// that is named. If no run may work there, the error is [errcode.Denied].
func (pl *Planner) Location(ctx context.Context, p runs.AllowedDirs, project, dir string) (runs.Location, error) {
	c, err := pl.from.Catalog.Snapshot(ctx)
	if err != nil {
		return runs.Location{}, err
	}
	location := runs.Location{Root: pl.from.Homes.Roots()[0]}
	if project != "" {
		found, err := c.FindProject(project)
		if err != nil {
			return runs.Location{}, err
		}
		dir, location.Root = found.Path, found.Root
	}
	real, err := runs.WorkDir(dir)
	if err != nil {
		return runs.Location{}, err
	}
	denied := func(why error) (runs.Location, error) {
		return runs.Location{}, errcode.New(errcode.Denied, fmt.Errorf("run in %s: %w", dir, why))
	}
	if real == filepath.Dir(real) || runs.SameDir(real, p.Home) {
		return denied(errors.New("too much is below it"))
	}
	if slices.ContainsFunc(p.Never, func(root string) bool { return runs.Inside(real, root) }) {
		return denied(errors.New("it is a directory of ours"))
	}
	if !runs.OwnDir(real) {
		return denied(errors.New("it belongs to another user"))
	}
	home, known := runHome(c, real)
	if !known && !slices.ContainsFunc(p.Roots, func(root string) bool { return runs.Inside(real, root) }) {
		return denied(runs.ErrDirNotAllowed)
	}
	if known && project == "" {
		location.Root = home
	}
	location.Dir = real
	return location, nil
}

// runHome is the home of the project in a directory, if there is one.
func runHome(c *catalog.Snapshot, real string) (root string, ok bool) {
	at := slices.IndexFunc(c.Projects, func(p ask.Project) bool { return runs.SameDir(real, p.Path) })
	if at < 0 {
		return "", false
	}
	return c.Projects[at].Root, true
}

// Home is the home that a run in a directory belongs to: that of its project,
// else the first.
func (pl *Planner) Home(ctx context.Context, dir string) string {
	c, err := pl.from.Catalog.Snapshot(ctx)
	real, e := filepath.EvalSymlinks(dir)
	if err == nil && e == nil {
		if root, ok := runHome(c, real); ok {
			return root
		}
	}
	return pl.from.Homes.Roots()[0]
}
