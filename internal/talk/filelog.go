package talk

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/index"
	"sesskeep/internal/reading"
	"sesskeep/internal/stamp"
	"sesskeep/internal/view"
)

// FileLog lists every change that sessions made to a file.
type FileLog struct {
	Path    string       `json:"path"`    // path that was asked for
	Changes []FileChange `json:"changes"` // changes, newest first
	Total   int          `json:"total"`   // number of changes found
	HasMore bool         `json:"hasMore"` // there are more changes
	ask.Covered
}

// FileChange is one change of a file, or an attempt at one.
type FileChange struct {
	Time      stamp.Time `json:"timestamp,omitzero"` // when the change was made
	Path      string     `json:"path"`               // path of the file
	Root      string     `json:"root"`               // directory of the home
	SessionID string     `json:"sessionId"`          // id of the session
	AgentID   string     `json:"agentId,omitempty"`  // agent that made the change
	UUID      string     `json:"messageId"`          // uuid of the line with the call
	Title     string     `json:"title"`              // title of the session, or of the agent
	Project   string     `json:"project"`            // short name of the project
	Tool      string     `json:"tool"`               // tool that made the change
	State     string     `json:"state"`              // how the call ended
	Added     int        `json:"added"`              // lines added
	Removed   int        `json:"removed"`            // lines removed
	Prompt    string     `json:"prompt,omitempty"`   // prompt that led to the change; for an agent its task

	Suffix string `json:"-"` // suffix of its address
}

// FileLogOptions choose the changes. A path that is not absolute is a suffix; without one the
// latest changes of all files are meant, fifty unless Limit says how many.
type FileLogOptions struct {
	Path         string
	Projects     []string // short names; nil: all
	Since, Until time.Time
	Limit        int // 0: all
}

// FileLog finds the changes that tools made to a file, in any project. Changes by
// shell commands are not known.
func (tk *Talk) FileLog(ctx context.Context, o FileLogOptions) (FileLog, error) {
	log := FileLog{Path: o.Path, Changes: []FileChange{}}
	if o.Path == "" && o.Limit == 0 {
		o.Limit = usualFeed
	}
	rows, calls, covered, err := tk.rowsTouching(ctx, o)
	if err != nil {
		return log, err
	}
	log.Covered = ask.NewCovered(covered)
	slices.SortStableFunc(rows, originalsFirst)
	seen := seenLines{}
	for i := range rows {
		found, err := tk.changesOf(ctx, &rows[i], calls[location{rows[i].Root, rows[i].Ref.File}], o)
		if err != nil {
			return log, err
		}
		for _, c := range found {
			if seen.first(c.Root, c.UUID) {
				log.Changes = append(log.Changes, c)
			}
		}
	}
	slices.SortStableFunc(log.Changes, func(a, b FileChange) int {
		return cmp.Or(b.Time.Compare(a.Time.Time), strings.Compare(a.SessionID, b.SessionID))
	})
	log.Total = len(log.Changes)
	if o.Limit > 0 && o.Limit < log.Total {
		log.Changes, log.HasMore = log.Changes[:o.Limit], true
	}
	return log, nil
}

// usualFeed is how many of the latest changes a feed has.
const usualFeed = 50

// latest keeps the calls made last, n of them and some more: those that changed nothing are left
// out later.
func latest(found []index.FileCalls, n int) []index.FileCalls {
	var times []int64
	for _, f := range found {
		for i := range f.Calls {
			times = append(times, f.Calls[i].Time)
		}
	}
	if n = 2*n + 20; n >= len(times) {
		return found
	}
	slices.Sort(times)
	from := times[len(times)-n]
	for i := range found {
		found[i].Calls = slices.DeleteFunc(found[i].Calls, func(c index.Call) bool { return c.Time < from })
	}
	return slices.DeleteFunc(found, func(f index.FileCalls) bool { return len(f.Calls) == 0 })
}

// originalsFirst sorts sessions before agents, and forks last: forks repeat lines, and so do
// agents that compact a session. Those of the original count.
func originalsFirst(a, b catalog.Session) int {
	rank := func(r *catalog.Session) int { return 2*min(len(r.Ref.Agent), 1) + min(len(r.ForkedFrom), 1) }
	return cmp.Compare(rank(&a), rank(&b))
}

// rowsTouching finds the calls that changed the file, and the rows of their transcripts.
func (tk *Talk) rowsTouching(ctx context.Context, o FileLogOptions) ([]catalog.Session, map[location][]index.Call, ask.Coverage, error) {
	var found []index.FileCalls
	covered, err := tk.index.AskCovered(ctx, false, func(x *index.Index) (err error) {
		found, err = x.Changes(ctx, o.Since, o.Until, func(path string) bool { return isPathOf(path, o.Path) })
		return err
	})
	if err != nil {
		return nil, nil, covered, err
	}
	if o.Path == "" && o.Projects == nil {
		found = latest(found, o.Limit)
	}
	ids, calls := []string{}, map[location][]index.Call{}
	for _, f := range found {
		ids = append(ids, f.Row)
		calls[location{f.Root, f.File}] = f.Calls
	}
	all, err := tk.catalog.List(ctx, ask.Filter{Source: "all", Projects: o.Projects, Archived: ask.ArchivedToo, Sessions: ids, Uncounted: true})
	rows := slices.DeleteFunc(all.Sessions, func(r catalog.Session) bool { return calls[location{r.Root, r.Ref.File}] == nil })
	return rows, calls, covered.Join(all.Coverage), err
}

// changesOf are the changes that a transcript has by these calls.
func (tk *Talk) changesOf(ctx context.Context, r *catalog.Session, calls []index.Call, o FileLogOptions) ([]FileChange, error) {
	list, err := tk.changesByCalls(r, calls)
	if err != nil || tk.distrusts {
		return tk.changesByReading(ctx, r, o)
	}
	return list, nil
}

// changesByCalls reads the lines of the calls.
func (tk *Talk) changesByCalls(r *catalog.Session, calls []index.Call) (list []FileChange, err error) {
	lines, err := reading.OpenLines(tk.homes.At(r.Root).Store, r.Ref)
	if err != nil {
		return nil, err
	}
	defer lines.Close()
	for i := range calls {
		c := &calls[i]
		if !regular(c) {
			return nil, errUnsure
		}
		part, err := readCall(lines, c)
		if err != nil {
			return nil, err
		}
		prompt, err := promptOf(lines, c)
		if err != nil {
			return nil, err
		}
		if len(part.Call.Diff) > 0 {
			list = append(list, newFileChange(r, &part, string(r.Ref.Agent), prompt))
		}
	}
	return list, nil
}

// changesByReading reads the whole transcript.
func (tk *Talk) changesByReading(ctx context.Context, r *catalog.Session, o FileLogOptions) (list []FileChange, err error) {
	s, err := tk.catalog.Read(ctx, catalog.Target{Store: tk.homes.At(r.Root).Store, Ref: r.Ref})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	err = eachConversation(s, func(talk *reading.Session) error {
		return eachChange(ctx, talk, everyTurn, func(part *view.Part, turn int) {
			if !isPathOf(part.Call.File, o.Path) || part.Time.Before(o.Since) || !o.Until.IsZero() && !part.Time.Before(o.Until) {
				return
			}
			list = append(list, newFileChange(r, part, string(talk.Agent()), promptAbove(talk.Transcript, turn)))
		})
	})
	return list, err
}

func newFileChange(r *catalog.Session, part *view.Part, agent, prompt string) FileChange {
	return FileChange{
		Time: stamp.Time{Time: part.Time}, Path: part.Call.File, Root: r.Root, SessionID: cmp.Or(r.ParentSessionID, r.ID), AgentID: agent,
		UUID: part.UUID, Title: catalog.NameOf(r), Project: r.Project, Tool: part.Call.Tool, State: string(part.Call.State),
		Added: part.Call.Added, Removed: part.Call.Removed, Prompt: prompt, Suffix: r.Suffix(),
	}
}

// isPathOf reports whether a tool's path is the requested one.
func isPathOf(path, asked string) bool {
	if asked == "" {
		return true
	}
	path, asked = filepath.ToSlash(filepath.Clean(path)), filepath.ToSlash(filepath.Clean(asked))
	return path == asked || !strings.HasPrefix(asked, "/") && strings.HasSuffix(path, "/"+asked)
}

// promptAbove returns the prompt that a turn answers.
func promptAbove(t *sesskeep.Transcript, turn int) string {
	for ; turn >= 0; turn = t.Tree.Turns[turn].Parent {
		if at := &t.Tree.Turns[turn]; at.Prompt && at.Head >= 0 {
			return sesskeep.OneLine(t.Digest.Chain[at.Head].Text)
		}
	}
	return ""
}
