package claudehome

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// Program is one that a setting makes the client run.
type Program struct {
	Matcher string `json:"matcher,omitempty"` // of a hook: the tools or events it is for
	Name    string `json:"name"`              // the program, or the script that it interprets
}

// interpreters are programs that say nothing about what they run.
var interpreters = []string{"sh", "bash", "zsh", "dash", "python", "python3", "node", "bun", "deno", "ruby", "perl", "npx", "uvx", "uv", "env", "sudo"}

// programsOf names the programs of a hook, a helper or a status line: a command is a text,
// or a list of hooks with their matchers.
func programsOf(key string, value json.RawMessage) []Program {
	var command string
	if json.Unmarshal(value, &command) == nil && runs(key) {
		return []Program{{Name: programName(command)}}
	}
	var groups []struct {
		Matcher string
		Hooks   []struct{ Type, Command string }
	}
	if !strings.HasPrefix(key, "hooks.") || json.Unmarshal(value, &groups) != nil {
		return nil
	}
	var list []Program
	for _, g := range groups {
		for _, h := range g.Hooks {
			name := programName(h.Command)
			if h.Command == "" {
				name = h.Type
			}
			list = append(list, Program{g.Matcher, name})
		}
	}
	return list
}

// runs reports whether a setting is a command.
func runs(key string) bool {
	last := strings.ToLower(key[strings.LastIndexByte(key, '.')+1:])
	return !strings.HasPrefix(key, "env.") && (last == "command" || strings.HasSuffix(last, "helper"))
}

// programName is the base name of the program that a command starts. Variables before it
// and arguments behind it are left out: they can be secrets. Of an interpreter it is the
// script, if that is a path.
func programName(command string) string {
	words := strings.Fields(command)
	words = slices.DeleteFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") })
	for len(words) > 1 && assigns(words[0]) {
		words = words[1:]
	}
	if len(words) == 0 || assigns(words[0]) {
		return ""
	}
	name := baseName(words[0])
	if len(words) > 1 && slices.Contains(interpreters, name) && isScript(words[1]) {
		name = baseName(words[1])
	}
	if strings.HasPrefix(name, "sk-") || len(name) > maxProgramName {
		return "" // somebody put a key where a command belongs
	}
	return name
}

// maxProgramName is longer than the names of programs, and shorter than most keys.
const maxProgramName = 40

// assigns reports whether a word of a command sets a variable: NAME=value.
func assigns(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && !strings.ContainsAny(name, `/\."'`)
}

// isScript reports whether an argument is the path of a file that an interpreter runs.
func isScript(word string) bool {
	ext := path.Ext(strings.Trim(word, `"'`))
	return slices.Contains([]string{".sh", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl"}, ext) && !strings.Contains(word, "://")
}

func baseName(word string) string {
	word = strings.Trim(word, `"'`)
	return word[strings.LastIndexAny(word, `/\`)+1:]
}

// harmless reports whether a value cannot be a secret, whatever its name is: a switch, or a
// number in a setting that is not passed to other programs.
func harmless(key string, value json.RawMessage) bool {
	switch text := strings.Trim(string(value), `"`); text {
	case "true", "false", "null", "0", "1":
		return true
	}
	var number float64
	return !strings.Contains(key, ".") && json.Unmarshal(value, &number) == nil
}
