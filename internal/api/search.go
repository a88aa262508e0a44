package api

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"sesskeep"
	"sesskeep/internal/access"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/query"
	"sesskeep/internal/stamp"

	"github.com/danielgtaylor/huma/v2"
)

const aboutSearch = "search"

// searchRoutes are the operations that search.
type searchRoutes struct{ *Server }

func (s searchRoutes) register(api huma.API) {
	get(api, "/projects/{project}/sessions/search", what{
		id: "searchProject", sum: "Search for text in the sessions of a project", tag: aboutSearch, role: access.Read,
	}, s.searchProject)
	get(api, "/search", what{
		id: "search", sum: "Search for text in all sessions", tag: aboutSearch, role: access.Read,
		more: "complete says whether everything was looked at: a page that is full ends a search that has read enough.",
	}, s.searchAll)
}

// Asked are the parameters of a search.
type Asked struct {
	Q    string `query:"q" doc:"Words, \"phrases\", -not, OR, /regular expressions/ and keys such as tool:Bash" example:"half line"`
	In   string `query:"in" doc:"Only in prompts, answers, thinking, titles, input, output, notes; several with commas between"`
	Sort string `query:"sort" enum:"relevance,recent" doc:"The best first, or the session with the latest hit; without it relevance"`
	Hits Number `query:"hits" doc:"Shown of each session: 3 without it, at most 2000" example:"3"`
}

// mostHits are shown of one session.
const mostHits = 2000

type searchProjectInput struct {
	InProject
	Asked
	Choice
	Paging
}

func (s searchRoutes) searchProject(ctx context.Context, in *searchProjectInput) (*body[Found], error) {
	return s.search(ctx, in.Project, &in.Asked, &in.Choice, &in.Paging)
}

type searchInput struct {
	Asked
	Choice
	Paging
}

func (s searchRoutes) searchAll(ctx context.Context, in *searchInput) (*body[Found], error) {
	return s.search(ctx, everyProject, &in.Asked, &in.Choice, &in.Paging)
}

// Found is what a search found.
type Found struct {
	Query    string         `json:"query"`
	Results  []FoundSession `json:"results"`
	Total    int            `json:"total" doc:"Sessions"`
	HitCount int            `json:"hitCount" doc:"Lines, every copied one once"`
	HasMore  bool           `json:"hasMore"`
	Next     string         `json:"next,omitempty"`
	Complete bool           `json:"complete" doc:"Everything was looked at"`
	Behind   bool           `json:"behind,omitempty" doc:"What was written is not all in the index yet: there may be more"`
	Hints    []string       `json:"hints,omitempty" doc:"What about the query may not be meant so"`
}

// FoundSession is a session with the best of its hits.
type FoundSession struct {
	SessionID   string          `json:"sessionId"`
	ProjectPath string          `json:"projectPath"`
	Root        string          `json:"root"`
	Score       float64         `json:"score"`
	Timestamp   stamp.Time      `json:"timestamp" doc:"Of the latest hit"`
	Session     catalog.Session `json:"session"`
	Snippets    []Snippet       `json:"snippets"`
	HitCount    int             `json:"hitCount"`
}

// Snippet is the text around a match. Positions count characters as a reader
// sees them.
type Snippet struct {
	Type        string     `json:"type" doc:"Of the line, as cli-bridge calls it"`
	Kind        string     `json:"kind" doc:"Of the text: prompt, answer, thinking, title, input, output, note, …"`
	Text        string     `json:"text"`
	MatchStart  int        `json:"matchStart"`
	MatchLength int        `json:"matchLength"`
	Marks       [][2]int   `json:"marks" doc:"All matches: start and length"`
	MessageID   string     `json:"messageId,omitempty"`
	AgentID     string     `json:"agentId,omitempty"`
	Leaf        string     `json:"leaf,omitempty" doc:"Of its conversation, if that is not the active one"`
	Line        int        `json:"line"`
	Timestamp   stamp.Time `json:"timestamp,omitzero"`
}

func (s searchRoutes) search(ctx context.Context, project string, asked *Asked, choice *Choice, paging *Paging) (*body[Found], error) {
	if strings.TrimSpace(asked.Q) == "" {
		return nil, badSearch("MISSING_QUERY", "q", "there is nothing to search for")
	}
	slice, err := paging.slice(searchLimit)
	if err != nil {
		return nil, badPaging(err)
	}
	if choice.Source == "" {
		choice.Source = "all"
	}
	filter, err := choice.filter(ctx, s.Server, project, Words{})
	if err != nil {
		return nil, err
	}
	hits, err := number("hits", asked.Hits, 0)
	if err != nil {
		return nil, err
	}
	search := ask.Search{
		Filter: filter, Hits: min(hits, mostHits), Recent: asked.Sort == "recent", Limit: slice.Limit, Offset: slice.Offset, Cursor: slice.Cursor, Budget: catalog.SearchBudget,
	}
	if search.In, err = catalog.TextKinds(asked.In); err != nil {
		return nil, invalid("in", "%v", err)
	}
	if search.Query, err = query.Parse(asked.Q, s.opts.Now()); err != nil {
		return nil, badQuery(err)
	}
	page, err := s.opts.App.Catalog.Search(ctx, search)
	if err != nil {
		return nil, err
	}
	out := found(&page, &search.Query)
	return answer(out), s.priceFound(ctx, out.Results)
}

// priceFound adds to the rows of sessions that were found what each cost.
func (s searchRoutes) priceFound(ctx context.Context, list []FoundSession) error {
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

// badSearch is a mistake of a client, under the name the contract has for it.
func badSearch(name, field, detail string) error {
	p := wrong(field, detail)
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
	p := wrong("q", bad.Error())
	p.Hint = cmp.Or(bad.Hint, p.Hint)
	return p
}

func found(page *catalog.SearchPage, asked *query.Q) Found {
	f := Found{
		Query: page.Query, Results: make([]FoundSession, len(page.Results)), Total: page.Total, HitCount: page.HitCount,
		HasMore: page.HasMore, Next: page.Next, Complete: page.Complete, Behind: page.Fresh.Lacks(),
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
			f.Results[i].Snippets[j] = snippet(&r.Hits[j])
		}
	}
	return f
}

func snippet(h *ask.Hit) Snippet {
	n := Snippet{
		Type: snippetType(h.Kind), Kind: string(h.Kind), Text: h.Text, Marks: h.Marks, MessageID: h.UUID, AgentID: h.AgentID, Leaf: h.Leaf, Line: h.Line, Timestamp: h.Time,
	}
	if len(h.Marks) > 0 {
		n.MatchStart, n.MatchLength = h.Marks[0][0], h.Marks[0][1]
	} else {
		n.Marks = [][2]int{}
	}
	return n
}

// snippetType is what cli-bridge calls the line that a text is of.
func snippetType(kind sesskeep.ValueKind) string {
	switch kind {
	case sesskeep.ValuePrompt:
		return "user"
	case sesskeep.ValueAnswer, sesskeep.ValueThinking:
		return "assistant"
	case sesskeep.ValueInput:
		return "tool_use"
	case sesskeep.ValueOutput:
		return "tool_result"
	}
	return "system"
}
