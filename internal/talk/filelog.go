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
	"sesskeep/internal/query"
	"sesskeep/internal/reading"
	"sesskeep/internal/stamp"
	"sesskeep/internal/view"
)

// FileLog lists every change that sessions made to a file.
type FileLog struct {
	Path    string       `json:"path"`
	Changes []FileChange `json:"changes"` // newest first
	Total   int          `json:"total"`
	HasMore bool         `json:"hasMore"`
}

// FileChange is one change of a file, or an attempt at one.
type FileChange struct {
	Time      stamp.Time `json:"timestamp,omitzero"`
	Path      string     `json:"path"`
	Root      string     `json:"root"`
	SessionID string     `json:"sessionId"`
	AgentID   string     `json:"agentId,omitempty"` // the agent that made it
	UUID      string     `json:"messageId"`         // of the line with the call
	Title     string     `json:"title"`             // of the session, or the agent
	Project   string     `json:"project"`
	Tool      string     `json:"tool"`
	State     string     `json:"state"`
	Added     int        `json:"added"`
	Removed   int        `json:"removed"`
	Prompt    string     `json:"prompt,omitempty"` // the prompt that led to it; for an agent its task

	Suffix string `json:"-"` // suffix of its address
}

// FileLogOptions choose the changes. A path that is not absolute is a suffix.
type FileLogOptions struct {
	Path         string
	Project      string
	Since, Until time.Time
	Limit        int // 0: all
}

// FileLog finds the changes that tools made to a file, in any project. Changes by
// shell commands are not known.
func (tk *Talk) FileLog(ctx context.Context, o FileLogOptions) (FileLog, error) {
	log := FileLog{Path: o.Path, Changes: []FileChange{}}
	rows, err := tk.rowsTouching(ctx, o)
	if err != nil {
		return log, err
	}
	slices.SortStableFunc(rows, originalsFirst)
	seen := map[seenLine]bool{}
	for i := range rows {
		found, err := tk.changesOf(ctx, &rows[i], o)
		if err != nil {
			return log, err
		}
		for _, c := range found {
			if line := (seenLine{c.Root, c.UUID}); !seen[line] {
				seen[line] = true
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

// originalsFirst sorts forks last: they repeat lines, and those of the original
// count.
func originalsFirst(a, b catalog.Session) int {
	return cmp.Compare(min(len(a.ForkedFrom), 1), min(len(b.ForkedFrom), 1))
}

// rowsTouching returns the transcripts with tool calls that name a file of that name.
func (tk *Talk) rowsTouching(ctx context.Context, o FileLogOptions) ([]catalog.Session, error) {
	name := filepath.Base(o.Path)
	q := query.Q{
		Text: []query.Clause{{Any: []query.Atom{{Kind: query.Phrase, Text: name}}}}, // an indexed phrase
		Filters: []query.Filter{
			{Key: query.File, Values: []string{name}},
			{Key: query.Did, Values: []string{"edit", "write"}},
		},
	}
	page, err := tk.catalog.Search(ctx, ask.Search{Query: q, Filter: ask.Filter{Source: "all", Project: o.Project, Archived: ask.ArchivedToo}, Bare: true, Hits: 1 << 30})
	if err != nil {
		return nil, err
	}
	files := map[[2]string]bool{}
	for _, r := range page.Results {
		for _, h := range r.Hits {
			files[[2]string{r.Session.Root, h.File}] = true
		}
	}
	c, err := tk.catalog.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	all, err := c.List(ctx, ask.Filter{Source: "all", Archived: ask.ArchivedToo})
	return slices.DeleteFunc(all.Sessions, func(r catalog.Session) bool { return !files[[2]string{r.Root, r.Ref.File}] }), err
}

func (tk *Talk) changesOf(ctx context.Context, r *catalog.Session, o FileLogOptions) (list []FileChange, err error) {
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
			list = append(list, FileChange{
				Time: stamp.Time{Time: part.Time}, Path: part.Call.File, Root: r.Root, SessionID: cmp.Or(r.ParentSessionID, r.ID), AgentID: string(talk.Agent()),
				UUID: part.UUID, Title: catalog.NameOf(r), Project: r.Project, Tool: part.Call.Tool, State: string(part.Call.State),
				Added: part.Call.Added, Removed: part.Call.Removed, Prompt: promptAbove(talk.Transcript, turn), Suffix: r.Suffix(),
			})
		})
	})
	return list, err
}

// isPathOf reports whether a tool's path is the requested one.
func isPathOf(path, asked string) bool {
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
