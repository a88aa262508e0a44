package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"sesskeep/internal/access"
	"sesskeep/internal/errcode"
	"sesskeep/internal/share"
	"sesskeep/internal/talk"

	"github.com/danielgtaylor/huma/v2"
)

// linkRoutes are the operations about links to shared pages.
type linkRoutes struct{ *Server }

func (s linkRoutes) register(api huma.API) {
	w := routeInfo{id: "previewDocument", sum: "Show what a document would hide, and where", tag: aboutConversations, role: access.Read,
		more: "Counts secrets by family and names the messages that have marks in their place; never a secret itself. The parameters are those of exportSession."}
	get(api, "/projects/{project}/sessions/{id}/hidden", w, s.preview)
	w = routeInfo{id: "createLink", sum: "Share a session by a link; only this response has its address", tag: aboutAccess, role: access.Operate,
		more: "The redacted page is frozen in a file. Anyone with the link can read it without a token until it expires or is revoked. Refused unless the server was started with --share-links."}
	post(api, "/projects/{project}/sessions/{id}/links", w, s.createLink)
	w = routeInfo{id: "listLinks", sum: "List links to shared pages, without their addresses", tag: aboutAccess, role: access.Operate}
	get(api, "/links", w, s.listLinks)
	w = routeInfo{id: "revokeLink", sum: "Revoke a link and delete its page", tag: aboutAccess, role: access.Operate}
	add(api, http.MethodDelete, "/links/{id}", w, s.revokeLink)
}

// DocumentChoice says what is in a document.
type DocumentChoice struct {
	Leaf            string `json:"leaf,omitempty" query:"leaf" doc:"Conversation, by the uuid of its last line. Default: the active one"`
	From            string `json:"from,omitempty" query:"from" doc:"Message that the document begins with. Default: the first"`
	To              string `json:"to,omitempty" query:"to" doc:"Message that the document ends with. Default: the last"`
	All             bool   `json:"all,omitempty" query:"all" doc:"All conversations"`
	Agents          bool   `json:"agents,omitempty" query:"agents" doc:"Include sub-agents"`
	ExcludeThinking bool   `json:"excludeThinking,omitempty" query:"excludeThinking" doc:"Leave out thinking"`
	ExcludeTools    bool   `json:"excludeTools,omitempty" query:"excludeTools" doc:"Leave out tool calls"`
	Replay          bool   `json:"replay,omitempty" query:"replay" doc:"Add controls that play the session on its time axis (html only)"`
}

// options returns the choice for an export in a format.
func (c *DocumentChoice) options(format string) (o talk.ExportOptions, err error) {
	o.Format, err = talk.ParseFormat(format)
	o.Leaf, o.From, o.To, o.All, o.Agents = c.Leaf, c.From, c.To, c.All, c.Agents
	o.NoThinking, o.NoTools, o.Replay = c.ExcludeThinking, c.ExcludeTools, c.Replay
	return o, err
}

type previewInput struct {
	OneSession
	DocumentChoice
	Format string `query:"format" enum:"markdown,html,text,json" doc:"Format of the document. Default: html"`
}

func (s linkRoutes) preview(ctx context.Context, in *previewInput) (*body[talk.Hidden], error) {
	o, err := in.options(cmp.Or(in.Format, "html"))
	if err != nil {
		return nil, err
	}
	_, t, err := s.target(ctx, &in.OneSession)
	if err != nil {
		return nil, err
	}
	h, err := s.opts.App.Talk.Preview(ctx, nil, t, o)
	if err != nil {
		return nil, err
	}
	return answer(h), nil
}

// LinkPage is a page of links.
type LinkPage struct {
	Links   []share.Link `json:"links" doc:"Links, the newest first"`
	Enabled bool         `json:"enabled" doc:"True if the server shows shared pages"`
	Paged
}

// NewLink is a link with its address.
type NewLink struct {
	URL    string      `json:"url" doc:"Address of the page; anyone with it can read the page"`
	Hidden talk.Hidden `json:"hidden" doc:"What marks stand for in the page, and where"`
	share.Link
}

type linkInput struct {
	OneSession
	Body struct {
		DocumentChoice
		Hours int `json:"hours,omitempty" minimum:"0" maximum:"2160" doc:"Hours until the link expires. Default: 168, a week"`
	}
}

// usualHours is how long a link is valid unless it says otherwise.
const usualHours = 7 * 24

func (s linkRoutes) createLink(ctx context.Context, in *linkInput) (*body[NewLink], error) {
	if !s.opts.ShareLinks {
		p := newProblem(http.StatusForbidden, "links_off", "this server shares no pages by links")
		p.Hint = `start it with "sesskeep serve --share-links"`
		return nil, p
	}
	o, err := in.Body.options("html")
	if err != nil {
		return nil, err
	}
	session, t, err := s.target(ctx, &in.OneSession)
	if err != nil {
		return nil, err
	}
	hours := cmp.Or(in.Body.Hours, usualHours)
	page := share.Page{Session: session.ID, Main: string(t.Ref.Session), Policy: o.Policy(), Until: s.opts.Now().Add(time.Duration(hours) * time.Hour)}
	var hidden talk.Hidden
	page.Write = func(ctx context.Context, w io.Writer, l *share.Link) error {
		hidden, err = s.opts.App.Talk.Preview(ctx, w, t, o)
		l.Title, l.Secrets = hidden.Title, hidden.Secrets
		return err
	}
	secret, l, err := s.opts.Links.Create(ctx, page)
	if errors.Is(err, share.ErrTooLarge) {
		return nil, invalidField("", err.Error())
	}
	if err != nil {
		return nil, err
	}
	if err := s.noteLink(ctx, "share", &l); err != nil {
		_, lost := s.opts.Links.Revoke(l.ID)
		return nil, errors.Join(err, lost)
	}
	return answer(NewLink{s.linkURL(ctx, secret), hidden, l}), nil
}

// noteLink records in the journal that a link was created or revoked.
func (s linkRoutes) noteLink(ctx context.Context, verb string, l *share.Link) error {
	what := fmt.Sprintf("link %s to %s, until %s", l.ID, l.Session, l.ExpiresAt.UTC().Format(time.RFC3339))
	return s.opts.App.Acts.NoteAccess(ctx, s.doing(ctx, false, false), verb, what)
}

func (s linkRoutes) listLinks(_ context.Context, in *struct{ Paging }) (*body[LinkPage], error) {
	list, err := s.opts.Links.List()
	if err != nil {
		return nil, err
	}
	page, w, err := paginate(&in.Paging, "links", list, func(l *share.Link) string { return l.ID })
	if err != nil {
		return nil, err
	}
	return answer(LinkPage{page, s.opts.ShareLinks, w}), nil
}

type revokeLinkInput struct {
	ID string `path:"id" doc:"ID of the link"`
	Dry
}

func (s linkRoutes) revokeLink(ctx context.Context, in *revokeLinkInput) (*body[share.Link], error) {
	revoke := s.opts.Links.Revoke
	if in.DryRun {
		revoke = s.opts.Links.Find
	}
	l, err := revoke(in.ID)
	if errors.Is(err, share.ErrNoLink) {
		p := newProblem(http.StatusNotFound, string(errcode.NotFound), err.Error())
		p.Hint = "GET /links lists them"
		return nil, p
	}
	if err == nil && !in.DryRun {
		err = s.noteLink(ctx, "share revoke", &l)
	}
	if err != nil {
		return nil, err
	}
	return answer(l), nil
}
