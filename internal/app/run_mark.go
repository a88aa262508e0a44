package app

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep/internal/follow"
	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/live"
)

// RunsDir is the directory of runs in our data directory.
func RunsDir(data string) string { return filepath.Join(data, "runs") }

// runStore has the runs of this user, and is false where there is no place for any.
func (a *App) runStore() (holder.Store, bool) {
	return holder.Store{Dir: RunsDir(a.opts.Data), Now: a.opts.Now}, a.opts.Data != ""
}

// markRuns tells which of the sessions we run. One whose turn is over waits for
// its user, whom the client takes for a program.
func (a *App) markRuns(ctx context.Context, page follow.ProcessPage) {
	store, ok := a.runStore()
	if !ok || len(page.Sessions) == 0 {
		return
	}
	runs, err := store.Living(ctx)
	if err != nil {
		return // the list is as true without
	}
	for i := range page.Sessions {
		p := &page.Sessions[i]
		at := slices.IndexFunc(runs, func(r Run) bool {
			return !r.Foreign && r.SessionID == string(p.Session) && (r.Root == "" || r.Root == p.Root)
		})
		if at < 0 {
			continue
		}
		p.Run = runs[at].ID
		if runs[at].State == launch.YourTurn && p.State.Word == live.Idle {
			p.State.Word, p.State.Why = live.YourTurn, "run "+p.Run+" waits for a message"
		}
	}
	slices.SortStableFunc(page.Sessions, func(a, b follow.Process) int {
		return slices.Index(live.Words, a.State.Word) - slices.Index(live.Words, b.State.Word)
	})
}

// checkRuns finds what runs were allowed to do and the journal does not tell of.
func checkRuns(s *Shelf, runs holder.Store) (found []CheckFinding, err error) {
	noted := map[string]bool{}
	for act, err := range s.Acts() {
		if err != nil {
			return nil, err
		}
		if act.Verb == verbAllow {
			noted[strings.TrimSuffix(strings.TrimSuffix(act.What, scopeWords(launch.ThisRun)), scopeWords(launch.Always))] = true
		}
	}
	err = runs.Answers(func(id string, e launch.Event) {
		if e.Behavior == launch.Allow && !noted[answerWords(e.Tool, id, e.Hash)] {
			found = append(found, inStore(runs.LifeFile(id), "it was allowed to use "+e.Tool+", and the journal does not say by whom"))
		}
	})
	return found, err
}
