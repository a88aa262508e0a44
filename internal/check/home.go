package check

import (
	"path"

	"sesskeep"
)

// Home finds what clients have left in a home beside transcripts: directories in
// session-env that are empty, or of sessions that are gone. What lies in them may
// be secret: it is counted and not named.
func Home(s *sesskeep.Store) ([]Finding, error) {
	const dir = "session-env"
	entries, err := s.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		return nil, err
	}
	refs, err := s.Sessions("")
	if err != nil {
		return nil, err
	}
	has := map[sesskeep.SessionID]bool{}
	for _, ref := range refs {
		has[ref.Session] = true
	}
	found := &findings{}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if !e.IsDir() {
			continue
		}
		inside, err := s.ReadDirAll(name)
		switch {
		case err != nil:
			found.add(Finding{Code: Unreadable, File: name, Meaning: "the directory cannot be read: " + reason(err)})
		case !has[sesskeep.SessionID(e.Name())]:
			found.add(Finding{Code: StaleEnv, File: name, Name: e.Name()})
		case len(inside) == 0:
			found.add(Finding{Code: EmptyEnv, File: name, Name: e.Name()})
		}
	}
	return found.list, nil
}
