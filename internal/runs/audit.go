package runs

import (
	"strings"

	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/shelf"
)

// Unnoted is something that a run was allowed to do without an entry in the journal.
type Unnoted struct {
	Run, Tool string
	File      string // the lifecycle log that shows it
}

// AuditAnswers compares what runs were allowed to do with the journal.
func AuditAnswers(journal *shelf.Journal, store holder.Store) (found []Unnoted, err error) {
	noted := map[string]bool{}
	for act, err := range journal.Acts() {
		if err != nil {
			return nil, err
		}
		if act.Verb == verbAllow {
			noted[strings.TrimSuffix(strings.TrimSuffix(act.What, scopeWords(launch.ThisRun)), scopeWords(launch.Always))] = true
		}
	}
	err = store.Answers(func(id string, e launch.Event) {
		if e.Behavior == launch.Allow && !noted[answerWords(e.Tool, id, e.Hash)] {
			found = append(found, Unnoted{Run: id, Tool: e.Tool, File: store.LifeFile(id)})
		}
	})
	return found, err
}
