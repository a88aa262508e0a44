package insight

import (
	"context"
	"regexp"
	"sync"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
)

// Outcomes are how sessions ended. A session can have several.
type Outcomes struct {
	Committed Figure `json:"committed"`    // sessions in which git commit succeeded
	Requested Figure `json:"pullRequests"` // sessions in which gh pr create succeeded
	Green     Figure `json:"testsPassed"`  // sessions whose last test command succeeded
	Red       Figure `json:"testsFailed"`  // sessions whose last test command failed
	Abandoned Figure `json:"abandoned"`    // sessions that end with a prompt, a call or a result that was not answered, or with an interruption
}

// ending is what the commands of a session came to: the last of each kind.
type ending struct {
	commit, request, test *madeCall
	interrupted           time.Time // when its last turn was interrupted; zero: it was not
}

// What commands do. A word in a text that a command prints counts as well.
var (
	commits  = expression(`(?:^|[;&|(\n]\s*|\s)git(?:\s+-\S+(?:\s+[^-\s]\S*)?)*\s+commit(?:\s|$)`)
	requests = expression(`(?:^|[;&|(\n]\s*)gh\s+pr\s+create(?:\s|$)`)
	tests    = expression(`(?:^|[;&|(\n]\s*)(?:\S+=\S+\s+)*(?:go\s+test|cargo\s+(?:test|nextest)|(?:npx\s+)?(?:jest|vitest|mocha|playwright\s+test)|(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?test\S*|` +
		`(?:python3?\s+-m\s+)?(?:pytest|unittest|tox)|make\s+(?:test|check)\S*|(?:\./)?(?:gradlew|gradle|mvn)\s+\S*test\S*|dotnet\s+test|bundle\s+exec\s+rspec|rspec|phpunit|mix\s+test|swift\s+test|deno\s+test)(?:\s|$)`)
)

// expression is compiled when it is first used: most commands use none.
func expression(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// outcomes counts how sessions ended. What an agent did is its session's.
func (s *survey) outcomes(_ context.Context, in *Insights) error {
	sessions := map[string]*catalog.Session{}
	for i := range s.rows {
		if r := &s.rows[i]; !r.IsAgent {
			sessions[r.Root+r.ID] = r
		}
	}
	if s.ended == nil {
		s.ended = map[*catalog.Session]ending{}
	}
	for _, c := range s.calls {
		r := c.in
		if r.ParentSessionID != "" {
			r = sessions[r.Root+r.ParentSessionID]
		}
		if r == nil || c.command == "" {
			continue
		}
		e := s.ended[r]
		e.note(c)
		s.ended[r] = e
	}
	o := &in.Outcomes
	for i := range s.rows {
		r := &s.rows[i]
		if r.IsAgent || r.Source != ask.FromUser {
			continue
		}
		e := s.ended[r]
		for _, one := range []struct {
			figure *Figure
			call   *madeCall
			is     bool
		}{{&o.Committed, e.commit, true}, {&o.Requested, e.request, true}, {&o.Green, e.test, e.test != nil && !e.test.Failed}, {&o.Red, e.test, e.test != nil && e.test.Failed}} {
			if one.call != nil && one.is {
				one.figure.Count++
				one.figure.Items = append(one.figure.Items, evidence(one.call.in, one.call.when(), sesskeep.OneLine(one.call.summary)))
			}
		}
		if at, why := s.abandoned(r, e); why != "" {
			o.Abandoned.Count++
			o.Abandoned.Items = append(o.Abandoned.Items, evidence(r, at, why))
		}
	}
	for _, f := range []*Figure{&o.Committed, &o.Requested, &o.Green, &o.Red, &o.Abandoned} {
		f.Items, f.Cost = s.keep(f.Items), dollars(0)
	}
	return nil
}

func (e *ending) note(c *madeCall) {
	later := func(was *madeCall) bool { return was == nil || c.Time >= was.Time }
	if !c.Failed && c.Answered && commits().MatchString(c.command) && later(e.commit) {
		e.commit = c
	}
	if !c.Failed && c.Answered && requests().MatchString(c.command) && later(e.request) {
		e.request = c
	}
	if c.Answered && tests().MatchString(c.command) && later(e.test) {
		e.test = c
	}
}

// abandoned says why a session that no client has open was left in the middle; empty: it was
// not.
func (s *survey) abandoned(r *catalog.Session, e ending) (time.Time, string) {
	at := r.LastActivityAt.Time
	if !s.within(at) {
		return at, ""
	}
	switch {
	case !e.interrupted.IsZero():
		return e.interrupted, "interrupted"
	case r.Standing.Turn == sesskeep.MoveCall:
		return at, "a call has no result"
	case r.Standing.Turn == sesskeep.MoveModel:
		return at, "there is no answer"
	}
	return at, ""
}
