package app

import (
	"cmp"
	"context"
	"slices"

	"sesskeep"
	read "sesskeep/internal/reading"
	"sesskeep/internal/view"
)

// ChangedFile is a file that a session changed.
type ChangedFile struct {
	Path    string      `json:"path"`
	Edits   int         `json:"editCount"`   // that were made
	Failed  int         `json:"failedCount"` // that were refused or went wrong
	Added   int         `json:"added"`
	Removed int         `json:"removed"`
	FirstAt Stamp       `json:"firstAt,omitzero"`
	LastAt  Stamp       `json:"lastAt,omitzero"`
	Patches []FilePatch `json:"patches,omitempty"`
}

// FilePatch is one change of a file.
type FilePatch struct {
	UUID    string      `json:"messageId"` // of the line that holds the call
	AgentID string      `json:"agentId,omitempty"`
	Time    Stamp       `json:"timestamp,omitzero"`
	State   string      `json:"state"`
	Hunks   []view.Hunk `json:"hunks"`
}

// Files lists the files that a session and its agents changed by their tools,
// on all its branches, in the order they were first touched. What a shell
// command changed is not known.
func (a *App) Files(ctx context.Context, t Target) ([]ChangedFile, error) {
	refs := []sesskeep.Ref{t.Ref}
	if t.Ref.Agent == "" {
		family, err := familyOf(t)
		if err != nil {
			return nil, err
		}
		refs = append(refs, family.Agents...)
	}
	files := map[string]*ChangedFile{}
	for _, ref := range refs {
		if err := a.collectFiles(ctx, Target{Store: t.Store, Ref: ref}, files); err != nil {
			return nil, err
		}
	}
	return filesOf(files), nil
}

// filesOf lists files in the order they were first touched.
func filesOf(files map[string]*ChangedFile) []ChangedFile {
	list := []ChangedFile{}
	for _, f := range files {
		slices.SortStableFunc(f.Patches, func(a, b FilePatch) int { return a.Time.Compare(b.Time.Time) })
		list = append(list, *f)
	}
	slices.SortFunc(list, func(a, b ChangedFile) int {
		return cmp.Or(a.FirstAt.Compare(b.FirstAt.Time), cmp.Compare(a.Path, b.Path))
	})
	return list
}

func (a *App) collectFiles(ctx context.Context, t Target, files map[string]*ChangedFile) error {
	s, err := a.Read(ctx, t)
	if err != nil {
		return err
	}
	defer s.Close()
	all := func(int) bool { return true }
	return eachChange(ctx, s, all, func(part *view.Part, _ int) { addChange(files, *part, t.Ref.Agent) })
}

// eachChange gives every call that changed a file, or wanted to, of the turns
// that are wanted.
func eachChange(ctx context.Context, s *read.Session, wanted func(turn int) bool, give func(part *view.Part, turn int)) error {
	for turn := range s.Transcript.Turns {
		if !wanted(turn) {
			continue
		}
		parts, err := s.Parts(ctx, turn)
		if err != nil {
			return err
		}
		for i := range parts {
			if call := parts[i].Call; call != nil && call.File != "" && len(call.Diff) > 0 {
				give(&parts[i], turn)
			}
		}
	}
	return nil
}

func addChange(files map[string]*ChangedFile, part view.Part, agent sesskeep.AgentID) {
	c := part.Call
	f := files[c.File]
	if f == nil {
		f = &ChangedFile{Path: c.File, FirstAt: Stamp{Time: part.Time}}
		files[c.File] = f
	}
	if part.Time.Before(f.FirstAt.Time) {
		f.FirstAt = Stamp{Time: part.Time}
	}
	if part.Time.After(f.LastAt.Time) {
		f.LastAt = Stamp{Time: part.Time}
	}
	f.Patches = append(f.Patches, FilePatch{part.UUID, string(agent), Stamp{Time: part.Time}, string(c.State), c.Diff})
	if c.State != view.OK {
		f.Failed++
		return
	}
	f.Edits++
	f.Added += c.Added
	f.Removed += c.Removed
}
