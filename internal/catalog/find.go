package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/internal/ask"
	"sesskeep/internal/errcode"
	"sesskeep/internal/homes"
	"sesskeep/internal/reading"
)

// Target is what an address leads to: a transcript, and perhaps a conversation
// or a message in it.
type Target struct {
	Store   *sesskeep.Store
	Ref     sesskeep.Ref
	Leaf    string // start of the uuid of the conversation's last line, as typed
	Message string // start of the message's uuid, as typed
	Suffix  string // what its address needs at the end: @HOME where several have it
	// Inline is the first line of an agent that a client of 1.0 wrote into the
	// transcript, where that is meant.
	Inline string
}

// Session returns the session of a target that has to be a whole one: address is how a user
// named it. An agent is [errcode.ErrAgent], a part of a session [errcode.Invalid].
func (t *Target) Session(address string) (sesskeep.SessionID, error) {
	switch {
	case t.Ref.Agent != "" || t.Inline != "":
		return "", fmt.Errorf("%w: %s", errcode.ErrAgent, t.Store.Parent(t.Ref))
	case t.Leaf != "" || t.Message != "":
		return "", errcode.New(errcode.Invalid, fmt.Errorf("%s names a part of a session: this takes whole sessions", address))
	}
	return t.Ref.Session, nil
}

// Find resolves an address: a session's UUID or a prefix of it, a title, a
// slug, @last, @live or agent-<id>; behind it /agent, :leaf or #message, and last
// @home[.machine]. Where several homes have the session and none is named, the
// one active last is meant. What is not there is [errcode.NotFound]; what several have is
// [errcode.Ambiguous], with the candidates in an [Ambiguous].
func (c *Catalog) Find(ctx context.Context, address string) (Target, error) {
	l, rest := c.Lookup(address)
	return l.find(ctx, address, rest)
}

// FindIn resolves an address in the home at root. Errors are those of Find.
func (c *Catalog) FindIn(ctx context.Context, root, address string) (Target, error) {
	l := &lookup{catalog: c}
	if h := c.homes.At(root); h != nil {
		l.homes = []*homes.Home{h}
	}
	return l.find(ctx, address, address)
}

// TargetOf is the transcript of a session of a list. One whose home is not open
// is [errcode.NotFound].
func (c *Catalog) TargetOf(s *Session) (Target, error) {
	h := c.homes.At(s.Root)
	if h == nil {
		return Target{}, &sesskeep.Error{Op: "find", Name: s.ID, Err: sesskeep.ErrNotFound}
	}
	return Target{Store: h.Store, Ref: s.Ref, Suffix: s.Suffix()}, nil
}

// find resolves rest, which is the address without its home.
func (l *lookup) find(ctx context.Context, address, rest string) (Target, error) {
	word, agent, t := splitAddress(rest)
	if err := l.checkHome(rest, agent+t.Leaf+t.Message); err != nil {
		return t, err
	}
	if word == "@live" {
		var err error
		if word, err = l.live(); err != nil {
			return t, err
		}
	}
	found, err := l.byID(strings.ToLower(word))
	if err == nil && len(found) == 0 && agent != "" {
		if found, err = l.orphans(strings.ToLower(word), agent); len(found) > 0 {
			agent = "" // that is it
		}
	}
	if err == nil && len(found) == 0 {
		found, err = l.byName(ctx, word)
	}
	if err != nil {
		return t, err
	}
	if len(found) == 0 {
		return t, l.nothing(ctx, word)
	}
	p, err := only(found, word)
	if err == nil && agent != "" {
		p, t.Inline, err = l.agentOrInline(ctx, p, agent, address)
	}
	if err != nil {
		return t, err
	}
	t.Store, t.Ref = p.home.Store, p.ref
	t.Suffix = l.catalog.Suffix(p.home.Store.Root(), string(p.home.Store.Parent(p.ref)))
	return t, nil
}

// live is the session of the running client that wrote last. From then on only
// the home of that client is looked at.
func (l *lookup) live() (string, error) {
	var last claudehome.Live
	all := l.homes
	for _, h := range all {
		lives, _, err := claudehome.Registry(h.Store.Files(), l.catalog.opts.Alive)
		if err != nil {
			return "", err
		}
		for _, live := range lives {
			if live.Alive && (last.Session == "" || live.Updated.After(last.Updated)) {
				last, l.homes = live, []*homes.Home{h}
			}
		}
	}
	if last.Session == "" {
		return "", &sesskeep.Error{Op: "find", Name: "@live", Err: sesskeep.ErrNotFound}
	}
	return string(last.Session), nil
}

// agentOrInline finds an agent of a session: its own transcript, or where it
// stands in that of the session.
func (l *lookup) agentOrInline(ctx context.Context, session located, agent, address string) (located, string, error) {
	p, err := l.agentOf(ctx, session, agent, address)
	if !errors.Is(err, sesskeep.ErrNotFound) {
		return p, "", err
	}
	root, inlineErr := l.catalog.InlineRoot(ctx, Target{Store: session.home.Store, Ref: session.ref}, agent)
	if root == "" {
		return p, "", cmp.Or(inlineErr, err)
	}
	return session, root, nil
}

// agentOf finds an agent of a session by its id or a prefix of it.
func (l *lookup) agentOf(ctx context.Context, session located, agent, address string) (located, error) {
	family, err := FamilyOf(Target{Store: session.home.Store, Ref: session.ref})
	if err != nil {
		return located{}, err
	}
	var found []located
	for _, ref := range family.Agents {
		if !strings.HasPrefix(string(ref.Agent), agent) {
			continue
		}
		if string(ref.Agent) == agent {
			return located{session.home, ref}, nil
		}
		found = append(found, located{session.home, ref})
	}
	if len(found) == 0 {
		if found, err = l.inheritedAgents(ctx, session, agent); err != nil {
			return located{}, err
		}
	}
	if len(found) == 0 {
		return located{}, &sesskeep.Error{Op: "find agent", Name: agent, Err: sesskeep.ErrNotFound}
	}
	return only(found, address)
}

// orphans finds the agents of a session whose own file is gone: their files outlive it,
// and lists and searches still show them under its id.
func (l *lookup) orphans(session, agent string) ([]located, error) {
	if len(session) < reading.MinPrefix {
		return nil, nil
	}
	found, err := l.refs(func(h *homes.Home, ref sesskeep.Ref) bool {
		return ref.Agent != "" && strings.HasPrefix(string(ref.Agent), agent) &&
			strings.HasPrefix(strings.ToLower(string(h.Store.Parent(ref))), session)
	})
	exact := slices.DeleteFunc(slices.Clone(found), func(p located) bool { return string(p.ref.Agent) != agent })
	if len(exact) > 0 {
		return exact, err
	}
	return found, err
}

// nothing is the error for a word that leads nowhere. It says so if that is only
// for want of characters, or if the word is part of a title.
func (l *lookup) nothing(ctx context.Context, word string) error {
	if prefix := strings.ToLower(word); len(word) < reading.MinPrefix && strings.Trim(prefix, "0123456789abcdef-") == "" {
		e := &reading.TooShort{Address: word}
		found, err := l.sessions(prefix)
		for _, p := range found {
			if id := p.ref.ID(); !slices.Contains(e.Candidates, id) {
				e.Candidates = append(e.Candidates, id)
			}
		}
		if err == nil && len(found) > 0 {
			return e
		}
	}
	if titled := l.titled(ctx, word); len(titled) > 0 {
		return &PartOfTitle{Address: word, Sessions: titled}
	}
	return &sesskeep.Error{Op: "find", Name: word, Err: sesskeep.ErrNotFound}
}

// PartOfTitle is the error for an address that is no title, but a part of some.
type PartOfTitle struct {
	Address  string
	Sessions []Session // the most recently active first, a few of them
}

func (e *PartOfTitle) Error() string {
	text := fmt.Sprintf("no session matches %q as a whole; it is part of", e.Address)
	for i := range e.Sessions {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprintf(" %s %q", e.Sessions[i].ID, NameOf(&e.Sessions[i]))
	}
	return text
}

// Is lets errors.Is find [sesskeep.ErrNotFound] in it.
func (e *PartOfTitle) Is(target error) bool { return target == sesskeep.ErrNotFound }

// titled gives the latest sessions that have the word in their titles.
func (l *lookup) titled(ctx context.Context, word string) []Session {
	const few, recent = 3, 2000
	c, err := l.catalog.Snapshot(ctx)
	if err != nil || len([]rune(word)) < 3 {
		return nil
	}
	c.homes = l.homes
	page, err := c.List(ctx, ask.Filter{Limit: recent, Brief: true})
	if err != nil {
		return nil
	}
	other := func(s Session) bool { return !strings.Contains(strings.ToLower(NameOf(&s)), strings.ToLower(word)) }
	list := slices.DeleteFunc(page.Sessions, other)
	return list[:min(few, len(list))]
}

// inheritedAgents finds agents that a fork lists though their files stayed with
// the session it was copied from.
func (l *lookup) inheritedAgents(ctx context.Context, session located, agent string) ([]located, error) {
	list, err := l.catalog.Agents(ctx, Target{Store: session.home.Store, Ref: session.ref})
	if err != nil {
		return nil, nil // the fork cannot be read, so its agents stay unknown
	}
	wanted := map[string]bool{}
	for _, of := range list {
		if strings.HasPrefix(string(of.ID), agent) {
			wanted[of.File] = true
		}
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	return l.refs(func(h *homes.Home, ref sesskeep.Ref) bool { return h == session.home && wanted[ref.File] })
}

// located is a transcript and the home it lies in.
type located struct {
	home *homes.Home
	ref  sesskeep.Ref
}

// refs lists the transcripts of all homes that match. That there is none is an error if a home
// cannot be listed: it may be there.
func (l *lookup) refs(match func(*homes.Home, sesskeep.Ref) bool) ([]located, error) {
	var list []located
	var unlisted error
	for _, h := range l.homes {
		folders, err := h.Store.Folders()
		if err != nil {
			unlisted = cmp.Or(unlisted, err)
			continue
		}
		for _, f := range folders {
			for _, ref := range f.Refs {
				if match(h, ref) {
					list = append(list, located{h, ref})
				}
			}
		}
	}
	if len(list) > 0 {
		return list, nil
	}
	return nil, unlisted
}

// byID finds transcripts by id, the whole of it or a prefix, in lower case. To
// find an agent every directory has to be looked into.
func (l *lookup) byID(word string) ([]located, error) {
	if len(word) < reading.MinPrefix {
		return nil, nil
	}
	id := func(p located) string { return strings.ToLower(p.ref.ID()) }
	var found []located
	var err error
	if strings.HasPrefix(word, "agent-") && len(word) > len("agent-") {
		found, err = l.refs(func(h *homes.Home, ref sesskeep.Ref) bool { return strings.HasPrefix(id(located{h, ref}), word) })
	} else {
		found, err = l.sessions(word)
	}
	exact := slices.DeleteFunc(slices.Clone(found), func(p located) bool { return id(p) != word })
	if len(exact) > 0 {
		return exact, err
	}
	return found, err
}

func (l *lookup) sessions(prefix string) ([]located, error) {
	var list []located
	for _, h := range l.homes {
		refs, err := h.Store.Find(prefix)
		if err != nil {
			return nil, err
		}
		for _, ref := range refs {
			list = append(list, located{h, ref})
		}
	}
	return list, nil
}

// byName finds sessions by their titles and slugs, which only the index knows.
func (l *lookup) byName(ctx context.Context, word string) ([]located, error) {
	c, err := l.catalog.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	c.homes = l.homes
	if word == "@last" {
		return l.last(ctx, c)
	}
	var found []located
	for _, f := range []ask.Filter{{Title: word}, {Slug: word}} {
		page, err := c.List(ctx, f)
		if err != nil {
			return nil, err
		}
		for i := range page.Sessions {
			found = append(found, l.locate(&page.Sessions[i]))
		}
	}
	return found, nil
}

// emptyOnes is how many sessions in which nothing was said are passed over on the way
// to the last one: clients that were opened and left again leave some.
const emptyOnes = 20

// last is the session that was active last and in which something was said, or the
// one active last if there is none among the latest.
func (l *lookup) last(ctx context.Context, c *Snapshot) ([]located, error) {
	page, err := c.List(ctx, ask.Filter{Limit: 1 + emptyOnes})
	if err != nil || len(page.Sessions) == 0 {
		return nil, err
	}
	i := slices.IndexFunc(page.Sessions, func(s Session) bool { return s.MessageCount > 0 })
	return []located{l.locate(&page.Sessions[max(i, 0)])}, nil
}

func (l *lookup) locate(s *Session) located { return located{l.catalog.homes.At(s.Root), s.Ref} }

// only returns the one transcript that was found, or an error that says why there is none.
func only(found []located, address string) (located, error) {
	switch len(found) {
	case 0:
		return located{}, &sesskeep.Error{Op: "find", Name: address, Err: sesskeep.ErrNotFound}
	case 1:
		return found[0], nil
	}
	e := &reading.Ambiguous{Address: address}
	for _, p := range found {
		if id := p.ref.ID(); !slices.Contains(e.Candidates, id) {
			e.Candidates = append(e.Candidates, id)
		}
	}
	if len(e.Candidates) == 1 {
		// It was copied to another home or directory and has one name in both:
		// more characters would match both as well.
		return activeLast(found), nil
	}
	return located{}, e
}

// activeLast returns the transcript that has the latest line.
func activeLast(found []located) located {
	last := map[located]time.Time{}
	for _, p := range found {
		if d, err := p.home.Store.Digest(p.ref.File); err == nil { // else no line can be read
			last[p] = d.LastActive
		}
	}
	return slices.MinFunc(found, func(a, b located) int {
		return cmp.Or(last[b].Compare(last[a]), cmp.Compare(b.ref.Size, a.ref.Size), cmp.Compare(a.ref.File, b.ref.File))
	})
}

// Runs reports whether a client runs the session of a target at this moment.
func (c *Catalog) Runs(ctx context.Context, t Target) bool {
	clients, _, err := claudehome.Registry(t.Store.Files(), c.opts.Alive)
	session := t.Store.Parent(t.Ref)
	return err == nil && ctx.Err() == nil && slices.ContainsFunc(clients, func(c claudehome.Live) bool { return c.Alive && c.Session == session })
}

// CopyOnly says what to do about a session that is not there any more.
func CopyOnly(t Target) error {
	return fmt.Errorf("%w: put it back first with \"sesskeep keep restore %s\"", errcode.ErrCopyOnly, Short(string(t.Ref.Session)))
}

// Short is the beginning of an id, which is enough for most sessions.
func Short(id string) string { return id[:min(8, len(id))] }

// Ambiguous says that several things answer to an address.
func Ambiguous(address string, candidates []string) error {
	return &reading.Ambiguous{Address: address, Candidates: candidates}
}
