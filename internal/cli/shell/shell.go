// Package shell is what every command has at hand: the world, the global flags, the homes
// and the way out.
//
// Env is the world: streams, environment, clock. A Shell reads it together with the flags
// that all commands share; it opens the homes, resolves what an address or -p names, asks
// the user, and ends the command: Finish prints its error and returns the exit code.
package shell

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/demo"
	"sesskeep/internal/host"
	"sesskeep/internal/identity"
	"sesskeep/internal/live"
	"sesskeep/internal/shelf"
	"sesskeep/internal/term"
)

// Shell is what every command has at hand: the world and the global flags.
type Shell struct {
	Env
	// Stdout and Stderr are the ways out, in place of those of Env, which only
	// they lead to.
	Stdout, Stderr *term.Exit

	Flags Globals
	conf  configured
	Out   *output.Printer

	Lent  atomic.Bool // another program has the terminal
	Asked string      // the address that was looked up, for hints
	Acted bool        // the command has printed an outcome for each session

	changes *shelf.Shelf   // once it was asked for
	sample  *demo.Sample   // once it was asked for
	homes   *app.App       // once they were opened
	closers []func() error // run at the end, the last one first
	missed  []error        // what could not be read
}

// AtEnd runs close when the command ends, before what was added earlier.
func (sh *Shell) AtEnd(close func() error) { sh.closers = append(sh.closers, close) }

// Miss adds to what could not be read: the answer lacks it, and the command says so at the
// end.
func (sh *Shell) Miss(errs ...error) { sh.missed = append(sh.missed, errs...) }

// New makes the shell of one command.
func New(env Env) *Shell {
	sh := &Shell{Env: env, Stdout: term.NewExit(env.Stdout), Stderr: term.NewExit(env.Stderr)}
	sh.Env.Stdout, sh.Env.Stderr = nil, nil
	sh.Out = output.New(sh.Stdout, sh.Stderr, func(name string) (string, bool) { return sh.Lookup(name) })
	sh.Out.ProjectName = sh.ProjectName
	return sh
}

// Open opens the homes. Long reading shows a bar on standard error.
func (sh *Shell) Open() (*app.App, func(), error) {
	bar, o := sh.Reading()
	a, err := sh.OpenWith(o)
	return a, bar.Done, err
}

// Reading returns the progress line on standard error for reading homes, and the options
// that update it, also while another process reads them. The line disappears when
// everything is read.
func (sh *Shell) Reading() (*term.Progress, app.Options) {
	const what = "Reading"
	bar, set := sh.Working(what)
	var o app.Options
	o.Progress = func(files, total int, bytes int64) {
		bar.Doing(what)
		set(files, total, bytes)
	}
	o.Waiting = func(process, files, total int, bytes int64) {
		bar.Doing(fmt.Sprintf("Process %d is reading", process))
		bar.Set(files, total, bytes)
	}
	return bar, o
}

// Working returns a progress line for some work on many files, and the function that
// updates it. The line disappears when everything is done.
func (sh *Shell) Working(what string) (*term.Progress, func(files, total int, bytes int64)) {
	screen := term.Detect(sh.Stderr, sh.Getenv)
	if sh.Out.Flags.Quiet {
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

// OpenWith opens the homes that the flags name. They are closed when the
// command ends.
func (sh *Shell) OpenWith(o app.Options) (*app.App, error) {
	a, err := sh.OpenApart(o)
	if err != nil {
		return nil, err
	}
	sh.homes = a
	sh.AtEnd(func() error {
		for _, note := range a.Notes() {
			sh.Note(note)
		}
		if behind := a.Index.Coverage().Behind; behind != nil { // said also to who wants no remarks
			sh.Report("note: " + behind.Reason)
		}
		sh.Miss(a.Unread()...)
		return a.Close()
	})
	return a, nil
}

// OpenApart opens the homes that the flags name for a part of what the command does. The
// caller closes them.
func (sh *Shell) OpenApart(o app.Options) (_ *app.App, err error) {
	if o.Roots, err = sh.Roots(); err != nil {
		return nil, err
	}
	o.Roots = sh.Absolute(o.Roots)
	o.Others = sh.Absolute(usualHomes(sh))
	o.Cache, o.Alive, o.Now = sh.Dirs().Cache(), sh.Alive(), sh.Now
	o.Shelf, _ = sh.Shelf() // without one nothing was added, and nothing can be changed
	o.Names, o.Host = homeNames(sh), sh.Host
	o.KeepExclude, o.KeepQuota = keepDefaults(sh)
	o.Redact = RedactOptions(sh)
	o.Data, _ = sh.Dirs().Data() // without one ids follow the paths
	o.Config = sh.ConfigPath()
	o.State, _ = sh.Dirs().State() // without one nothing is known of what runs
	if file, err := sh.Dirs().Reports(); err == nil {
		o.Reports = file
	}
	if !sh.Flags.Demo.On { // its clients are no processes of this machine
		o.Processes, o.OnExit = clients, host.OnExit
	}
	a, err := app.Open(o)
	if err != nil {
		return nil, sh.HomeHint(err)
	}
	return a, nil
}

// Alive returns the function that reports whether a registered client runs; in the sample
// home those of its story do.
func (sh *Shell) Alive() func(pid int, started, domain string) bool {
	if sh.Flags.Demo.On {
		return demo.Alive
	}
	return host.Alive
}

// HomeHint adds what to do about a home that cannot be opened. A user who named the home
// needs no hint on how to name one.
func (sh *Shell) HomeHint(err error) error {
	named := len(sh.Flags.ClaudeDirs) > 0 || sh.Getenv("CLAUDE_CONFIG_DIR") != ""
	var cause *fs.PathError
	switch {
	case errors.As(err, &cause) && isHome(sh, cause.Path) && isFile(cause.Path):
		return fail.Hint(err, "a home is a directory, usually ~/.claude: the one with projects/ in it")
	case named && errors.Is(err, fs.ErrNotExist):
		return fail.Hint(err, "check the path: a home is the directory with projects/ in it")
	}
	return err
}

// isHome reports whether a path is that of a home, as it was named or from the
// working directory on.
func isHome(sh *Shell, path string) bool {
	roots, err := sh.Roots()
	return err == nil && slices.ContainsFunc(roots, func(root string) bool {
		return root == path || filepath.Join(sh.Dir, root) == path
	})
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// Roots are the homes that flags and environment name, or the sample home.
func (sh *Shell) Roots() ([]string, error) {
	if sh.Flags.Demo.On {
		home, err := DemoHome(sh)
		return []string{home}, err
	}
	if len(sh.Flags.ClaudeDirs) == 0 && sh.Getenv("CLAUDE_CONFIG_DIR") == "" && sh.Home == "" {
		return nil, fail.Missing("HOME is not set, so it is not known where Claude's home is",
			"set HOME, or name Claude's home with --claude-dir or CLAUDE_CONFIG_DIR")
	}
	var given []string
	for _, text := range sh.Flags.ClaudeDirs {
		if err := checkHomeName(text); err != nil {
			return nil, err
		}
		_, dir := HomeGiven(sh, text)
		given = append(given, dir)
	}
	if _, more := configHomes(sh); len(given) == 0 && len(more) > 0 && sh.Getenv("CLAUDE_CONFIG_DIR") == "" {
		given = append(sesskeep.Roots(nil, sh.Getenv, sh.Home), more...)
	}
	return sesskeep.Roots(given, sh.Getenv, sh.Home), nil
}

// usualHomes are those that are read without --claude-dir: with this environment, and
// without it.
func usualHomes(sh *Shell) []string {
	if sh.Home == "" {
		return nil
	}
	unset := func(string) string { return "" }
	_, configured := configHomes(sh)
	return slices.Concat(sesskeep.Roots(nil, sh.Getenv, sh.Home), sesskeep.Roots(nil, unset, sh.Home), configured)
}

// Command is a command for people to copy. It names the homes that this one names.
func (sh *Shell) Command(format string, args ...any) string {
	line := "sesskeep "
	if sh.Flags.Demo.On {
		line += "--demo "
	}
	for _, dir := range sh.Flags.ClaudeDirs {
		line += "--claude-dir " + output.Quote(dir) + " "
	}
	return line + fmt.Sprintf(format, args...)
}

// SplitHome takes NAME=DIR apart. A directory whose own name looks like that has
// no other name.
func SplitHome(text string) (name, dir string) {
	name, dir, ok := strings.Cut(text, "=")
	if _, valid := identity.ParseName(name); !ok || !valid || dir == "" || Exists(text) {
		return "", text
	}
	return name, dir
}

// checkHomeName refuses what looks like NAME=DIR with a name that no home can have.
func checkHomeName(text string) error {
	name, dir, ok := strings.Cut(text, "=")
	if _, valid := identity.ParseName(name); !ok || valid || strings.ContainsAny(name, `/\`) || !Exists(dir) || Exists(text) {
		return nil
	}
	return fail.Usage(fmt.Sprintf("%q cannot be the name of a home", name),
		fmt.Sprintf("a name has at most 32 lower-case letters, digits, - and _, such as %s=%s", cmp.Or(plainName(name), "work"), dir))
}

// plainName is the name that a home can have and that comes closest.
func plainName(name string) string {
	name = strings.ToLower(name)
	if _, valid := identity.ParseName(name); valid {
		return name
	}
	return ""
}

// Exists reports whether there is something at a path.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// homeNames are the names that the flags give to homes, by their roots.
func homeNames(sh *Shell) map[string]string {
	names := map[string]string{}
	if sh.sample != nil {
		names[sh.sample.Home()] = "demo"
	}
	given, dirs := configHomes(sh)
	for i, dir := range sh.Absolute(dirs) {
		names[dir] = given[i]
	}
	for _, text := range sh.Flags.ClaudeDirs {
		if name, dir := HomeGiven(sh, text); name != "" {
			names[sh.Absolute([]string{dir})[0]] = name
		}
	}
	return names
}

// Absolute names homes so that they mean the same from every directory: they are
// remembered by their names.
func (sh *Shell) Absolute(roots []string) []string {
	for i, root := range roots {
		if !filepath.IsAbs(root) {
			root = filepath.Join(sh.Dir, root)
		}
		roots[i] = filepath.Clean(root)
	}
	return roots
}

// Dirs are our own directories.
func (sh *Shell) Dirs() host.Dirs {
	d := host.Dirs{Getenv: sh.Getenv, Home: sh.Home}
	if sh.Flags.Demo.On {
		d.Below = demoDir(d)
	}
	return d
}

// Catalog reads everything.
func (sh *Shell) Catalog(ctx context.Context) (*app.App, *catalog.Snapshot, error) {
	a, done, err := sh.Open()
	if err != nil {
		return nil, nil, err
	}
	defer done()
	c, err := a.Catalog.Snapshot(ctx)
	return a, c, err
}

// Find resolves an address.
func (sh *Shell) Find(ctx context.Context, address string) (*app.App, catalog.Target, error) {
	if address == "" {
		return nil, catalog.Target{}, fail.Usage("the address is empty", `"sesskeep ls" lists addresses; @last is the most recently active session`)
	}
	sh.Asked = address
	a, done, err := sh.Open()
	if err != nil {
		return nil, catalog.Target{}, err
	}
	defer done()
	t, err := a.Catalog.Find(ctx, address)
	return a, t, err
}

// Note prints a remark beside the answer, unless the user wants none.
func (sh *Shell) Note(text string) {
	if !sh.Out.Flags.Quiet {
		sh.Report("note: " + text)
	}
}

// grace is how long a command has to end after a signal.
const grace = 900 * time.Millisecond

// Insist ends a process that does not stop after a signal because it waits for something
// that no context interrupts, such as a key. A pager, or a client that we started, keeps
// the terminal until its user ends it.
func Insist(sh *Shell) {
	if sh.Exit == nil {
		return
	}
	time.Sleep(grace)
	if !sh.Lent.Load() && !sh.Out.Paging() {
		sh.Exit(130)
	}
}

// OpenLive opens the homes for a command that watches them. It does not wait
// long for the index.
func OpenLive(sh *Shell) (*app.App, error) {
	return sh.OpenWith(app.Options{Patience: sh.Patience, Lifecycle: sh.Dirs().Lifecycle()})
}
