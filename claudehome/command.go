package claudehome

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/homefs"
)

// CommandKind says what a Command is for.
type CommandKind string

// The kinds of command files.
const (
	CommandSlash CommandKind = "command" // commands/**/*.md: typed as /name
	CommandSkill CommandKind = "skill"   // skills/<name>/SKILL.md: typed as /name, or chosen by the model
	CommandAgent CommandKind = "agent"   // agents/**/*.md: started by the model under its name
)

// CommandScope says where a Command can be used.
type CommandScope string

// The scopes of command files.
const (
	ScopeUser    CommandScope = "user"    // from the home: in every project
	ScopeProject CommandScope = "project" // from <project>/.claude: there only
)

// Command is a Markdown file that extends the client.
type Command struct {
	Name        string // as it is invoked: "deploy", or "git:commit" for git/commit.md
	Category    string // the folders it lies in, with "/" between them
	Kind        CommandKind
	Scope       CommandScope
	Description string // its own, or the first line that says something
	Meta        FrontMatter
	Body        string
	File        string // inside the home
}

const (
	maxCommandFile  = 1 << 20
	maxCommandDepth = 16 // of directories; no person types a longer name
)

// Commands lists the slash commands, skills and sub-agents of the home, sorted
// by kind and name. Open a Store on a project's .claude directory to list the
// project's own; scope says which of the two it is. A link is not followed but
// reported as a Problem, as is a file that cannot be read or exceeds 1 MiB.
func Commands(s *homefs.Home, scope CommandScope) ([]Command, []sesskeep.Problem) {
	w := commandWalk{s: s, scope: scope}
	w.tree("commands", CommandSlash)
	w.tree("agents", CommandAgent)
	w.skills()
	slices.SortStableFunc(w.commands, func(a, b Command) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	return w.commands, w.problems
}

type commandWalk struct {
	s        *homefs.Home
	scope    CommandScope
	commands []Command
	problems []sesskeep.Problem
}

// tree reads the Markdown files of a directory and the ones below it.
func (w *commandWalk) tree(top string, kind CommandKind) {
	dirs := []string{top}
	for len(dirs) > 0 {
		dir := dirs[0]
		dirs = dirs[1:]
		for _, e := range w.list(dir) {
			name := path.Join(dir, e.Name())
			switch {
			case e.IsDir() && strings.Count(name, "/") <= maxCommandDepth:
				dirs = append(dirs, name)
			case strings.HasSuffix(e.Name(), ".md"):
				category := strings.TrimPrefix(strings.TrimPrefix(dir, top), "/")
				w.file(e, Command{Category: category, Kind: kind, File: name})
			}
		}
	}
}

// skills reads skills/<name>/SKILL.md. The folder gives the name; other files
// in it belong to the skill.
func (w *commandWalk) skills() {
	for _, dir := range w.list("skills") {
		name := path.Join("skills", dir.Name())
		if dir.Type()&fs.ModeSymlink != 0 {
			w.problems = append(w.problems, linkProblem(name))
		}
		if !dir.IsDir() {
			continue
		}
		for _, e := range w.list(name) {
			if e.Name() == "SKILL.md" {
				w.file(e, Command{Name: dir.Name(), Kind: CommandSkill, File: path.Join(name, e.Name())})
			}
		}
	}
}

func (w *commandWalk) list(dir string) []fs.DirEntry {
	entries, err := w.s.ReadDir(dir)
	if err != nil {
		w.problems = append(w.problems, unread(dir, err))
	}
	return entries
}

func (w *commandWalk) file(e fs.DirEntry, c Command) {
	if e.Type()&fs.ModeSymlink != 0 {
		w.problems = append(w.problems, linkProblem(c.File))
		return
	}
	if !e.Type().IsRegular() {
		return
	}
	data, err := w.s.ReadFile(c.File, maxCommandFile)
	if err != nil {
		w.problems = append(w.problems, unread(c.File, err))
		return
	}
	c.Scope = w.scope
	c.Meta, c.Body = ParseFrontMatter(string(data))
	c.Description = cmp.Or(c.Meta.Text("description"), firstLine(c.Body))
	if c.Name == "" {
		c.Name = commandName(c)
	}
	w.commands = append(w.commands, c)
}

// commandName is the name of a command or agent. A command's folders are part
// of its name; an agent is called what its front matter says.
func commandName(c Command) string {
	stem := strings.TrimSuffix(path.Base(c.File), ".md")
	if c.Kind == CommandAgent {
		return cmp.Or(c.Meta.Text("name"), stem)
	}
	return strings.ReplaceAll(path.Join(c.Category, stem), "/", ":")
}

// firstLine is the first line of a Markdown text that says something, without
// the marks of a heading.
func firstLine(body string) string {
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "#"))
		if line != "" && !(strings.HasPrefix(line, "<!--") && strings.HasSuffix(line, "-->")) {
			return line
		}
	}
	return ""
}

// linkProblem reports a link. Behind it could be a file that Denied would have
// refused under its own name.
func linkProblem(name string) sesskeep.Problem {
	return sesskeep.Problem{Code: sesskeep.ProblemUnreadable, File: name, Reason: "a link, which is not followed", Lost: true}
}
