package cli

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep/internal/config"
	"sesskeep/internal/errcode"
	"sesskeep/internal/health"
	"sesskeep/internal/keys"
	"sesskeep/internal/query"
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

// configVariable names another file, or none if it is empty.
const configVariable = "SESSKEEP_CONFIG"

// configPath is where the file is; "" if none is read.
func (sh *shell) configPath() string {
	if path, ok := sh.Lookup(configVariable); ok {
		if path == "" {
			return ""
		}
		return sh.absolute([]string{path})[0]
	}
	dir, err := sh.dirs().Config()
	if err != nil {
		return "" // without a home there is no file of the user's
	}
	return filepath.Join(dir, config.Name)
}

// config is what the file says. One that cannot be read says nothing.
func (sh *shell) config() *config.Config {
	if sh.conf.file != nil {
		return sh.conf.file
	}
	sh.conf.file = &config.Config{}
	if path := sh.configPath(); path != "" {
		sh.conf.file, sh.conf.err = config.Load(path)
	}
	sh.conf.world = sh.Lookup
	sh.Lookup = sh.withConfig(sh.Lookup)
	return sh.conf.file
}

// configure obeys the file before a command runs. One that is wrong ends the command,
// because an answer without it would look like the one that was asked for.
func (sh *shell) configure(cmd *cobra.Command) error {
	c := sh.config()
	name := strings.TrimPrefix(cmd.CommandPath(), "sesskeep ")
	if sh.conf.err != nil {
		if doesWithoutConfig(name) {
			return nil
		}
		return sh.configError()
	}
	for _, v := range c.For(name) {
		f := cmd.Flags().Lookup(v.Key.Flag)
		if f == nil || f.Changed {
			continue
		}
		if err := setFlag(f, v.Texts); err != nil {
			problem := config.Problem{Line: v.Line, Column: 1, Message: v.Name + ": " + err.Error()}
			sh.conf.err = &config.Error{Path: c.Path, Problems: []config.Problem{problem}}
			return sh.configError()
		}
	}
	keys.Bind(c.Bindings())
	return nil
}

// setFlag gives a flag the value of the file. It does not count as given.
func setFlag(f *pflag.Flag, texts []string) error {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.Replace(texts)
	}
	return f.Value.Set(strings.Join(texts, ","))
}

// doesWithoutConfig reports whether a command runs although the file is wrong: it would
// lose something otherwise, or it helps.
func doesWithoutConfig(command string) bool {
	group, _, _ := strings.Cut(command, " ")
	return slices.Contains([]string{"hook report", "hook keep", "hook ask", "usage statusline", "run hold"}, command) ||
		slices.Contains([]string{"config", "doctor", "help", "version", "completion"}, group)
}

// configError is what is wrong with the file, for people.
func (sh *shell) configError() error {
	var unsafe *config.UnsafeError
	var invalid *config.Error
	switch err := sh.conf.err; {
	case errors.As(err, &unsafe):
		return hinted{errcode.New(errcode.Denied, err), "chmod go-w " + quote(unsafe.Path) + ", if it is yours"}
	case errors.As(err, &invalid):
		return hinted{errcode.New(errcode.Invalid, err), `"sesskeep config edit" opens it, docs/config.md lists the keys`}
	default:
		return err
	}
}

// configNote is what the doctor reports about the file; nil: nothing is wrong.
func configNote(sh *shell) *health.ConfigNote {
	c := sh.config()
	if sh.conf.err == nil {
		return nil
	}
	note := &health.ConfigNote{File: c.Path}
	var invalid *config.Error
	if !errors.As(sh.conf.err, &invalid) {
		note.Problems = []health.ConfigProblem{{Message: sh.conf.err.Error()}}
		return note
	}
	for _, p := range invalid.Problems {
		note.Problems = append(note.Problems, health.ConfigProblem{Line: p.Line, Message: p.String()})
	}
	return note
}

// withConfig is the environment with what the file says of variables that are not set.
func (sh *shell) withConfig(lookup func(string) (string, bool)) func(string) (string, bool) {
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
func (sh *shell) configHomes() (names, dirs []string) {
	if sh.flags.demo.on {
		return nil, nil
	}
	for _, v := range sh.config().Table("home") {
		names, dirs = append(names, v.Sub), append(dirs, config.Dir(v.Text(), sh.Home))
	}
	return names, dirs
}

// homeGiven is the home that a --claude-dir means: NAME=DIR, the name of one in the file,
// or a directory.
func (sh *shell) homeGiven(text string) (name, dir string) {
	names, dirs := sh.configHomes()
	if i := slices.Index(names, text); i >= 0 {
		return text, dirs[i]
	}
	return splitHome(text)
}

// keepDefaults are the projects that the file excludes from copies, and the quota.
func (sh *shell) keepDefaults() (exclude []string, quota int64) {
	for _, dir := range sh.config().Texts("keep.exclude") {
		exclude = append(exclude, config.Dir(dir, sh.Home))
	}
	quota, _ = query.ParseBytes(sh.config().Text("keep.quota")) // "" is none
	return exclude, quota
}
