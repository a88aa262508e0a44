package reading

import (
	"cmp"
	"context"
	"slices"

	"sesskeep"
)

// Title returns what lists call the session, or "" if it has no title: an agent's
// is what it was started for.
func (s *Session) Title(ctx context.Context) (string, error) {
	if s.Ref.Agent != "" {
		if meta, ok := s.store.AgentMeta(s.Ref); ok && cmp.Or(meta.Description, meta.Name) != "" {
			return cmp.Or(meta.Description, meta.Name), nil
		}
	}
	found, err := s.Summaries(ctx)
	if err != nil {
		return "", err
	}
	return s.Transcript.Digest.TitleWith(s.Transcript.Tree, found), nil
}

// Summaries returns the summaries of the conversations by leaf: the session's own
// and those in the files beside it. Only old clients wrote them, so no other file
// is read for a session of a newer one. Where two files name a leaf the last one
// counts, as in lists.
func (s *Session) Summaries(ctx context.Context) (map[string]string, error) {
	own := &s.Transcript.Digest
	found := map[string]string{}
	add := func(d *sesskeep.Digest) {
		for _, s := range d.Summaries {
			found[s.Leaf] = s.Text
		}
	}
	if !own.NamedElsewhere() || s.Ref.Agent != "" || s.Ref.Dir == "" {
		add(own)
		return found, nil
	}
	refs := s.store.Folder(s.Ref.Dir).Refs
	slices.SortFunc(refs, func(a, b sesskeep.Ref) int { return cmp.Compare(a.File, b.File) })
	for _, ref := range refs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if ref.File == s.Ref.File {
			add(own)
		} else if ref.Layout == sesskeep.LayoutMain {
			if other, err := s.store.Digest(ref.File); err == nil {
				add(&other)
			}
		}
	}
	return found, nil
}
