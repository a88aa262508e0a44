package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/demo"
	"sesskeep/internal/term"
)

// shell is what every command has at hand: the world and the global flags.
type shell struct {
	Env
	flags globals

	screen  term.Screen
	pager   *term.Pager
	closers []func() error // what was opened and has to be let go of
}

func workingDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	// The client keeps a session under the real path of its directory.
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// start finds out what the output can show. It runs before every command, when
// the flags are known.
func (sh *shell) start() {
	sh.screen = term.Detect(sh.Stdout, sh.Getenv)
	if sh.flags.noColor {
		sh.screen.Color = false
	}
	if sh.flags.ascii {
		sh.screen.ASCII = true
	}
	if sh.flags.format == "table" && !sh.screen.TTY {
		sh.screen.TTY = true
		sh.screen.Width, _ = strconv.Atoi(sh.Getenv("COLUMNS"))
	}
}

// open opens the homes. Long reading shows a bar on standard error.
func (sh *shell) open() (*app.App, func(), error) {
	roots, err := sh.roots()
	if err != nil {
		return nil, nil, err
	}
	bar := term.NewProgress(sh.Stderr, term.Detect(sh.Stderr, sh.Getenv), "Reading", sh.Now)
	var once sync.Once
	done := func() { once.Do(bar.Done) }
	o := app.Options{Roots: roots, Cache: sh.cacheDir(), Alive: alive}
	if sh.flags.demo {
		o.Alive = demo.Alive
	}
	if !sh.flags.quiet {
		o.Progress = func(n, total int, bytes int64) {
			bar.Set(n, total, bytes)
			if n == total {
				done()
			}
		}
	}
	a, err := app.Open(o)
	if err == nil {
		sh.closers = append(sh.closers, func() error {
			for _, note := range a.Notes() {
				sh.note(note)
			}
			return a.Close()
		})
	}
	return a, done, err
}

func (sh *shell) roots() ([]string, error) {
	if !sh.flags.demo {
		return sesskeep.Roots(sh.flags.claudeDirs, sh.Getenv, sh.Home), nil
	}
	dir := filepath.Join(cmp.Or(sh.cacheDir(), os.TempDir()), "demo")
	if err := demo.Write(dir, sh.Now()); err != nil {
		return nil, err
	}
	return []string{dir}, nil
}

// cacheDir is where what can be made again is kept. Without a home of the user
// there is none.
func (sh *shell) cacheDir() string {
	if dir := sh.Getenv("XDG_CACHE_HOME"); dir != "" {
		return filepath.Join(dir, "sesskeep")
	}
	if sh.Home == "" {
		return ""
	}
	return filepath.Join(sh.Home, ".cache", "sesskeep")
}

// catalog reads everything.
func (sh *shell) catalog(ctx context.Context) (*app.App, *app.Catalog, error) {
	a, done, err := sh.open()
	if err != nil {
		return nil, nil, err
	}
	defer done()
	c, err := a.Catalog(ctx)
	return a, c, err
}

// find resolves an address.
func (sh *shell) find(ctx context.Context, address string) (*app.App, app.Target, error) {
	a, done, err := sh.open()
	if err != nil {
		return nil, app.Target{}, err
	}
	defer done()
	t, err := a.Find(ctx, address)
	return a, t, err
}

// scope is the project a list is about: the one named by -p, else the one of
// the working directory, else none, which means all.
func (sh *shell) scope(c *app.Catalog) (*app.Project, error) {
	switch word := sh.flags.project; {
	case sh.flags.all:
		return nil, nil
	case word == ".":
		if p := c.ProjectAt(sh.Dir); p != nil {
			return p, nil
		}
		return nil, &sesskeep.Error{Op: "find project", Name: sh.Dir, Err: sesskeep.ErrNotFound}
	case word != "":
		return sh.project(c, word)
	}
	return c.ProjectAt(sh.Dir), nil
}

// project finds a project by its name or its path. A path may be written from
// the working directory and through links.
func (sh *shell) project(c *app.Catalog, word string) (*app.Project, error) {
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

// gap stands between two remarks.
func (sh *shell) gap() string {
	if sh.screen.ASCII {
		return asciiGlyphs.gap
	}
	return unicodeGlyphs.gap
}

// page is where long output goes: through a pager on a terminal.
func (sh *shell) page(ctx context.Context) io.Writer {
	if sh.flags.noPager {
		return sh.Stdout
	}
	if sh.pager == nil {
		sh.pager = term.Page(ctx, sh.Stdout, sh.Stderr, sh.Lookup)
	}
	return sh.pager
}

// note tells the user something beside the answer.
func (sh *shell) note(text string) {
	if !sh.flags.quiet {
		fmt.Fprintf(sh.Stderr, "sesskeep: note: %s\n", term.Line(text))
	}
}
