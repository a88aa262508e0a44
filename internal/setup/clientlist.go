package setup

import (
	"cmp"
	"errors"
	"io/fs"
	"path"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/internal/ask"
	"sesskeep/internal/homes"
	"sesskeep/internal/stamp"
)

// ClientList is the list that clients of early 2026 kept of a project's sessions, in
// sessions-index.json. Nothing is answered from it: it only shows what is gone.
type ClientList struct {
	File     string     `json:"file"`                // path inside the home
	Modified stamp.Time `json:"modifiedAt,omitzero"` // when the client last wrote it
	Total    int        `json:"total"`               // number of sessions that it names
	// Gone are those that have neither a transcript nor a copy any more.
	Gone []GoneSession `json:"gone"`
}

// GoneSession is what such a list says of a session that is gone.
type GoneSession struct {
	ID           string     `json:"id"`                      // id of the session
	Title        string     `json:"title,omitempty"`         // its summary, else its first prompt
	MessageCount int        `json:"messageCount"`            // messages, when the list was written
	LastActivity stamp.Time `json:"lastActivityAt,omitzero"` // when it was last written, by the list
}

// ClientList reads the client's own list of a project; nil: there is none.
func (st *Setup) ClientList(p *ask.Project) (*ClientList, error) {
	for _, h := range st.homes.List {
		if h.Store.Root() == p.Root {
			return clientList(h, sesskeep.ProjectKey(p.DirName))
		}
	}
	return nil, nil
}

func clientList(h *homes.Home, dir sesskeep.ProjectKey) (*ClientList, error) {
	files := h.Store.Files()
	x, err := claudehome.ReadSessionsIndex(files, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &sesskeep.Error{Op: "read", Name: x.File, Err: err}
	}
	list := &ClientList{File: x.File, Modified: stamp.Time{Time: x.Modified}, Total: len(x.Sessions), Gone: []GoneSession{}}
	for _, s := range x.Sessions {
		if !sesskeep.IsUUID(string(s.ID)) || files.Stat(path.Join("projects", string(dir), string(s.ID)+".jsonl")) != nil {
			continue
		}
		list.Gone = append(list.Gone, GoneSession{string(s.ID), cmp.Or(s.Summary, s.FirstPrompt), s.Messages, stamp.Time{Time: s.Modified}})
	}
	return list, nil
}
