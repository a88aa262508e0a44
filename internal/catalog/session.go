package catalog

import (
	"context"
	"errors"
	"slices"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/freshness"
	"sesskeep/internal/homes"
	"sesskeep/internal/money"
	"sesskeep/internal/stamp"
)

// Session is one transcript as every front shows it: a session, or an agent of any
// layout.
type Session struct {
	ask.Row // what the engine knows; rooms add the rest where a question asks for it

	// Usage is the tokens of the messages that count in this file and in no other. The
	// agents of a session have their own.
	Usage *sesskeep.Usage `json:"usage,omitempty"`
	// Cost is what the messages that count in this file cost.
	Cost *money.Cost `json:"cost,omitempty"`
	// Agents is what the agents of the session spent.
	Agents *money.Spending `json:"agents,omitempty"`
	// Context is the number of tokens before the model at its last own answer.
	Context int64 `json:"contextTokens,omitempty"`
	// Window is the number of tokens that the model can have before it, where that is
	// known.
	Window int64 `json:"contextWindow,omitempty"`
	// State is what the session does now. Agents have none.
	State *ask.State `json:"state,omitempty"`
	// Unreadable is why the transcript, or the copy that stands for it, cannot be read: what
	// it says is missing.
	Unreadable string `json:"unreadable,omitempty"`
	// ExpiresAt is when the client deletes the session.
	ExpiresAt stamp.Time `json:"expiresAt,omitzero"`
}

// Address is the shortest text that leads to the session and no other: its id,
// with the home where several have it.
func (s *Session) Address() string { return s.ID + s.Suffix() }

// Suffix is @HOME where several homes have a session of this id, else empty. It
// goes last in an address, behind a leaf or a message.
func (s *Session) Suffix() string {
	if !s.Shared || s.Home == "" {
		return ""
	}
	return "@" + s.Home
}

// session is a row of the index as fronts show it.
func (c *Catalog) session(r *ask.Row) Session {
	s := Session{Row: *r}
	if h := c.homes.At(r.Root); h != nil {
		s.Home, s.Machine = h.Is.Name, h.Is.MachineName
		s.Key, _ = h.Store.Key(r.Ref)
		if r.Ref.File != "" && h.Store.Files().Copied(r.Ref.File) {
			s.Origin = ask.OriginCopy
		}
		s.Unreadable = WhyUnreadable(h.Store, r.Ref.File)
	}
	return s
}

// WhyUnreadable is why a transcript, or the copy that stands for it, could not be read when that
// was last tried; empty: it could be.
func WhyUnreadable(store *sesskeep.Store, file string) string {
	if file == "" {
		return ""
	}
	if err := store.Files().Failure(file); err != nil {
		return root(err).Error()
	}
	return ""
}

// root returns what an error is about in the end: the errors of a copy name its file, which
// leaves no room for the reason in a list.
func root(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

// someUnread reports whether something in a home could not be read.
func (c *Catalog) someUnread() bool {
	return slices.ContainsFunc(c.homes.List, func(h *homes.Home) bool { return len(h.Store.Files().Unread()) > 0 })
}

// SessionOf returns the session that a state belongs to; nil if it has no transcript
// yet.
func SessionOf(s *freshness.SessionState) *Session {
	if s.Row == nil {
		return nil
	}
	is := &Session{Row: *s.Row}
	is.Key = s.Key
	return is
}

// AddCosts adds to each session what it used and what that cost.
func (c *Catalog) AddCosts(ctx context.Context, sessions []Session, prices *money.Prices) error {
	ids := make([]string, len(sessions))
	for i := range sessions {
		ids[i] = sessions[i].ID
	}
	costs, err := c.SessionCosts(ctx, ids, prices)
	if err != nil {
		return err
	}
	for i := range sessions {
		s := &sessions[i]
		if s.Source == ask.FromDuplicate {
			continue // its messages count in the other file
		}
		cost, ok := costs[s.Key]
		if !ok {
			cost.Own = money.Nothing()
		}
		s.Usage, s.Cost, s.Context = &cost.Own.Usage, &cost.Own.Cost, cost.Context
		if cost.Context > 0 {
			s.Window = c.Window(s.Root, s.ID, s.Model, cost.Context, money.Window(s.Model, cost.Context))
		}
		if cost.Agents.Messages > 0 {
			s.Agents = &cost.Agents
		}
	}
	return nil
}

// Spent is what the session and its agents cost, once AddCosts was asked.
func (s *Session) Spent() (cost money.Cost, known bool) {
	if s.Cost == nil {
		return cost, false
	}
	cost = *s.Cost
	if s.Agents != nil {
		cost = cost.Add(s.Agents.Cost)
	}
	return cost, true
}

// Page is a list of sessions with what it leaves out.
type Page struct {
	Sessions []Session      `json:"sessions"`       // rows of this page, in the requested order
	Total    int            `json:"total"`          // number of matching sessions on all pages
	HasMore  bool           `json:"hasMore"`        // true if there are more pages
	Next     string         `json:"next,omitempty"` // cursor of the next page
	Hidden   map[string]int `json:"hidden"`         // sessions that the list leaves out, by source or as archived
	// Complete reports whether the search for a text read everything; nil without a text.
	Complete *bool `json:"complete,omitempty"`
	// Behind is true while the index has not read everything: more sessions may match.
	Behind bool `json:"behind,omitempty"`
	ask.Covered
}

// cover records how much the index had when it answered, and whether the search for a text
// read everything.
func (p *Page) cover(c ask.Coverage) {
	p.Behind = !c.Complete
	c.Complete = c.Complete && (p.Complete == nil || *p.Complete) // such a search has no budget
	p.Covered = ask.NewCovered(c)
}

// Window is how many tokens the model of a session can have before it: what its
// client reported, if that can be, else what is known of the model; 0: neither.
func (c *Catalog) Window(root, session, model string, used, known int64) int64 {
	if reported := c.opts.Book.Window(root, session, model); reported >= used && used > 0 {
		return max(reported, known)
	}
	return known
}
