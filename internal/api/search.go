package api

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"sesskeep/internal/access"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/jobs"
	"sesskeep/internal/query"
	"sesskeep/internal/stamp"

	"github.com/danielgtaylor/huma/v2"
)

const aboutSearch = "search"

// aboutWhole says how a client gets all that a search can find.
const aboutWhole = "complete reports whether the search read everything: it stops when the page is full and the budget is spent. " +
	"exact=true reads everything before it responds, async=true does so as a job."

// searchRoutes are the operations that search.
type searchRoutes struct{ *Server }

func (s searchRoutes) register(api huma.API) {
	get(api, "/projects/{project}/sessions/search", routeInfo{
		id: "searchProject", sum: "Search for text in sessions", tag: aboutSearch, role: access.Read,
		more: aboutWhole,
	}, s.searchProject)
	get(api, "/search", routeInfo{
		id: "search", sum: "Search for text in all sessions", tag: aboutSearch, role: access.Read,
		more: aboutWhole,
	}, s.searchAll)
}

// Asked has the parameters of a search.
type Asked struct {
	Q     string `query:"q" doc:"Words, \"phrases\", -not, OR, /regular expressions/ and keys such as tool:Bash" example:"half line"`
	In    string `query:"in" doc:"Comma-separated kinds of text: prompts, answers, thinking, titles, input, output, notes"`
	Sort  string `query:"sort" enum:"relevance,recent" doc:"Best match first, or latest hit first. Default: relevance"`
	Exact bool   `query:"exact" doc:"Read everything, so that total is exact. Default: stop once the page is full and the budget is spent"`
	Hits  Number `query:"hits" doc:"Hits to show of each session, at most 2000. Default: 3" example:"3"`
}

// maxHits is the number of hits that a session can show.
const maxHits = 2000

type searchProjectInput struct {
	InProject
	Asked
	Choice
	Paging
	Async
}

func (s searchRoutes) searchProject(ctx context.Context, in *searchProjectInput) (*outcome[Found], error) {
	return s.search(ctx, in.Project, &searchInput{in.Asked, in.Choice, in.Paging, in.Async})
}

type searchInput struct {
	Asked
	Choice
	Paging
	Async
}

func (s searchRoutes) searchAll(ctx context.Context, in *searchInput) (*outcome[Found], error) {
	return s.search(ctx, everyProject, in)
}

// Found is a page of search results.
type Found struct {
	Query    string         `json:"query" doc:"Query as it was understood"`
	Results  []FoundSession `json:"results" doc:"Sessions with hits, in the requested order"`
	Total    int            `json:"total" doc:"Number of matching sessions; a lower bound if atLeast is true"`
	HitCount int            `json:"hitCount" doc:"Number of matching lines; copies of a line count once"`
	HasMore  bool           `json:"hasMore" doc:"True if there are more pages"`
	Next     string         `json:"next,omitempty" doc:"Cursor of the next page"`
	Complete bool           `json:"complete" doc:"True if the search read everything"`
	Behind   bool           `json:"behind,omitempty" doc:"True while the index has not read everything: there may be more"`
	Hints    []string       `json:"hints,omitempty" doc:"Parts of the query that may not mean what was intended"`
	ask.Covered
}

// FoundSession is a session with the best of its hits.
type FoundSession struct {
	SessionID   string          `json:"sessionId" doc:"Id of the session or agent"`
	ProjectPath string          `json:"projectPath" doc:"Working directory of the project"`
	Root        string          `json:"root" doc:"Directory of the home"`
	Score       float64         `json:"score" doc:"Relevance; higher is better"`
	Timestamp   stamp.Time      `json:"timestamp" doc:"Time of the latest hit"`
	Session     catalog.Session `json:"session" doc:"The session, as lists have it"`
	Snippets    []Snippet       `json:"snippets" doc:"Best hits of the session"`
	HitCount    int             `json:"hitCount" doc:"Number of matching lines of the session"`
}

// Snippet is the text around a match. MatchStart and MatchLength count characters as a
// reader sees them (grapheme clusters, as Swift does), Marks code points.
type Snippet struct {
	Type        string     `json:"type" doc:"Type of the line, as cli-bridge calls it"`
	Kind        string     `json:"kind" doc:"Kind of text: prompt, answer, thinking, title, input, output, note, …"`
	Text        string     `json:"text" doc:"Text around the match"`
	MatchStart  int        `json:"matchStart" doc:"Position of the first match in text, in characters as a reader sees them"`
	MatchLength int        `json:"matchLength" doc:"Length of the first match, in characters as a reader sees them"`
	Marks       [][2]int   `json:"marks" doc:"Start and length of every match, in code points"`
	MessageID   string     `json:"messageId,omitempty" doc:"Uuid of the line"`
	AgentID     string     `json:"agentId,omitempty" doc:"Agent that wrote the line"`
	Leaf        string     `json:"leaf,omitempty" doc:"Conversation of the line, if it is not the active one"`
	Line        int        `json:"line" doc:"Line number, from 1"`
	Timestamp   stamp.Time `json:"timestamp,omitzero" doc:"When the line was written"`
}

func (s searchRoutes) search(ctx context.Context, project string, in *searchInput) (*outcome[Found], error) {
	search, err := s.searchOf(ctx, project, in)
	if err != nil {
		return nil, err
	}
	return perform(ctx, s.Server, in.Async, "search", func(ctx context.Context, _ jobs.Progress) (Found, error) {
		page, err := s.opts.App.Catalog.Search(ctx, search)
		if err != nil {
			return Found{}, err
		}
		out := newFound(&page, &search.Query)
		return out, s.addFoundCosts(ctx, out.Results)
	})
}

// searchOf is the search that a request asks for. A job has no budget: it is there to find
// everything.
func (s searchRoutes) searchOf(ctx context.Context, project string, in *searchInput) (search ask.Search, err error) {
	if strings.TrimSpace(in.Q) == "" {
		return search, badSearch("MISSING_QUERY", "q", "there is nothing to search for")
	}
	slice, err := in.slice(searchLimit)
	if err != nil {
		return search, badPaging(err)
	}
	hits, err := number("hits", in.Hits, 0)
	if err != nil {
		return search, err
	}
	search = ask.Search{
		Hits: min(hits, maxHits), Recent: in.Sort == "recent", Limit: slice.Limit, Offset: slice.Offset, Cursor: slice.Cursor, Budget: catalog.SearchBudget,
	}
	if in.Exact || in.Async.Async {
		search.Budget = 0
	}
	choice := in.Choice
	choice.Source = cmp.Or(choice.Source, "all")
	if search.Filter, err = choice.filter(ctx, s.Server, project, Words{}); err != nil {
		return search, err
	}
	if search.In, err = catalog.TextKinds(in.In); err != nil {
		return search, invalid("in", "%v", err)
	}
	if search.Query, err = query.Parse(in.Q, s.opts.Now()); err != nil {
		return search, badQuery(err)
	}
	return search, nil
}

// addFoundCosts adds their cost to the sessions that were found.
func (s searchRoutes) addFoundCosts(ctx context.Context, list []FoundSession) error {
	rows := make([]catalog.Session, len(list))
	for i := range list {
		rows[i] = list[i].Session
	}
	err := s.addCosts(ctx, rows)
	for i := range list {
		list[i].Session = rows[i]
	}
	return err
}

// badSearch is an error of the client, under the name that cli-bridge has for it.
func badSearch(name, field, detail string) error {
	p := invalidField(field, detail)
	p.Name = name
	return p
}

func badPaging(err error) error {
	p := problemOf(err)
	p.Name = map[string]string{"limit": "INVALID_LIMIT", "offset": "INVALID_OFFSET"}[p.Field]
	return p
}

func badQuery(err error) error {
	var bad *query.Error
	if !errors.As(err, &bad) {
		return err
	}
	p := invalidField("q", bad.Error())
	p.Hint = cmp.Or(bad.Hint, p.Hint)
	return p
}

func newFound(page *catalog.SearchPage, asked *query.Q) Found {
	f := Found{
		Query: page.Query, Results: make([]FoundSession, len(page.Results)), Total: page.Total, HitCount: page.HitCount,
		HasMore: page.HasMore, Next: page.Next, Complete: page.Complete, Behind: page.Behind, Covered: page.Covered,
	}
	for _, h := range asked.Hints {
		f.Hints = append(f.Hints, h.Message)
	}
	for i := range page.Results {
		r := &page.Results[i]
		f.Results[i] = FoundSession{
			SessionID: r.SessionID, ProjectPath: r.ProjectPath, Root: r.Root, Score: r.Score, Timestamp: r.Timestamp,
			Session: r.Session, HitCount: r.HitCount, Snippets: make([]Snippet, len(r.Hits)),
		}
		for j := range r.Hits {
			f.Results[i].Snippets[j] = newSnippet(&r.Hits[j])
		}
	}
	return f
}

func newSnippet(h *ask.Hit) Snippet {
	n := Snippet{
		Type: snippetType(h.Kind), Kind: string(h.Kind), Text: h.Text, Marks: h.Marks, MessageID: h.UUID, AgentID: h.AgentID, Leaf: h.Leaf, Line: h.Line, Timestamp: h.Time,
	}
	n.MatchStart, n.MatchLength = h.FirstMatch()
	if n.Marks == nil {
		n.Marks = [][2]int{}
	}
	return n
}

// snippetType returns the type that cli-bridge has for the line of a text.
func snippetType(kind ask.TextKind) string {
	switch kind {
	case ask.TextPrompt:
		return "user"
	case ask.TextAnswer, ask.TextThinking:
		return "assistant"
	case ask.TextInput:
		return "tool_use"
	case ask.TextOutput:
		return "tool_result"
	}
	return "system"
}
