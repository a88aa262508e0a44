package shell

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/errcode"
)

// Scope is what a list is about: the project named by -p, else that of the working
// directory, with its worktrees; else everything. --scope says how much of it.
func (sh *Shell) Scope(c *catalog.Snapshot) (catalog.Scope, error) {
	if err := sh.checkScope(); err != nil {
		return catalog.Scope{}, err
	}
	p, err := sh.OneProject(c)
	return c.Scope(p, catalog.Breadth(sh.Flags.Scope)), err
}

// NamedScope is Scope for answers that cover everything unless a flag names a project.
func (sh *Shell) NamedScope(ctx context.Context, a *app.App) (catalog.Scope, error) {
	if sh.Flags.Project == "" && sh.Flags.Scope == "" {
		return catalog.Scope{}, nil
	}
	c, err := a.Catalog.Snapshot(ctx)
	if err != nil {
		return catalog.Scope{}, err
	}
	return sh.Scope(c)
}

// OpenScope is Open with the scope of NamedScope.
func OpenScope(ctx context.Context, sh *Shell) (a *app.App, scope catalog.Scope, done func(), err error) {
	if a, done, err = sh.Open(); err != nil {
		return nil, scope, nil, err
	}
	if scope, err = sh.NamedScope(ctx, a); err != nil {
		done()
	}
	return a, scope, done, err
}

// checkScope refuses a --scope that is no word of it, or that contradicts what is named.
func (sh *Shell) checkScope() error {
	switch {
	case sh.Flags.Scope == "":
		return nil
	case sh.Flags.Scope == string(catalog.Everything) && sh.Flags.Project != "":
		return fail.Usage("--scope all cannot be combined with --project", "leave one of them out")
	case sh.Flags.Scope != string(catalog.Everything) && sh.Flags.All && sh.Flags.Project == "":
		return fail.Usage("--scope "+sh.Flags.Scope+" cannot be combined with --all", "leave one of them out")
	}
	return OneOf("scope", sh.Flags.Scope, catalog.Breadths...)
}

// OneProject is the project that -p names, else that of the working directory, else none.
func (sh *Shell) OneProject(c *catalog.Snapshot) (*ask.Project, error) {
	switch word := sh.Flags.Project; {
	case word == "" && sh.Flags.All:
		return nil, nil
	case word == ".":
		if p := c.ProjectAt(sh.Dir); p != nil {
			return p, nil
		}
		return nil, errcode.ErrNoProject(sh.Dir)
	case word != "":
		return sh.project(c, word)
	}
	return c.ProjectAt(sh.Dir), nil
}

// project finds a project by its name or its path. A path may be written from
// the working directory and through links.
func (sh *Shell) project(c *catalog.Snapshot, word string) (*ask.Project, error) {
	p, err := c.FindProject(word)
	if !errors.Is(err, sesskeep.ErrNotFound) {
		return p, err
	}
	path := word
	if !filepath.IsAbs(path) {
		path = filepath.Join(sh.Dir, path)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if p, err := c.FindProject(path); err == nil {
		return p, nil
	}
	return nil, err
}

// ProjectName gives projects the names that people use: their ids without what
// distinguishes them from others of the same name, where there are no others. Scripts get
// the ids.
func (sh *Shell) ProjectName(ctx context.Context) func(id string) string {
	var names map[string]string
	return func(id string) string {
		if !sh.Out.Screen.TTY || sh.homes == nil {
			return id
		}
		if _, known := names[id]; !known {
			if now, err := sh.homes.Catalog.ProjectNames(ctx); err == nil {
				names = now
			}
			if _, known = names[id]; !known && names != nil {
				names[id] = id
			}
		}
		return cmp.Or(names[id], id)
	}
}
