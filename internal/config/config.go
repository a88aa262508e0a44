// Package config reads config.toml, the file in which users say what sesskeep does by
// default.
//
// [Keys] is the one table of what the file may say: it drives parsing, the documentation,
// the file that "config edit" begins with, and "config show". The file is read from our
// configuration directory only, never from that of a project, and it is refused where
// others can write it. What it says yields to the environment, and that to flags.
package config

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep/internal/keys"
	"sesskeep/internal/regular"
)

// Name is the name of the file in our configuration directory.
const Name = "config.toml"

// maxSize is more than a file written by hand can take.
const maxSize = 1 << 20

// Config is what a file says. The zero value is a file that says nothing.
type Config struct {
	Path   string // "" where there is no place for one
	Exists bool
	values []Value // in the order of the file
}

// Value is one value of a file.
type Value struct {
	Key   *Key
	Name  string   // the whole name: ls.columns, home.work
	Sub   string   // its last part: the work of home.work
	Texts []string // one, or any number for a list; yes and no are "true" and "false"
	Line  int
}

// Text is the value of a key that takes one.
func (v Value) Text() string {
	if len(v.Texts) == 0 {
		return ""
	}
	return v.Texts[0]
}

// Load reads a file. One that is not there says nothing. The error is [*UnsafeError],
// [*Error] or one of the system; the Config that comes with it says nothing.
func Load(path string) (*Config, error) {
	c := &Config{Path: path}
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	defer f.Close()
	c.Exists = true
	if err := checkSafe(f); err != nil {
		return c, err
	}
	text, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err == nil && len(text) > maxSize {
		err = &fs.PathError{Op: "read", Path: path, Err: regular.ErrTooLarge}
	}
	if err != nil {
		return c, err
	}
	values, problems := Parse(text)
	if len(problems) > 0 {
		return c, &Error{Path: path, Problems: problems}
	}
	c.values = values
	return c, nil
}

// Value returns what the file says about a name; false: nothing.
func (c *Config) Value(name string) (Value, bool) {
	for _, v := range c.values {
		if v.Name == name {
			return v, true
		}
	}
	return Value{}, false
}

// Text returns the text that the file has for a name, or "".
func (c *Config) Text(name string) string {
	v, _ := c.Value(name)
	return v.Text()
}

// Texts returns the list that the file has for a name.
func (c *Config) Texts(name string) []string {
	v, _ := c.Value(name)
	return slices.Clone(v.Texts)
}

// Table returns what the file says in a table of names that users choose, such as home.
func (c *Config) Table(name string) (list []Value) {
	for _, v := range c.values {
		if v.Key.Name == name+".*" {
			list = append(list, v)
		}
	}
	return list
}

// keyTable is the name of the table with the keys of the interface.
const keyTable = "keys.*"

// Bindings returns the keys that the file gives to actions of the interface.
func (c *Config) Bindings() map[keys.Action][]string { return bindings(c.values) }

func bindings(values []Value) map[keys.Action][]string {
	changes := map[keys.Action][]string{}
	for _, v := range values {
		if v.Key.Name != keyTable {
			continue
		}
		for _, b := range keys.Table {
			if ActionName(b.Action) == v.Sub {
				changes[b.Action] = v.Texts
			}
		}
	}
	return changes
}

// For returns the values that are defaults of flags of a command.
func (c *Config) For(command string) (list []Value) {
	for _, v := range c.values {
		if slices.Contains(v.Key.Commands, command) || len(v.Key.Commands) == 1 && v.Key.Commands[0] == Everywhere {
			list = append(list, v)
		}
	}
	return list
}

// Dir returns a directory that the file names: ~ is the user's home, and what is not
// absolute begins there too, because the file means the same wherever one is.
func Dir(text, home string) string {
	if text == "~" {
		return home
	}
	if rest, ok := strings.CutPrefix(text, "~/"); ok {
		text = rest
	}
	if !filepath.IsAbs(text) && home != "" {
		text = filepath.Join(home, text)
	}
	return filepath.Clean(text)
}
