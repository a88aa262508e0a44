package claudehome

import (
	"path"
	"time"

	"sesskeep"
	"sesskeep/homefs"
)

// SessionsIndex is a list of the sessions of a project directory that clients kept early in
// 2026 (2.1.16 to 2.1.31) and did not continue. It is old, but it can name sessions whose
// transcripts are gone.
type SessionsIndex struct {
	File     string    // path inside the home
	Modified time.Time // when the client last wrote it
	Sessions []IndexedSession
}

// IndexedSession describes one session in a SessionsIndex.
type IndexedSession struct {
	ID          sesskeep.SessionID
	FirstPrompt string
	Summary     string
	Messages    int
	Modified    time.Time // when the session was last written, according to the list; zero: unknown
}

// wireIndex is the file.
type wireIndex struct {
	Entries []struct {
		SessionID    sesskeep.SessionID `json:"sessionId"`
		FirstPrompt  looseText          `json:"firstPrompt"`
		Summary      looseText          `json:"summary"`
		MessageCount looseInt           `json:"messageCount"`
		Modified     looseText          `json:"modified"`
	} `json:"entries"`
}

// ReadSessionsIndex reads the list of a project directory. Most have none, which is
// [io/fs.ErrNotExist].
func ReadSessionsIndex(s *homefs.Home, dir sesskeep.ProjectKey) (SessionsIndex, error) {
	x := SessionsIndex{File: path.Join("projects", string(dir), "sessions-index.json")}
	var w wireIndex
	if err := readState(s, x.File, &w); err != nil {
		return x, err
	}
	if info := s.Stat(x.File); info != nil {
		x.Modified = info.ModTime()
	}
	for _, e := range w.Entries {
		modified, _ := time.Parse(time.RFC3339, string(e.Modified)) // else it is not said
		x.Sessions = append(x.Sessions, IndexedSession{e.SessionID, string(e.FirstPrompt), string(e.Summary), int(e.MessageCount), modified})
	}
	return x, nil
}
