package follow

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/live"
)

// names knows what sessions and projects are called. It asks the index as it
// is and never waits for it: what the index has not read yet is called after
// what is learned meanwhile.
type names struct {
	src      *Sources
	index    *index.Index                // nil: there is none
	projects map[live.File][]ask.Project // by directory: two paths can share one
	learned  map[live.File]string        // directory → path, of sessions that the index has not read
	sessions map[sesskeep.Key]*name
}

// name is what one session is called.
type name struct {
	title   string
	from    titleSource
	given   string // by the client, after its directory
	project string
	path    string // of the project
	cwd     string
	file    string
	asked   bool // the index was
	read    bool // the transcript was
}

// titleSource is who gave a title. One who comes later in this list is believed
// before the others.
type titleSource int

const (
	noTitle titleSource = iota
	promptTitle
	modelTitle
	ownTitle
)

// call takes in a title. Of prompts the first one counts, of all else the last.
func (s *name) call(title string, from titleSource) {
	if title == "" || from < s.from || from == promptTitle && s.from == promptTitle {
		return
	}
	s.title, s.from = title, from
}

func newNames(src *Sources) *names {
	return &names{src: src, projects: map[live.File][]ask.Project{}, learned: map[live.File]string{}, sessions: map[sesskeep.Key]*name{}}
}

// load reads the projects the index has.
func (n *names) load(ctx context.Context) {
	x, err := n.src.Index()
	if err != nil {
		return
	}
	n.index = x
	list, err := x.ProjectNames(ctx, n.src.roots())
	if err != nil {
		return
	}
	for _, p := range list {
		dir := live.File{Root: p.Root, Name: p.DirName}
		n.projects[dir] = append(n.projects[dir], p)
	}
}

func (n *names) of(id sesskeep.Key) *name {
	s := n.sessions[id]
	if s == nil {
		s = &name{}
		n.sessions[id] = s
	}
	if s.asked || n.index == nil {
		return s
	}
	s.asked = true
	if home := n.src.home(id); home != nil {
		page, err := n.index.List(context.Background(), ask.Filter{Homes: []ask.Home{{Store: home}}, Sessions: []string{string(id.Session)}, Source: "all"})
		if err == nil && len(page.Sessions) > 0 {
			r := &page.Sessions[0]
			if r.CustomTitle != "" {
				s.call(r.Title, ownTitle)
			}
			s.call(r.Title, promptTitle) // or the model's, which a later one of it replaces as well
			s.project, s.path, s.file = r.Project, r.ProjectPath, r.Ref.File
		}
	}
	return s
}

// registered takes in what a client says of its session.
func (n *names) registered(s *live.Session) {
	known := n.of(s.Key)
	if s.File != "" {
		known.file = s.File
	}
	if c := s.Client; c != nil {
		if known.cwd == "" {
			known.cwd = c.Cwd
		}
		known.given = c.Name
		if known.title == "" && c.NameSource != "derived" {
			known.call(c.Name, modelTitle)
		}
	}
}

// learn notes what a transcript says of itself.
func (n *names) learn(ev *live.Event) {
	s := n.of(ev.Key)
	if ev.Agent != "" {
		return
	}
	if ev.File != "" {
		s.file = ev.File
	}
	for i := range ev.Entries {
		s.learn(&ev.Entries[i])
	}
}

// learn notes what one line says.
func (s *name) learn(e *sesskeep.Entry) {
	if s.cwd == "" {
		s.cwd = e.Cwd
	}
	switch {
	case e.Kind == sesskeep.KindCustomTitle:
		s.call(e.Text, ownTitle)
	case e.Kind == sesskeep.KindAITitle:
		s.call(e.Text, modelTitle)
	case s.title == "" && e.IsPrompt():
		s.call(e.PromptTitle(), promptTitle)
	}
}

// readWhole takes from a transcript what the index does not know yet, by the same
// rules: the last title counts, and the directory that the folder is named after.
func (n *names) readWhole(s *name, root, file string) {
	store := n.src.store(root)
	if store == nil {
		return
	}
	d, err := store.Digest(file)
	if err != nil {
		return
	}
	s.call(d.Title(), promptTitle)
	s.call(d.AITitle, modelTitle)
	s.call(d.CustomTitle, ownTitle)
	for _, cwd := range d.Cwds {
		if sesskeep.ProjectKey(dirOf(file)).Holds(cwd) {
			s.cwd = cwd
			return
		}
	}
}

// promptText is how a prompt begins.
func promptText(e *sesskeep.Entry) string {
	for _, b := range e.Blocks() {
		if b.Kind == sesskeep.BlockText && !strings.HasPrefix(b.Text, "<") {
			return sesskeep.OneLine(b.Text)
		}
	}
	return ""
}

func (n *names) file(id sesskeep.Key) string { return n.of(id).file }

// fill gives an event the names of its session and project.
func (n *names) fill(m *Event) {
	s := n.of(m.Key)
	if file := cmp.Or(s.file, m.File); s.project == "" && !s.read && file != "" && m.Agent == "" {
		s.read = true
		n.readWhole(s, m.Root, file)
	}
	m.Title = cmp.Or(s.title, s.given)
	m.Project, m.ProjectPath = s.project, s.path
	if m.Project != "" {
		return
	}
	dir := dirOf(cmp.Or(m.File, s.file))
	if list := n.projects[live.File{Root: m.Root, Name: dir}]; len(list) == 1 {
		m.Project, m.ProjectPath = list[0].ID, list[0].Path
		return
	}
	if s.cwd != "" || dir != "" {
		// Before there is a transcript it is known where that will lie.
		key := cmp.Or(sesskeep.ProjectKey(dir), sesskeep.DirName(s.cwd))
		folder := live.File{Root: m.Root, Name: string(key)}
		if key.Holds(s.cwd) {
			n.learned[folder] = s.cwd
		}
		p := ask.ProjectID{Root: m.Root, Dir: key, Path: cmp.Or(s.cwd, n.learned[folder])}
		m.Project, m.ProjectPath = p.Name(), p.Path
	}
}

// within reports whether a session is of one of the projects; nil is any.
func (n *names) within(projects []ask.Project, id sesskeep.Key, file string) bool {
	if projects == nil {
		return true
	}
	m := Event{Root: n.src.root(id), Key: id, File: file}
	n.fill(&m)
	return slices.ContainsFunc(projects, func(p ask.Project) bool {
		return p.Root == m.Root && (m.Project == p.ID || m.ProjectPath == p.Path)
	})
}
