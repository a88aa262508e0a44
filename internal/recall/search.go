package recall

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cursor"
)

// SearchQuestion is a search of the texts of transcripts.
type SearchQuestion struct {
	Query string `json:"query" jsonschema:"Words that stand on one line, each anywhere in it; also \"a phrase\", -not, OR, /regexp/ and keys: after:2026-11-01 before:7d file:main.go tool:Bash role:user session:ID"`
	In    string `json:"in,omitempty" jsonschema:"Only in these parts, with commas between: prompts, answers, thinking, titles, notes, input, output"`
	Newer bool   `json:"newest_first,omitempty" jsonschema:"The newest first, not the best"`
	Paging
}

// searchPage is how many sessions a search reads at a time.
const searchPage = 10

// Search finds text in transcripts.
func (r *Recall) Search(ctx context.Context, who Caller, q SearchQuestion) (Answer, error) {
	in, err := catalog.TextKinds(q.In)
	if err != nil {
		return Answer{}, err
	}
	at, err := q.position("search", q.Query, q.In, q.Newer)
	if err != nil {
		return Answer{}, err
	}
	a, s, err := r.prepare(ctx, who, "search_history", &q.Paging)
	if err != nil || s.empty() {
		return r.nothing(a), err
	}
	found, err := r.searchIn(ctx, a, &s, q.Query, at, ask.Search{In: in, Recent: q.Newer, Limit: searchPage, Hits: 3})
	if err != nil {
		return Answer{}, err
	}
	a.hint = "Ask on: read_session with an address shows what stands around it."
	next := a.list(found.at, len(found.page.Results), found.page.Next, func(i int) []string { return a.result(&found.page.Results[i]) })
	return a.finish(next), nil
}

// foundPage is a page of a search and where it begins.
type foundPage struct {
	page catalog.SearchPage
	at   cursor.Cursor
}

// anyWord is the key of a cursor that continues a search for any of the words.
const anyWord = "any"

// searchIn searches a scope. If no line has all of several plain words, it searches for any of
// them, so that a question in a sentence finds something.
func (r *Recall) searchIn(ctx context.Context, a *answer, s *scope, text string, at cursor.Cursor, o ask.Search) (found foundPage, err error) {
	if at.Key == anyWord {
		text = either(text)
	}
	if found, err = r.searchOnce(ctx, s, text, at, o); err != nil {
		return found, err
	}
	if other := either(text); found.page.HitCount == 0 && at.Key == "" && other != "" {
		at.Key = anyWord
		if found, err = r.searchOnce(ctx, s, other, at, o); err != nil {
			return found, err
		}
	}
	if found.at.Key == anyWord {
		a.say("no line has all of these words; these have some of them")
	}
	least := ""
	if found.page.AtLeast {
		least = "at least "
	}
	a.say("%s%s in %s %s", least, plural(found.page.HitCount, "hit"), plural(found.page.Total, "session"), s.words())
	a.cover(found.page.Coverage)
	return found, nil
}

func (r *Recall) searchOnce(ctx context.Context, s *scope, text string, at cursor.Cursor, o ask.Search) (found foundPage, err error) {
	if o.Query, err = r.parse(text); err != nil {
		return found, err
	}
	rules, err := r.Talk.Rules()
	if err != nil {
		return found, err
	}
	o.Hide = func(text string) string { return rules.Document().Text(text) }
	o.Filter = ask.Filter{Projects: s.ids(), Now: r.Now()}
	o.Cursor, o.Budget = at.Text, catalog.SearchBudget
	found.at = at
	found.page, err = r.Catalog.Search(ctx, o)
	return found, err
}

// plainWords matches a query that is nothing but words.
var plainWords = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\pL\pN_.]+(\s+[\pL\pN_.]+)+$`) })

// either returns a query for any of the words of a text, or "" if the text is not only words.
func either(text string) string {
	text = strings.Trim(strings.TrimSpace(text), "?!.,")
	if !plainWords().MatchString(text) {
		return ""
	}
	var words []string
	for _, w := range strings.Fields(text) {
		if len(w) > 3 && w != "OR" {
			words = append(words, w)
		}
	}
	return strings.Join(words, " OR ")
}

// result is a session with its hits.
func (a *answer) result(f *catalog.SearchResult) []string {
	when := f.Timestamp
	if when.IsZero() {
		when = f.Session.LastActivityAt
	}
	lines := []string{a.headline(&f.Session, a.date(when))}
	for _, h := range f.Hits {
		where := address(f.SessionID, h.AgentID, h.UUID, f.Session.Suffix())
		lines = append(lines, fmt.Sprintf("  %s %s: %s", h.Kind, where, cut(a.line(h.Text), 400)))
	}
	if more := f.HitCount - len(f.Hits); more > 0 {
		lines = append(lines, fmt.Sprintf("  %d more here: add session:%s to the query", more, short(f.SessionID)))
	}
	return lines
}

// headline names a session by its date, address, project and title.
func (a *answer) headline(s *catalog.Session, when string) string {
	return fmt.Sprintf("%s %s [%s] %s", when, address(s.ID, "", "", s.Suffix()), a.line(s.Project), cut(a.label(catalog.NameOf(s)), 160))
}

// prepare starts an answer and finds the scope of its caller.
func (r *Recall) prepare(ctx context.Context, who Caller, tool string, p *Paging) (*answer, scope, error) {
	a, err := r.start(tool, p.size())
	if err != nil {
		return a, scope{}, err
	}
	s, err := r.scope(ctx, who)
	return a, s, err
}

// nothing is the answer for a caller whose scope is empty, or was not read yet.
func (r *Recall) nothing(a *answer) Answer {
	if a == nil {
		return Answer{}
	}
	a.said = nil
	a.cover(r.Catalog.Coverage())
	a.say("no session is known of the project that may be asked about. It is that of the working directory unless the set-up says --all-projects")
	return a.finish("")
}
