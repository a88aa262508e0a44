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
// is read for a session of a newer one, and of the others only those that the index does not
// know as they are. Where two files name a leaf the last one
// counts, as in lists.
func (s *Session) Summaries(ctx context.Context) (map[string]string, error) {
	own := &s.Transcript.Digest
	found := map[string]string{}
	add := func(list []sesskeep.LeafTitle) {
		for _, s := range list {
			found[s.Leaf] = s.Text
		}
	}
	if !own.NamedElsewhere() || s.Ref.Agent != "" || s.Ref.Dir == "" {
		add(own.Summaries)
		return found, nil
	}
	var refs []sesskeep.Ref
	for ref, err := range s.store.Sessions(s.Ref.Dir) {
		if err == nil {
			refs = append(refs, ref)
		}
	}
	slices.SortFunc(refs, func(a, b sesskeep.Ref) int { return cmp.Compare(a.File, b.File) })
	var known map[string][]sesskeep.LeafTitle
	if s.pool.Summaries != nil {
		known = s.pool.Summaries(ctx, s.store, s.Ref.Dir, refs)
	}
	for _, ref := range refs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		list, ok := known[ref.File]
		if ref.File == s.Ref.File {
			list = own.Summaries
		} else if !ok {
			if other, err := s.store.Digest(ref.File); err == nil {
				list = other.Summaries
			}
		}
		add(list)
	}
	return found, nil
}
