package setup

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/homefs"
	"sesskeep/internal/cursor"
	"sesskeep/internal/history"
	"sesskeep/internal/paging"
	"sesskeep/internal/reading"
)

// CommandFilter chooses command files.
type CommandFilter struct {
	Kind  string // command, agent or skill; empty: all
	Scope string // user or project; empty: both
	history.Where
}

// Command is a command file in a list.
type Command struct {
	Name        string                  `json:"name"`                  // name, as a user types it
	Kind        claudehome.CommandKind  `json:"kind"`                  // command, agent or skill
	Scope       claudehome.CommandScope `json:"scope"`                 // where it applies: user or project
	Category    string                  `json:"category,omitempty"`    // directory that it is in
	Description string                  `json:"description,omitempty"` // description in the file
	File        string                  `json:"file"`                  // path of the file
}

// CommandText is a command file with what it says.
type CommandText struct {
	Command
	Meta []Property `json:"meta"`
	Body string     `json:"body"`
}

// Property is a field of a command's front matter.
type Property struct {
	Key   string   `json:"key,omitempty"`
	Value string   `json:"value,omitempty"`
	List  []string `json:"list,omitempty"`
}

// CommandPage is a list of commands.
type CommandPage struct {
	Commands []Command          `json:"commands"`       // commands, agents and skills
	Total    int                `json:"total"`          // number of matches on all pages
	HasMore  bool               `json:"hasMore"`        // true if there are more pages
	Next     string             `json:"next,omitempty"` // cursor of the next page
	Problems []sesskeep.Problem `json:"problems"`       // files that could not be read, by absolute path
}

// Commands reads the command files of the homes, and of the project the filter
// names, by kind and name.
func (st *Setup) Commands(ctx context.Context, f CommandFilter) ([]CommandText, []sesskeep.Problem, error) {
	var list []CommandText
	problems := []sesskeep.Problem{}
	add := func(dirs []*homefs.Home, scope claudehome.CommandScope) {
		if f.Scope != "" && f.Scope != string(scope) {
			return
		}
		for _, s := range dirs {
			found, bad := claudehome.Commands(s, scope)
			for i := range found {
				list = append(list, commandText(s, &found[i]))
			}
			for _, p := range bad {
				p.File = s.Path(p.File)
				problems = append(problems, p)
			}
		}
	}
	var dirs []*homefs.Home
	for _, h := range st.homes.List {
		dirs = append(dirs, h.Store.Files())
	}
	add(dirs, claudehome.ScopeUser)
	projects, err := st.history.ProjectStores(ctx, f.Where)
	add(projects, claudehome.ScopeProject)
	list = slices.DeleteFunc(list, func(c CommandText) bool { return f.Kind != "" && f.Kind != string(c.Kind) })
	slices.SortStableFunc(list, func(x, y CommandText) int {
		return cmp.Or(cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Name, y.Name))
	})
	return list, problems, err
}

func commandText(s *homefs.Home, c *claudehome.Command) CommandText {
	text := CommandText{
		Command: Command{c.Name, c.Kind, c.Scope, c.Category, c.Description, s.Path(c.File)},
		Meta:    []Property{}, Body: c.Body,
	}
	for _, p := range c.Meta {
		text.Meta = append(text.Meta, Property(p))
	}
	return text
}

// CommandList is a page of commands without their texts. A cursor of another list
// is [errcode.Invalid].
func CommandList(all []CommandText, problems []sesskeep.Problem, s paging.Slice) (page CommandPage, err error) {
	page = CommandPage{Commands: []Command{}, Total: len(all), Problems: problems}
	var shown []CommandText
	shown, page.Next, err = paging.CutAfter(all, s, cursor.Hash("commands"), func(c *CommandText) cursor.Cursor {
		return cursor.Cursor{Text: string(c.Kind) + "\n" + c.Name, Key: c.File}
	})
	page.HasMore = page.Next != ""
	for _, c := range shown {
		page.Commands = append(page.Commands, c.Command)
	}
	return page, err
}

// PickCommand returns the command of that name, or [errcode.NotFound]. Several are
// [errcode.Ambiguous], with candidates that say what to type instead.
func PickCommand(list []CommandText, name string) (CommandText, error) {
	list = slices.DeleteFunc(list, func(c CommandText) bool { return c.Name != name })
	switch len(list) {
	case 0:
		return CommandText{}, &sesskeep.Error{Op: "show command", Name: name, Err: sesskeep.ErrNotFound}
	case 1:
		return list[0], nil
	}
	e := &reading.Ambiguous{Address: name}
	for _, c := range list {
		e.Candidates = append(e.Candidates, fmt.Sprintf("%s --kind %s --scope %s", c.Name, c.Kind, c.Scope))
	}
	return CommandText{}, e
}
