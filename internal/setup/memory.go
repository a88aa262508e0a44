package setup

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/errcode"
)

// Memory is what the client adds to the context of every session of a project.
type Memory struct {
	Project     string       `json:"project"`
	ProjectPath string       `json:"projectPath"`
	Files       []MemoryFile `json:"files"`
	Total       int          `json:"total"`
}

// MemoryFile is one file of it.
type MemoryFile struct {
	Path  string `json:"path"`
	Scope string `json:"scope"` // user: for all projects; project: in its directory; notes: the client's own
	Text  string `json:"text"`
	Error string `json:"error,omitempty"` // why it could not be read
}

// memorySize is how much of a file is read: the client itself warns of far less.
const memorySize = 1 << 20

// Memory reads the CLAUDE.md files of a project and the notes that the client
// keeps about it.
func (st *Setup) Memory(p *ask.Project) Memory {
	m := Memory{Project: p.ID, ProjectPath: p.Path, Files: []MemoryFile{}}
	home := st.homes.At(p.Root)
	if home == nil {
		return m
	}
	m.add(home.Store.Files(), "CLAUDE.md", "user")
	if dir := st.homes.Outside.Open(p.Path); dir != nil {
		for _, name := range []string{"CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"} {
			m.add(dir, name, "project")
		}
	}
	notes := path.Join("projects", p.DirName, "memory")
	entries, err := home.Store.Files().ReadDir(notes)
	if err != nil {
		m.Files = append(m.Files, MemoryFile{Path: home.Store.Path(notes), Scope: "notes", Error: errcode.PlainReason(err)})
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".md") {
			m.add(home.Store.Files(), path.Join(notes, e.Name()), "notes")
		}
	}
	m.Total = len(m.Files)
	return m
}

// add reads a file, if it is there.
func (m *Memory) add(s *homefs.Home, name, scope string) {
	text, err := s.ReadFile(name, memorySize)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	f := MemoryFile{Path: s.Path(name), Scope: scope, Text: strings.ToValidUTF8(string(text), "\uFFFD")}
	if err != nil {
		f.Text, f.Error = "", errcode.PlainReason(err)
	}
	m.Files = append(m.Files, f)
}
