package api

import (
	"context"
	"strings"

	"sesskeep/internal/talk"
)

type compareInput struct {
	OneSession
	A     string `query:"a" doc:"Leaf of the first conversation"`
	B     string `query:"b" doc:"Leaf of the second conversation; SESSION:LEAF for one of another session, such as a fork"`
	Limit Number `query:"limit" doc:"Turns of each conversation, at most 500. Default: 20"`
}

func (s conversationRoutes) compare(ctx context.Context, in *compareInput) (*body[talk.Comparison], error) {
	if in.A == "" || in.B == "" {
		return nil, invalid("a and b", "name two conversations by their leaves")
	}
	turns, err := limit(in.Limit, usualTurns)
	if err != nil {
		return nil, err
	}
	_, t, err := s.target(ctx, &in.OneSession)
	if err != nil {
		return nil, err
	}
	one, other := t, t
	one.Leaf, other.Leaf = in.A, in.B
	if id, leaf, another := strings.Cut(in.B, ":"); another {
		if _, other, err = s.target(ctx, &OneSession{InProject: InProject{everyProject}, ID: id}); err != nil {
			return nil, err
		}
		other.Leaf = leaf
	}
	c, err := s.opts.App.Talk.Compare(ctx, one, other, talk.CompareOptions{Turns: turns})
	if err != nil {
		return nil, err
	}
	return answer(c), nil
}
