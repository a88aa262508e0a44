package catalog

import (
	"context"

	"sesskeep/internal/reading"
)

// InlineRoot finds an agent inside of a session's file by how the uuid of its
// first line starts, or "" if there is none.
func (c *Catalog) InlineRoot(ctx context.Context, session Target, prefix string) (string, error) {
	s, err := c.Read(ctx, session)
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
		return "", &reading.Ambiguous{Address: prefix, Candidates: found}
	}
}
