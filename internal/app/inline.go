package app

import "context"

// inlineRoot finds an agent inside of a session's file by how the uuid of its
// first line starts, or "" if there is none.
func (a *App) inlineRoot(ctx context.Context, session Target, prefix string) (string, error) {
	s, err := a.Read(ctx, session)
	if err != nil {
		return "", err
	}
	defer s.Close()
	switch found := s.InlineRoots(prefix); len(found) {
	case 0:
		return "", nil
	case 1:
		return found[0], nil
	default:
		return "", &Ambiguous{Address: prefix, Candidates: found}
	}
}
