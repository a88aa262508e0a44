package catalog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/query"
)

// remembered keeps answers until the index changes. Equal questions that are asked at the same time
// are answered once. An answer is shared: who gets it changes nothing in it.
type remembered[T any] struct {
	mu      sync.Mutex
	commit  int64 // of the index that the answers are from
	answers map[string]*rememberedAnswer[T]
}

// maxRemembered bounds the answers of one kind.
const maxRemembered = 16

type rememberedAnswer[T any] struct {
	done  chan struct{} // closed when there is an answer
	value T
	err   error
}

// of returns the answer to the question with a name, from the index as it is. Where the one who is
// answering it gives up, or fails, each of the others asks for itself.
func (r *remembered[T]) of(ctx context.Context, x *index.Index, name string, find func() (T, error)) (T, error) {
	commit, err := x.Commit(ctx)
	if err != nil {
		return *new(T), err
	}
	a, mine := r.enter(commit, name)
	if mine {
		defer close(a.done)
		defer r.forgetFailed(name, a)
		a.value, a.err = find()
		return a.value, a.err
	}
	select {
	case <-a.done:
	case <-ctx.Done():
		return *new(T), ctx.Err()
	}
	if a.err != nil {
		return find()
	}
	return a.value, nil
}

// enter returns the answer with a name, or a place for it, which the caller has to fill. What was found while the
// index changed is at most newer than the commit it is kept for.
func (r *remembered[T]) enter(commit int64, name string) (_ *rememberedAnswer[T], mine bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.commit != commit || r.answers == nil || len(r.answers) >= maxRemembered && r.answers[name] == nil {
		r.commit, r.answers = commit, map[string]*rememberedAnswer[T]{}
	}
	if a := r.answers[name]; a != nil {
		return a, false
	}
	a := &rememberedAnswer[T]{done: make(chan struct{}), err: errUnanswered}
	r.answers[name] = a
	return a, true
}

// errUnanswered is the error of an answer that no goroutine has found yet.
var errUnanswered = errors.New("it was not answered")

func (r *remembered[T]) forgetFailed(name string, a *rememberedAnswer[T]) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if a.err != nil && r.answers[name] == a {
		delete(r.answers, name)
	}
}

// nameOf names a question to the index by all that its answer depends on besides the index; false: it
// depends on what happens now.
func nameOf(f ask.Filter, zone *time.Location, more ...any) (string, bool) {
	if len(f.States) > 0 || f.Live != nil || f.Among != nil {
		return "", false
	}
	words := f.Query.String()
	roots := make([]string, len(f.Homes))
	for i, h := range f.Homes {
		roots[i] = h.Store.Root()
	}
	since, until := f.Since.UnixNano(), f.Until.UnixNano()
	f.Homes, f.Query, f.Since, f.Until = nil, query.Q{}, time.Time{}, time.Time{}
	return fmt.Sprintf("%q %q %d %d %+v %s %v", roots, words, since, until, f, zone, slices.Clip(more)), true
}
