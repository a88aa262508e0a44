package ask

import (
	"time"

	"sesskeep"
	"sesskeep/internal/query"
	"sesskeep/internal/stamp"
)

// Search is a question to the texts of all transcripts.
type Search struct {
	Query  query.Q
	Filter Filter     // which sessions; without a source all of them
	In     []TextKind // which kinds of text; empty: all
	Raw    []byte     // instead of Query: these bytes, anywhere in a line
	Recent bool       // order by time, not by rank
	Limit  int        // sessions on a page; 0: all
	Offset int
	Cursor string // Next of the page before
	Hits   int    // shown of each session; 0: 3
	Bare   bool   // hits without their texts, for those who want to know where they are
	Count  bool   // no results at all, only how many there are
	Once   bool   // one hit of each file is enough
	Files  bool   // of the hits of a session only the files they are in, each once; most recently active first
	NoRows bool   // results have the Root of their sessions, and not their rows
	// Context is how many lines of the text around a match are shown with it.
	Context int
	// Budget is how much may be read once the page is full, in bytes; a line that
	// has to be decoded counts ten times. 0: until all was read. What is read
	// first is what was active last, and of a session no more than the latest hits
	// until the page is full. A page that is not full yet is a reason to read on,
	// so that what is rare is always found.
	Budget int64
	// Summarize gives the text of a call that matches by what it is and not by a word
	// in it; nil: the text of its values.
	Summarize func(e sesskeep.Entry) string
	// Hide replaces what hits must not show. It gets a text as a whole, before it is cut:
	// half a secret would not be recognized. nil: nothing is hidden.
	Hide func(text string) string
	// Hasty lets the budget end the search even if the page is not full.
	Hasty bool
	// Slots are what searches share that run at the same time: each has a place
	// in it for every piece of text it reads. nil: all processors are its own.
	Slots chan struct{}
}

// Hit is a line that matches.
type Hit struct {
	Kind    TextKind   `json:"type"`
	File    string     `json:"file"`
	Line    int        `json:"line"`
	UUID    string     `json:"messageId,omitempty"`
	AgentID string     `json:"agentId,omitempty"`
	Leaf    string     `json:"leaf,omitempty"` // of its conversation, if that is not the active one
	Time    stamp.Time `json:"timestamp,omitzero"`
	Score   float64    `json:"score"`
	Text    string     `json:"text"`  // around the first match
	Marks   [][2]int   `json:"marks"` // where in Text, in code points: start and length
	Before  []string   `json:"before,omitempty"`
	After   []string   `json:"after,omitempty"`
}

// Result is a session with the best of its hits.
type Result struct {
	Key       sesskeep.Key // of the session
	Root      string       // of its home
	Score     float64
	Timestamp stamp.Time // of the latest hit
	Session   Row
	Hits      []Hit
	HitCount  int
}

// SessionID is the id of the session; of an agent that names none, its own.
func (r *Result) SessionID() string { return RowID(r.Key) }

// SearchPage is what a search found.
type SearchPage struct {
	Query    string
	Results  []Result
	Total    int // sessions
	HitCount int // lines, every copied one once
	HasMore  bool
	Next     string
	Complete bool // everything was looked at
	Skipped  int64
	Took     time.Duration
	Spent    int64 // of the budget
}
