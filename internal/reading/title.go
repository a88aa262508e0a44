package reading

import (
	"context"
	"strings"

	"sesskeep"
)

// Title returns the title of the session, or "" if it has none.
func (s *Session) Title(ctx context.Context) (string, error) {
	found, err := s.Summaries(ctx)
	if err != nil {
		return "", err
	}
	return s.Transcript.Title(s.Transcript.Tree, found), nil
}

// Summaries returns the summaries of the conversations by leaf: the session's own
// and, if nothing else names the session, those in the files beside it. Only old
// clients wrote them, so no other file is read for a session of a newer one.
func (s *Session) Summaries(ctx context.Context) (map[string]string, error) {
	d := &s.Transcript.Digest
	found := map[string]string{}
	take := func(d *sesskeep.Digest) {
		for _, s := range d.Summaries {
			found[s.Leaf] = s.Text
		}
	}
	old := strings.HasPrefix(d.Version, "1.") || strings.HasPrefix(d.Version, "2.0.")
	if old && d.CustomTitle == "" && d.AITitle == "" && s.Ref.Agent == "" && s.Ref.Dir != "" {
		for _, ref := range s.store.Folder(s.Ref.Dir).Refs {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if ref.Layout != sesskeep.LayoutMain || ref.File == s.Ref.File {
				continue
			}
			if other, err := s.store.Digest(ref.File); err == nil {
				take(&other)
			}
		}
	}
	take(d)
	return found, nil
}
