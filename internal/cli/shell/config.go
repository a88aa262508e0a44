package shell

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/config"
	"sesskeep/internal/errcode"
	"sesskeep/internal/query"
	"sesskeep/internal/redact"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// configured is what the user's config.toml says to one command.
type configured struct {
	file *config.Config // nil: it was not read yet
	err  error          // why it says nothing
	// world is the environment without what the file adds to it.
	world func(string) (string, bool)
}

// ConfigVariable names another file, or none if it is empty.
const ConfigVariable = "SESSKEEP_CONFIG"

// ConfigPath is where the file is; "" if none is read.
func (sh *Shell) ConfigPath() string {
	if path, ok := sh.Lookup(ConfigVariable); ok {
		if path == "" {
			return ""
		}
		return sh.Absolute([]string{path})[0]
	}
	dir, err := sh.Dirs().Config()
	if err != nil {
		return "" // without a home there is no file of the user's
	}
	return filepath.Join(dir, config.Name)
}

// Config is what the file says. One that cannot be read says nothing.
func (sh *Shell) Config() *config.Config {
	if sh.conf.file != nil {
		return sh.conf.file
	}
	sh.conf.file = &config.Config{}
	if path := sh.ConfigPath(); path != "" {
		sh.conf.file, sh.conf.err = config.Load(path)
	}
	sh.conf.world = sh.Lookup
	sh.Lookup = withConfig(sh, sh.Lookup)
	return sh.conf.file
}

// Configure obeys the file before a command runs. One that is wrong ends the command,
// because an answer without it would look like the one that was asked for.
func (sh *Shell) Configure(cmd *cobra.Command) error {
	c := sh.Config()
	name := strings.TrimPrefix(cmd.CommandPath(), "sesskeep ")
	if sh.conf.err != nil {
		if doesWithoutConfig(name) {
			return nil
		}
		return ConfigError(sh, sh.conf.err)
	}
	for _, v := range c.For(name) {
		f := cmd.Flags().Lookup(v.Key.Flag)
		if f == nil || f.Changed {
			continue
		}
		if err := SetFlag(f, v.Texts); err != nil {
			problem := config.Problem{Line: v.Line, Column: 1, Message: v.Name + ": " + err.Error()}
			return ConfigError(sh, &config.Error{Path: c.Path, Problems: []config.Problem{problem}})
		}
	}
	sh.Out.Palette = palette(c)
	return nil
}

// SetFlag gives a flag the value of the file. It does not count as given.
func SetFlag(f *pflag.Flag, texts []string) error {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.Replace(texts)
	}
	return f.Value.Set(strings.Join(texts, ","))
}

// doesWithoutConfig reports whether a command runs although the file is wrong: it would
// lose something otherwise, or it helps.
func doesWithoutConfig(command string) bool {
	group, _, _ := strings.Cut(command, " ")
	return slices.Contains([]string{"hook report", "hook keep", "hook ask", "usage statusline", "run hold", "run standin"}, command) ||
		slices.Contains([]string{"config", "doctor", "help", "version", "completion"}, group)
}

// ConfigProblem is what is wrong with the file, as it was read; nil: nothing.
func ConfigProblem(sh *Shell) error {
	sh.Config()
	return sh.conf.err
}

// ConfigError is what is wrong with the file, for people.
func ConfigError(sh *Shell, err error) error {
	var unsafe *config.UnsafeError
	var invalid *config.Error
	switch {
	case errors.As(err, &unsafe):
		return fail.Hint(errcode.New(errcode.Denied, err), "chmod go-w "+output.Quote(unsafe.Path)+", if it is yours")
	case errors.As(err, &invalid):
		return fail.Hint(errcode.New(errcode.Invalid, err), `"sesskeep config edit" opens it, docs/config.md lists the keys`)
	}
	return err
}

// Variable is a variable of the environment, without what the file adds.
func (sh *Shell) Variable(name string) (string, bool) {
	sh.Config()
	return sh.conf.world(name)
}

// withConfig is the environment with what the file says of variables that are not set.
func withConfig(sh *Shell, lookup func(string) (string, bool)) func(string) (string, bool) {
	added := map[string]string{}
	if v, ok := sh.conf.file.Value("pager"); ok {
		added["SESSKEEP_PAGER"] = v.Text()
	}
	if v, ok := sh.conf.file.Value("prices"); ok {
		added["SESSKEEP_PRICES"] = config.Dir(v.Text(), sh.Home)
	}
	if variable := colorVariable(sh.conf.file.Text("color"), sh.Getenv); variable != "" {
		added[variable] = "1"
	}
	return func(name string) (string, bool) {
		// An empty SESSKEEP_PAGER means none; the others are as if they were not set.
		if value, ok := lookup(name); ok && (value != "" || name == "SESSKEEP_PAGER") {
			return value, ok
		}
		if value, ok := added[name]; ok {
			return value, true
		}
		return lookup(name)
	}
}

// colorVariable is the variable that stands for what the file says of colours; "" where
// the environment has its own word.
func colorVariable(word string, getenv func(string) string) string {
	if getenv("NO_COLOR") != "" || getenv("CLICOLOR_FORCE") != "" || getenv("CLICOLOR") == "0" {
		return ""
	}
	return map[string]string{"always": "CLICOLOR_FORCE", "never": "NO_COLOR"}[word]
}

// palette is how the file wants colours drawn.
func palette(c *config.Config) (p term.Palette) {
	for _, v := range c.Table("colors") {
		p.Draw(v.Sub, v.Text())
	}
	return p
}

// configHomes are the homes that the file names, by their names.
func configHomes(sh *Shell) (names, dirs []string) {
	if sh.Flags.Demo.On {
		return nil, nil
	}
	for _, v := range sh.Config().Table("home") {
		names, dirs = append(names, v.Sub), append(dirs, config.Dir(v.Text(), sh.Home))
	}
	return names, dirs
}

// HomeGiven is the home that a --claude-dir means: NAME=DIR, the name of one in the file,
// or a directory.
func HomeGiven(sh *Shell, text string) (name, dir string) {
	names, dirs := configHomes(sh)
	if i := slices.Index(names, text); i >= 0 {
		return text, dirs[i]
	}
	return SplitHome(text)
}

// keepDefaults are the projects that the file excludes from copies, and the quota.
func keepDefaults(sh *Shell) (exclude []string, quota int64) {
	for _, dir := range sh.Config().Texts("keep.exclude") {
		exclude = append(exclude, config.Dir(dir, sh.Home))
	}
	quota, _ = query.ParseBytes(sh.Config().Text("keep.quota")) // "" is none
	return exclude, quota
}

// RedactOptions are what the file wants hidden in documents and notices.
func RedactOptions(sh *Shell) redact.Options {
	c := sh.Config()
	o := redact.Options{
		Patterns: c.Texts("redact.patterns"), Words: c.Texts("redact.words"),
		Domains: c.Texts("redact.domains"), Emails: c.Texts("redact.emails"),
	}
	if c.Text("redact.home") == "true" {
		o.Home = sh.Home
	}
	if c.Text("redact.user") == "true" {
		o.User = cmp.Or(sh.Getenv("USER"), sh.Getenv("USERNAME"), filepath.Base(sh.Home))
	}
	return o
}
