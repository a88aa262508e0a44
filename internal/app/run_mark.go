package app

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep"
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

// markRuns tells which of the sessions we run.
func (a *App) markRuns(ctx context.Context, page follow.ProcessPage) {
	store, ok := a.runStore()
	if !ok || len(page.Sessions) == 0 {
		return
	}
	runs, err := store.Living(ctx)
	a.unreadRuns.Store(&err) // the list is there all the same
	for i := range page.Sessions {
		p := &page.Sessions[i]
		at := slices.IndexFunc(runs, func(r Run) bool { return !r.Foreign && r.SessionID == string(p.Session) && runIn(&r, p.Root) })
		if at < 0 {
			continue
		}
		p.Run = runs[at].ID
		if waitsForUser(&runs[at], p.State.Word) {
			p.State.Word, p.State.Why = live.YourTurn, waitsWords(&runs[at])
		}
	}
	slices.SortStableFunc(page.Sessions, func(a, b follow.Process) int {
		return slices.Index(live.Words, a.State.Word) - slices.Index(live.Words, b.State.Word)
	})
}

// heldRuns are the sessions that we run, each with the name of its run. Nothing else
// tells of them where their clients do not register.
func (a *App) heldRuns(ctx context.Context) (map[sesskeep.SessionID]Run, error) {
	store, ok := a.runStore()
	if !ok {
		return nil, nil
	}
	runs, err := store.Living(ctx)
	held := map[sesskeep.SessionID]Run{}
	for _, r := range runs {
		if !r.Foreign {
			held[lower(r.SessionID)] = r
		}
	}
	return held, err
}

// heldRun is the run that has a session of a home, and is false where none has.
func (a *App) heldRun(ctx context.Context, root string, id sesskeep.SessionID) (Run, bool, error) {
	held, err := a.heldRuns(ctx)
	r, ok := held[lower(string(id))]
	return r, ok && runIn(&r, root), err
}

// runIn reports whether the session of a run lies in a home.
func runIn(r *Run, root string) bool { return r.Root == "" || r.Root == root }

// waitsForUser reports whether a session that seems to be left to a program waits for
// its user: the program is ours.
func waitsForUser(r *Run, seems live.Word) bool {
	return r.State == launch.YourTurn && seems == live.Idle
}

func waitsWords(r *Run) string { return "run " + r.ID + " waits for a message" }

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
			found = append(found, inStore(runs.LifeFile(id), "run "+id+" was allowed to use "+e.Tool+", and the journal does not say by whom"))
		}
	})
	return found, err
}
