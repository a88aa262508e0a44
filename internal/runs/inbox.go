package runs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/errcode"
	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/shelf"
)

// InboxItem is a prompt that waits for an answer.
type InboxItem struct {
	launch.Prompt
	RunID     string `json:"runId"`          // id of the run
	SessionID string `json:"sessionId"`      // id of the session
	Dir       string `json:"dir"`            // working directory of the run
	Root      string `json:"root,omitempty"` // directory of the session's home
	Title     string `json:"title,omitempty" doc:"Title of the run"`
	Foreign   bool   `json:"foreign,omitempty" doc:"True if sesskeep did not start the client that asks"`
}

// InboxPage lists all open prompts, oldest first.
type InboxPage struct {
	Prompts []InboxItem `json:"prompts"`
	Total   int         `json:"total"`
}

// Inbox returns the open prompts of all runs.
func (r *Runs) Inbox(ctx context.Context) (InboxPage, error) {
	runs, err := r.List(ctx, Filter{Living: true, Foreign: true})
	if err != nil {
		return InboxPage{}, err
	}
	page := InboxPage{Prompts: []InboxItem{}}
	for i := range runs.Runs {
		page.Prompts = append(page.Prompts, InboxOf(&runs.Runs[i])...)
	}
	sortInbox(page.Prompts)
	page.Total = len(page.Prompts)
	return page, nil
}

// InboxOf returns the open prompts of one run.
func InboxOf(run *holder.Record) []InboxItem {
	var list []InboxItem
	title := run.Purpose
	if title == "" {
		title = run.Title
	}
	for _, p := range run.Prompts {
		list = append(list, InboxItem{Prompt: p, RunID: run.ID, SessionID: run.SessionID, Dir: run.Dir, Root: run.Root, Title: title, Foreign: run.Foreign})
	}
	return list
}

func sortInbox(list []InboxItem) {
	slices.SortStableFunc(list, func(a, b InboxItem) int { return a.Since.Compare(b.Since.Time) })
}

// minPrompt is the minimum length of a prefix that names a prompt.
const minPrompt = 4

// FindPrompt finds an open prompt by its id, or a prefix of at least 4 characters.
func (r *Runs) FindPrompt(ctx context.Context, id string) (InboxItem, error) {
	page, err := r.Inbox(ctx)
	if err != nil {
		return InboxItem{}, err
	}
	var found []InboxItem
	for _, item := range page.Prompts {
		if strings.EqualFold(item.ID, id) || len(id) >= minPrompt && strings.HasPrefix(strings.ToLower(item.ID), strings.ToLower(id)) {
			found = append(found, item)
		}
	}
	switch len(found) {
	case 0:
		return InboxItem{}, fmt.Errorf("prompt %q: %w", id, launch.ErrNoPrompt)
	case 1:
		return found[0], nil
	}
	return InboxItem{}, fmt.Errorf("prompt %q: %w: %d begin so", id, sesskeep.ErrAmbiguous, len(found))
}

// AnswerPrompt answers an open prompt. An answer that allows must name the hash of the
// input that the user saw. One that is about another input, or ill-formed, is refused
// with the reason, and the prompt stays open. A second answer is [errcode.Conflict].
func (r *Runs) AnswerPrompt(ctx context.Context, a launch.Answer, by shelf.Actor) (holder.Record, error) {
	a.By = actorText(by)
	item, err := r.FindPrompt(ctx, a.Prompt)
	switch {
	case err == nil && a.Behavior != launch.Deny:
		a.Prompt = item.ID
		if err := a.Check(&item.Prompt); err != nil { // the journal has only what counted
			return holder.Record{}, err
		}
		if err := r.noteAnswer(ctx, verbAllow, &item, &a, by); err != nil {
			return holder.Record{}, err
		}
		return r.ask(ctx, item.RunID, holder.Request{Do: holder.DoAnswer, Answer: &a})
	case err == nil:
		a.Prompt = item.ID
		return r.deny(ctx, &item, &a, by)
	case errcode.OfRun(err) != errcode.NotFound || !sesskeep.IsUUID(a.Prompt):
		return holder.Record{}, err
	}
	return r.answeredEarlier(ctx, a, err)
}

// The verbs of answers in the journal.
const (
	verbAllow = "inbox allow"
	verbDeny  = "inbox deny"
)

// deny denies first and writes to the journal afterwards: a denial must not wait for
// the journal.
func (r *Runs) deny(ctx context.Context, item *InboxItem, a *launch.Answer, by shelf.Actor) (holder.Record, error) {
	run, err := r.ask(ctx, item.RunID, holder.Request{Do: holder.DoAnswer, Answer: a})
	if err != nil {
		return run, err
	}
	if err := r.noteAnswer(ctx, verbDeny, item, a, by); err != nil {
		return run, fmt.Errorf("denied, but the journal could not be written: %w", err)
	}
	return run, nil
}

// noteAnswer writes a decision to the journal. If that fails, the tool is not
// allowed.
func (r *Runs) noteAnswer(ctx context.Context, verb string, item *InboxItem, a *launch.Answer, by shelf.Actor) error {
	what := answerWords(item.Tool, item.RunID, a.Hash) + scopeWords(a.Scope)
	return r.note(ctx, shelf.Plan{Verb: verb, What: what, Home: item.Root, Session: item.SessionID, Actor: by})
}

// answerWords names the tool, the run and the input of an answer.
func answerWords(tool, run, hash string) string {
	return fmt.Sprintf("%s in %s, input %.12s", tool, run, hash)
}

// scopeWords names the scope of an answer, if it is more than once.
func scopeWords(s launch.Scope) string {
	if s == "" || s == launch.Once {
		return ""
	}
	return ", " + string(s)
}

// answeredEarlier asks every run whether it had the prompt: that run returns who
// answered.
func (r *Runs) answeredEarlier(ctx context.Context, a launch.Answer, err error) (holder.Record, error) {
	runs, e := r.List(ctx, Filter{Living: true, Foreign: true})
	if e != nil {
		return holder.Record{}, e
	}
	for _, run := range runs.Runs {
		known, e := r.ask(ctx, run.ID, holder.Request{Do: holder.DoAnswer, Answer: &a})
		if errcode.OfRun(e) != errcode.NotFound {
			return known, e
		}
	}
	return holder.Record{}, err
}
