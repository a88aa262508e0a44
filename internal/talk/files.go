package talk

import (
	"cmp"
	"context"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/internal/catalog"
	"sesskeep/internal/reading"
	"sesskeep/internal/stamp"
	"sesskeep/internal/view"
)

// ChangedFile is a file that a session changed.
type ChangedFile struct {
	Path    string      `json:"path"`              // path of the file
	Edits   int         `json:"editCount"`         // number of edits that succeeded
	Failed  int         `json:"failedCount"`       // number of edits that failed or were denied
	Added   int         `json:"added"`             // lines added
	Removed int         `json:"removed"`           // lines removed
	FirstAt stamp.Time  `json:"firstAt,omitzero"`  // time of the first edit
	LastAt  stamp.Time  `json:"lastAt,omitzero"`   // time of the last edit
	Patches []FilePatch `json:"patches,omitempty"` // the edits one by one
}

// FilePatch is one change of a file.
type FilePatch struct {
	UUID    string      `json:"messageId"`          // uuid of the line with the call
	AgentID string      `json:"agentId,omitempty"`  // agent that made the edit
	Time    stamp.Time  `json:"timestamp,omitzero"` // when the edit was made
	State   string      `json:"state"`              // how the call ended
	Hunks   []view.Hunk `json:"hunks"`              // changed places of the file
}

// Files lists the files that a session and its agents changed with their tools, in
// all conversations, in the order they were first touched. Changes by shell commands
// are not known.
func (tk *Talk) Files(ctx context.Context, t catalog.Target) ([]ChangedFile, error) {
	targets := []catalog.Target{{Store: t.Store, Ref: t.Ref, Inline: t.Inline}}
	if t.Ref.Agent == "" && t.Inline == "" {
		family, err := catalog.FamilyOf(t)
		if err != nil {
			return nil, err
		}
		for _, ref := range family.Agents {
			targets = append(targets, catalog.Target{Store: t.Store, Ref: ref})
		}
	}
	files := map[string]*ChangedFile{}
	for _, target := range targets {
		if err := tk.collectFiles(ctx, target, files); err != nil {
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

func (tk *Talk) collectFiles(ctx context.Context, t catalog.Target, files map[string]*ChangedFile) error {
	s, err := tk.catalog.Read(ctx, t)
	if err != nil {
		return err
	}
	defer s.Close()
	return eachConversation(s, func(talk *reading.Session) error {
		return eachChange(ctx, talk, everyTurn, func(part *view.Part, _ int) { addChange(files, *part, talk.Agent()) })
	})
}

// eachConversation calls give with a session, and with the agents that clients of 1.0
// wrote into its file.
func eachConversation(s *reading.Session, give func(talk *reading.Session) error) error {
	if err := give(s); err != nil {
		return err
	}
	t := s.Transcript
	for _, lines := range t.Tree.Inline {
		agent, err := s.InlineAgent(t.Digest.Chain[lines[0]].UUID)
		if err != nil {
			return err
		}
		err = give(agent)
		agent.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

func everyTurn(int) bool { return true }

// eachChange calls give with every call of the wanted turns that changed a file, or
// tried to.
func eachChange(ctx context.Context, s *reading.Session, wanted func(turn int) bool, give func(part *view.Part, turn int)) error {
	for turn := range s.Transcript.Tree.Turns {
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
	f := touch(files, c.File, part.Time)
	f.Patches = append(f.Patches, FilePatch{part.UUID, string(agent), stamp.Time{Time: part.Time}, string(c.State), c.Diff})
	f.count(c)
}

// touch is the file of a path, which was changed at a time.
func touch(files map[string]*ChangedFile, path string, at time.Time) *ChangedFile {
	f := files[path]
	if f == nil {
		f = &ChangedFile{Path: path, FirstAt: stamp.Time{Time: at}}
		files[path] = f
	}
	if at.Before(f.FirstAt.Time) {
		f.FirstAt = stamp.Time{Time: at}
	}
	if at.After(f.LastAt.Time) {
		f.LastAt = stamp.Time{Time: at}
	}
	return f
}

// count counts a call that changed the file, or tried to.
func (f *ChangedFile) count(c *view.Call) {
	if c.State != view.OK {
		f.Failed++
		return
	}
	f.Edits++
	f.Added += c.Added
	f.Removed += c.Removed
}
