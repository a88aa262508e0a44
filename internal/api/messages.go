package api

import (
	"context"
	"strings"

	"sesskeep/internal/talk"
)

type messagesInput struct {
	OneSession
	Limit  Number `query:"limit" doc:"Messages on a page, at most 100. Default: 25" example:"25"`
	Offset Number `query:"offset" doc:"Number of messages to skip, in the order of the page" example:"0"`
	Before string `query:"before" doc:"Only messages older than this one"`
	After  string `query:"after" doc:"Only messages newer than this one"`
	Types  string `query:"types" doc:"Comma-separated: user, assistant, thinking, tool_use, tool_result, system"`
	Order  string `query:"order" doc:"desc (newest first) or asc. Default: desc"`
	Raw    bool   `query:"includeRawContent" doc:"Include the content blocks of each message"`
	Leaf   string `query:"leaf" doc:"Conversation, by the uuid of its last line. Default: the active one"`
	// Denormalize is accepted for clients of cli-bridge: a result is always part of its
	// call.
	Denormalize bool `query:"denormalize" doc:"Accepted and ignored: a result is always part of its call"`
}

func (in *messagesInput) options() (o talk.MessageOptions, err error) {
	if o.Limit, err = limit(in.Limit, messagesLimit); err != nil {
		return o, err
	}
	if o.Offset, err = number("offset", in.Offset, 0); err != nil {
		return o, err
	}
	switch in.Order {
	case "", "desc":
	case "asc":
		o.Oldest = true
	default:
		return o, invalid("order", "use asc or desc")
	}
	if in.Types != "" {
		o.Types = strings.Split(in.Types, ",")
	}
	o.Leaf, o.Before, o.After, o.Blocks = in.Leaf, in.Before, in.After, in.Raw
	return o, nil
}

func (s conversationRoutes) messages(ctx context.Context, in *messagesInput) (*body[talk.MessagePage], error) {
	o, err := in.options()
	if err != nil {
		return nil, err
	}
	_, t, err := s.target(ctx, &in.OneSession)
	if err != nil {
		return nil, err
	}
	page, err := s.opts.App.Talk.Messages(ctx, t, o)
	if err != nil {
		return nil, err
	}
	return answer(page), nil
}
