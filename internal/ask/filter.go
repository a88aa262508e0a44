package ask

import (
	"fmt"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/query"
)

// Filter chooses rows. Its zero value is every session a person or a program
// started, in all homes the index knows.
type Filter struct {
	Homes   []Home // empty: all that the index knows
	In      string // only this one of them; empty: all
	Project string // short name; empty: all
	// Projects takes those with one of these short names; nil: all.
	Projects []string
	Source   string // user, agent, helper, twin, several of them with commas between, or all, which is all but twins; empty: user
	// Fields takes those whose fields match, by the name of a field with a plain Choice.
	// Several values have commas between.
	Fields  map[string]string
	Branch  string    // or several with commas between
	Model   string    // part of a model's name, or several with commas between
	Since   time.Time // a line was written from then on,
	Until   time.Time // and before then
	Parent  string    // agents of this session
	Fork    string    // forks of this session
	Title   string    // exactly, but for case
	Slug    string
	ID      string // or the first characters of it
	MinSize int64
	Idle    time.Time // nothing was written from then on; zero: any
	// Unchanged takes those whose files were not changed after then, or only in the
	// same hour, whatever their lines say; zero: all. The client deletes by that time.
	Unchanged time.Time
	// Empty takes only sessions in which nothing was said: no message, no agent, and
	// no name for another session.
	Empty bool
	// Archived chooses among the sessions that were put away.
	Archived Archived
	// Listed leaves archived sessions out of what adds up, as lists do by themselves.
	Listed bool
	// Query is what the search language says of sessions: see Listable.
	Query query.Q
	// Sessions takes only these ids; nil: all.
	Sessions []string
	// Among takes only these rows of Homes; nil: all. A search gives them: see Matches.
	Among []sesskeep.Key
	// States takes only sessions in one of these states; empty: all. A session
	// that Live does not name is in the state its transcript was left in.
	States []string
	Live   map[sesskeep.Key]string
	// Now is the moment states are judged at, by those who fill in Live; zero:
	// they are not asked for. A search takes the age of sessions by it.
	Now time.Time

	Sort   string // one of Sorts; "-" turns it round
	Limit  int    // 0: all
	Offset int
	Cursor string // Next of the page before

	// Brief leaves out what no table shows: see briefRow.
	Brief bool
	// Uncounted leaves out how many rows there are, which takes as long as a page.
	Uncounted bool
}

// SetField takes only those whose field of this name matches; an empty value: any.
func (f *Filter) SetField(name, value string) {
	if value == "" {
		return
	}
	if f.Fields == nil {
		f.Fields = map[string]string{}
	}
	f.Fields[name] = value
}

// WordError is a question with a word that is none of those it takes.
type WordError struct {
	What, Word string
	Words      []string
}

func (e *WordError) Error() string {
	return fmt.Sprintf("unknown %s %q: use one of %s", e.What, e.Word, strings.Join(e.Words, ", "))
}
