package conversation

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/tui/files"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/view"
)

// file opens the page of the file that the chosen call reads or changes.
func (p *Page) file() tea.Cmd {
	part := p.feed.Part(p.feed.At)
	if part == nil || part.Kind != view.CallPart || part.Call == nil || part.Call.File == "" {
		return pages.Note("choose a call that reads or changes a file")
	}
	name := filepath.ToSlash(part.Call.File)
	if !strings.HasPrefix(name, "/") {
		name = p.row.ProjectPath + "/" + name
	}
	return pages.Open(files.New(p.world, path.Clean(name), openChange(p.world)))
}

// openChange opens the conversation at a change of a file.
func openChange(w *pages.World) files.Opener {
	return func(at files.At) tea.Cmd {
		return func() tea.Msg {
			row, err := rowAt(w, at)
			if err != nil {
				return pages.NoteMsg{Text: err.Error()}
			}
			return pages.OpenMsg{Page: NewAt(w, row, Target{Message: at.Message})}
		}
	}
}

// rowAt finds the transcript of a change.
func rowAt(w *pages.World, at files.At) (catalog.Session, error) {
	id := sesskeep.Ref{Session: sesskeep.SessionID(at.Session), Agent: sesskeep.AgentID(at.Agent)}.ID()
	snapshot, err := w.Catalog()
	if err != nil {
		return catalog.Session{}, err
	}
	page, err := snapshot.List(w.Ctx, ask.Filter{In: at.Root, Sessions: []string{id}, Source: ask.AllSources, Archived: ask.ArchivedToo})
	if err != nil {
		return catalog.Session{}, err
	}
	for i := range page.Sessions {
		if r := &page.Sessions[i]; at.Agent == "" || r.ParentSessionID == at.Session {
			return *r, nil
		}
	}
	return catalog.Session{}, fmt.Errorf("the session %s is not listed", at.Session)
}
