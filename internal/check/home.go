package check

import (
	"path"

	"sesskeep"
)

// Home finds what clients have left in a home beside the transcripts of sessions:
// agents of sessions that are gone, and directories in session-env that are empty or
// of sessions that are gone. What lies in those may be secret: it is counted and not
// named.
func Home(s *sesskeep.Store, folders []sesskeep.Folder) ([]Finding, error) {
	has := map[sesskeep.SessionID]bool{}
	for _, folder := range folders {
		for _, ref := range folder.Refs {
			if ref.Layout == sesskeep.LayoutMain {
				has[ref.Session] = true
			}
		}
	}
	found := &findings{}
	for _, folder := range folders {
		for _, ref := range folder.Refs {
			if ref.Layout != sesskeep.LayoutMain && ref.Session != "" && !has[ref.Session] {
				found.add(Finding{Code: LoneAgent, File: ref.File, Name: string(ref.Session)})
			}
		}
		for _, p := range folder.Problems {
			found.add(Finding{Code: Unreadable, File: p.File, Meaning: "it cannot be read: " + p.Reason})
		}
	}
	err := found.staleEnvironments(s, has)
	return found.list, err
}

// staleEnvironments reports directories in session-env that are empty or whose session is gone.
func (found *findings) staleEnvironments(s *sesskeep.Store, has map[sesskeep.SessionID]bool) error {
	const dir = "session-env"
	entries, err := s.Files().ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if !e.IsDir() {
			continue
		}
		inside, err := s.Files().ReadDirAll(name)
		switch {
		case err != nil:
			found.add(Finding{Code: Unreadable, File: name, Meaning: "the directory cannot be read: " + sesskeep.Cause(err).Error()})
		case !has[sesskeep.SessionID(e.Name())]:
			found.add(Finding{Code: StaleEnv, File: name, Name: e.Name()})
		case len(inside) == 0:
			found.add(Finding{Code: EmptyEnv, File: name, Name: e.Name()})
		}
	}
	return nil
}
