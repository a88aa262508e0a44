package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/demo"
	"sesskeep/internal/draw"
	"sesskeep/internal/errcode"
	"sesskeep/internal/host"
	"sesskeep/internal/identity"
	"sesskeep/internal/live"
	"sesskeep/internal/shelf"
	"sesskeep/internal/term"
)

// shell is what every command has at hand: the world and the global flags.
type shell struct {
	Env
	// Stdout and Stderr are the ways out, in place of those of Env, which only
	// they lead to.
	Stdout, Stderr *term.Exit

	flags globals
	conf  configured

	screen  term.Screen
	pager   *term.Pager
	closers []func() error // what was opened and has to be let go of
	lent    atomic.Bool    // another program has the terminal
	asked   string         // the address that was looked up
	changes *shelf.Shelf   // once it was asked for
	sample  *demo.Sample   // once it was asked for
	homes   *app.App       // once they were opened
	missed  []error        // what could not be read
	acted   bool           // what was asked for was done to sessions, each with its result
}

func newShell(env Env) *shell {
	sh := &shell{Env: env, Stdout: term.NewExit(env.Stdout), Stderr: term.NewExit(env.Stderr)}
	sh.Env.Stdout, sh.Env.Stderr = nil, nil
	return sh
}

// flush writes what is held back until more of it comes.
func (sh *shell) flush() error { return errors.Join(sh.Stdout.Flush(), sh.Stderr.Flush()) }

// workingDir is where we are; one that is gone is no directory, and no error.
func workingDir() (string, error) {
	dir, err := os.Getwd()
	if err == nil {
		// The client keeps a session under the real path of its directory.
		var real string
		if real, err = filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return dir, err
}

// start finds out what the output can show. It runs before every command, when
// the flags are known.
func (sh *shell) start() {
	sh.screen = term.Detect(sh.Stdout, sh.Getenv)
	if sh.flags.noColor {
		sh.screen.Color = false
	}
	sh.screen.Palette = palette(sh.config())
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
	bar, set := sh.progress()
	a, err := sh.openWith(app.Options{Progress: set})
	return a, bar.Done, err
}

// progress is the line on standard error about a long reading, and the function
// that is told how far that is. The line goes when everything is read.
func (sh *shell) progress() (*term.Progress, func(files, total int, bytes int64)) {
	return sh.working("Reading")
}

// working is progress with another word for what is done.
func (sh *shell) working(what string) (*term.Progress, func(files, total int, bytes int64)) {
	screen := term.Detect(sh.Stderr, sh.Getenv)
	if sh.flags.quiet {
		screen.TTY = false // where nothing is drawn
	}
	bar := term.NewProgress(sh.Stderr, screen, what, sh.Now)
	return bar, func(files, total int, bytes int64) {
		bar.Set(files, total, bytes)
		if files == total {
			bar.Done()
		}
	}
}

// clients lists the clients that run on this machine.
func clients() ([]live.Process, bool) {
	var list []live.Process
	found, ok := host.Clients()
	for _, p := range found {
		list = append(list, live.Process(p))
	}
	return list, ok
}

// openWith opens the homes that the flags name. They are closed when the
// command ends.
func (sh *shell) openWith(o app.Options) (_ *app.App, err error) {
	if o.Roots, err = sh.roots(); err != nil {
		return nil, err
	}
	o.Roots = sh.absolute(o.Roots)
	o.Others = sh.absolute(sh.usualHomes())
	o.Cache, o.Alive, o.Now = sh.dirs().Cache(), sh.alive(), sh.Now
	o.Shelf, _ = sh.shelf() // without one nothing was added, and nothing can be changed
	o.Names, o.Host = sh.homeNames(), sh.Host
	o.KeepExclude, o.KeepQuota = sh.keepDefaults()
	o.Data, _ = sh.dirs().Data() // without one ids follow the paths
	if file, err := sh.dirs().Reports(); err == nil {
		o.Reports = file
	}
	if !sh.flags.demo.on { // its clients are no processes of this machine
		o.Processes, o.OnExit = clients, host.OnExit
	}
	a, err := app.Open(o)
	if err != nil {
		return nil, sh.homeHint(err)
	}
	sh.homes = a
	sh.closers = append(sh.closers, func() error {
		for _, note := range a.Notes() {
			sh.note(note)
		}
		sh.missed = append(sh.missed, a.Unread()...)
		return a.Close()
	})
	return a, nil
}

// alive tells which registered clients run: in the sample home those of its story.
func (sh *shell) alive() func(pid int, started, domain string) bool {
	if sh.flags.demo.on {
		return demo.Alive
	}
	return host.Alive
}

// homeHint says what to do about a home that cannot be opened. Whoever has named
// it need not be told how to name one.
func (sh *shell) homeHint(err error) error {
	named := len(sh.flags.claudeDirs) > 0 || sh.Getenv("CLAUDE_CONFIG_DIR") != ""
	var cause *sesskeep.Error
	switch {
	case errors.As(err, &cause) && sh.isHome(cause.Name) && isFile(cause.Name):
		return hinted{err, "a home is a directory, usually ~/.claude: the one with projects/ in it"}
	case named && errors.Is(err, fs.ErrNotExist):
		return hinted{err, "check the path: a home is the directory with projects/ in it"}
	}
	return err
}

// isHome reports whether a path is that of a home, as it was named or from the
// working directory on.
func (sh *shell) isHome(path string) bool {
	roots, err := sh.roots()
	return err == nil && slices.ContainsFunc(roots, func(root string) bool {
		return root == path || filepath.Join(sh.Dir, root) == path
	})
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

func (sh *shell) roots() ([]string, error) {
	if sh.flags.demo.on {
		home, err := sh.demoHome()
		return []string{home}, err
	}
	if len(sh.flags.claudeDirs) == 0 && sh.Getenv("CLAUDE_CONFIG_DIR") == "" && sh.Home == "" {
		return nil, missingError{"HOME is not set, so it is not known where Claude's home is",
			"set HOME, or name Claude's home with --claude-dir or CLAUDE_CONFIG_DIR"}
	}
	var given []string
	for _, text := range sh.flags.claudeDirs {
		_, dir := sh.homeGiven(text)
		given = append(given, dir)
	}
	if _, more := sh.configHomes(); len(given) == 0 && len(more) > 0 && sh.Getenv("CLAUDE_CONFIG_DIR") == "" {
		given = append(sesskeep.Roots(nil, sh.Getenv, sh.Home), more...)
	}
	return sesskeep.Roots(given, sh.Getenv, sh.Home), nil
}

// usualHomes are those that would be read if nobody named one: by the environment, and
// without it.
func (sh *shell) usualHomes() []string {
	if sh.Home == "" {
		return nil
	}
	unset := func(string) string { return "" }
	_, configured := sh.configHomes()
	return slices.Concat(sesskeep.Roots(nil, sh.Getenv, sh.Home), sesskeep.Roots(nil, unset, sh.Home), configured)
}

// command is a command for people to copy. It names the homes that this one names.
func (sh *shell) command(format string, args ...any) string {
	line := "sesskeep "
	if sh.flags.demo.on {
		line += "--demo "
	}
	for _, dir := range sh.flags.claudeDirs {
		line += "--claude-dir " + quote(dir) + " "
	}
	return line + fmt.Sprintf(format, args...)
}

// splitHome takes NAME=DIR apart. A directory whose own name looks like that has
// no other name.
func splitHome(text string) (name, dir string) {
	name, dir, ok := strings.Cut(text, "=")
	if _, valid := identity.ParseName(name); !ok || !valid || dir == "" || exists(text) {
		return "", text
	}
	return name, dir
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// homeNames are the names that the flags give to homes, by their roots.
func (sh *shell) homeNames() map[string]string {
	names := map[string]string{}
	if sh.sample != nil {
		names[sh.sample.Home()] = "demo"
	}
	given, dirs := sh.configHomes()
	for i, dir := range sh.absolute(dirs) {
		names[dir] = given[i]
	}
	for _, text := range sh.flags.claudeDirs {
		if name, dir := sh.homeGiven(text); name != "" {
			names[sh.absolute([]string{dir})[0]] = name
		}
	}
	return names
}

// absolute names homes so that they mean the same from every directory: they are
// remembered by their names.
func (sh *shell) absolute(roots []string) []string {
	for i, root := range roots {
		if !filepath.IsAbs(root) {
			root = filepath.Join(sh.Dir, root)
		}
		roots[i] = filepath.Clean(root)
	}
	return roots
}

// dirs are our own directories.
func (sh *shell) dirs() host.Dirs {
	d := host.Dirs{Getenv: sh.Getenv, Home: sh.Home}
	if sh.flags.demo.on {
		d.Below = demoDir(d)
	}
	return d
}

// catalog reads everything.
func (sh *shell) catalog(ctx context.Context) (*app.App, *catalog.Snapshot, error) {
	a, done, err := sh.open()
	if err != nil {
		return nil, nil, err
	}
	defer done()
	c, err := a.Catalog.Snapshot(ctx)
	return a, c, err
}

// find resolves an address.
func (sh *shell) find(ctx context.Context, address string) (*app.App, catalog.Target, error) {
	if address == "" {
		return nil, catalog.Target{}, usageError{"the address is empty", `"sesskeep ls" lists addresses; @last is the session active last`}
	}
	sh.asked = address
	a, done, err := sh.open()
	if err != nil {
		return nil, catalog.Target{}, err
	}
	defer done()
	t, err := a.Catalog.Find(ctx, address)
	return a, t, err
}

// scope is the project a list is about: the one named by -p, else the one of
// the working directory, else none, which means all.
func (sh *shell) scope(c *catalog.Snapshot) (*ask.Project, error) {
	switch word := sh.flags.project; {
	case word == "" && sh.flags.all:
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
func (sh *shell) project(c *catalog.Snapshot, word string) (*ask.Project, error) {
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
		return draw.ASCII.Gap
	}
	return draw.Unicode.Gap
}

// page is where long output goes: through a pager on a terminal.
func (sh *shell) page(ctx context.Context) io.Writer {
	if sh.flags.noPager {
		return sh.Stdout
	}
	if sh.pager == nil {
		sh.pager = term.Page(ctx, sh.Stdout, sh.Stderr, sh.Lookup)
		sh.lent.Store(sh.pager.Gone() != nil)
	}
	return sh.pager
}

// note tells the user something beside the answer.
func (sh *shell) note(text string) {
	if !sh.flags.quiet {
		sh.tell("note: " + text)
	}
}
