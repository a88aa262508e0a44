package transfer

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/catalog"
	"sesskeep/internal/check"
	"sesskeep/internal/errcode"
	"sesskeep/internal/launch"
	"sesskeep/internal/reading"
	"sesskeep/internal/shelf"
)

// BranchOptions say how a conversation becomes a session.
type BranchOptions struct {
	Title string // of the new session; empty: none of its own
	Actor shelf.Actor
}

// BranchPlan is a conversation that is to become a session of its own.
type BranchPlan struct {
	Root    string `json:"root"`        // directory of the home
	From    string `json:"forkedFrom"`  // session that the lines are copied from
	Leaf    string `json:"leaf"`        // conversation that is copied
	Session string `json:"sessionId"`   // id of the new session
	File    string `json:"file"`        // path of the new transcript inside the home
	Records int    `json:"recordCount"` // number of records
	Prompts int    `json:"promptCount"` // number of prompts

	Plan shelf.Plan `json:"-"`
}

// Branch plans to make a session of one conversation of a session, or of what leads to a
// message. The session it is taken from stays as it is. A conversation that is not there is
// [errcode.NotFound], one of several [errcode.Ambiguous], and an agent [errcode.Conflict].
func (tr *Transfer) Branch(ctx context.Context, t catalog.Target, o BranchOptions) (BranchPlan, error) {
	const verb = "session fork"
	from := t.Ref.ID()
	if t.Ref.Agent != "" || t.Inline != "" {
		return BranchPlan{}, &sesskeep.Error{Op: verb, Name: from, Err: fmt.Errorf("%w: fork %s", errcode.ErrAgent, t.Store.Parent(t.Ref))}
	}
	s, err := tr.opts.Catalog.Read(ctx, catalog.Target{Store: t.Store, Ref: t.Ref})
	if err != nil {
		return BranchPlan{}, err
	}
	defer s.Close()
	c, err := conversationOf(s, t)
	if err != nil {
		return BranchPlan{}, err
	}
	var lines []int
	for _, turn := range s.Transcript.Tree.Path(c) {
		lines = append(lines, s.Transcript.Tree.Turns[turn].Lines...)
	}
	slices.Sort(lines)
	id := sesskeep.SessionID(launch.NewID())
	b := check.NewBranch(t.Store, s.Transcript, lines, id, t.Ref.Session)
	b.Title = o.Title
	p := BranchPlan{
		Root: t.Store.Root(), From: from, Leaf: c.Leaf, Session: string(id), Records: b.Records(), Prompts: c.Prompts,
		File: path.Join(path.Dir(t.Ref.File), string(id)+".jsonl"),
	}
	key, _ := t.Store.Key(sesskeep.Ref{Session: id}) // of a main transcript there is always one
	p.Plan = shelf.Plan{Verb: verb, Actor: o.Actor, Home: p.Root, Session: key.String(), Steps: shelf.Steps{
		shelf.Create{File: t.Store.Path(p.File), From: b.Open},
	}}
	return p, nil
}

// conversationOf is what t names: a conversation by its leaf, or what leads to a message and
// ends with its turn, so that no tool call lacks its result.
func conversationOf(s *reading.Session, t catalog.Target) (sesskeep.Conversation, error) {
	if t.Message == "" {
		return conversationAt(s.Transcript.Tree, t.Leaf)
	}
	turn, err := s.Find(t.Message)
	if err != nil {
		return sesskeep.Conversation{}, err
	}
	tree := s.Transcript.Tree
	head := tree.Turns[turn].Head
	if head < 0 {
		head = tree.Turns[turn].Lines[0]
	}
	c := sesskeep.Conversation{Turn: turn, Leaf: s.Transcript.Digest.Chain[head].UUID}
	for _, i := range tree.Path(c) {
		if tree.Turns[i].Prompt {
			c.Prompts++
		}
	}
	return c, nil
}

// conversationAt finds a conversation by how its leaf begins.
func conversationAt(tree *sesskeep.Tree, leaf string) (sesskeep.Conversation, error) {
	var found []sesskeep.Conversation
	for _, c := range tree.Conversations {
		if strings.HasPrefix(c.Leaf, leaf) {
			found = append(found, c)
		}
	}
	fail := func(err error) (sesskeep.Conversation, error) {
		return sesskeep.Conversation{}, &sesskeep.Error{Op: "find conversation", Name: leaf, Err: err}
	}
	switch len(found) {
	case 0:
		return fail(sesskeep.ErrNotFound)
	case 1:
		return found[0], nil
	}
	return fail(sesskeep.ErrAmbiguous)
}

// BranchSession makes a session of one conversation as [Transfer.Branch] plans it.
func (tr *Transfer) BranchSession(ctx context.Context, d acts.Doing, t catalog.Target, title string) (plan BranchPlan, act int, err error) {
	if plan, err = tr.Branch(ctx, t, BranchOptions{Title: title, Actor: d.Actor}); err != nil {
		return plan, 0, err
	}
	act, err = tr.opts.Journal.CarryOut(ctx, d, plan.Plan)
	return plan, act, err
}
