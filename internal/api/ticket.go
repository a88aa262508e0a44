package api

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"sesskeep/internal/access"
	"sesskeep/internal/stamp"
)

// ticket lets whoever has it download one thing once: a browser that saves a file
// sends no token.
type ticket struct {
	who    caller
	object string // as objectOf names it
}

// ticketKey is the parameter that holds a ticket.
const ticketKey = "ticket"

// ticketRoutes are the operations that give tickets.
type ticketRoutes struct{ *Server }

func (s ticketRoutes) register(api huma.API) {
	post(api, "/tickets", routeInfo{
		id: "createTicket", sum: "Create a ticket for one download", tag: aboutAccess, role: access.Read,
		more: "A ticket is valid once, for one minute, and only for the requested path: a document or a blob of a session, with its parameters. url is that path with the ticket added.",
	}, s.createTicket)
}

type ticketInput struct {
	Body struct {
		Path string `json:"path" maxLength:"2000" doc:"Path to download, with its parameters: …/sessions/{id}/export or …/sessions/{id}/blobs/{ref}" example:"/sessions/c9cf1a6e/export?format=markdown"`
	}
}

// NewTicket is a ticket, which is told once.
type NewTicket struct {
	Ticket    string     `json:"ticket" doc:"Value of the parameter ticket"`
	URL       string     `json:"url" doc:"The path with the ticket as a parameter"`
	ExpiresAt stamp.Time `json:"expiresAt" doc:"When the ticket expires"`
}

func (s ticketRoutes) createTicket(ctx context.Context, in *ticketInput) (*body[NewTicket], error) {
	u, err := url.Parse(in.Body.Path)
	if err != nil || u.Host != "" || u.Scheme != "" || !strings.HasPrefix(u.Path, "/") || u.Query().Has(ticketKey) {
		return nil, invalid("path", "it has to be a path of this server")
	}
	object, ok := s.downloadKey(&http.Request{Method: http.MethodGet, URL: u})
	if !ok {
		return nil, invalid("path", "tickets are for documents and blobs of sessions")
	}
	until := s.opts.Now().Add(codeLife)
	code := s.tickets.New(ticket{callerOf(ctx), object})
	q := u.Query()
	q.Set(ticketKey, code)
	u.RawQuery = q.Encode()
	return answer(NewTicket{code, u.String(), stamp.Time{Time: until}}), nil
}

// downloadKey names what a request downloads, the same under all its addresses; false
// if that is no download.
func (s *Server) downloadKey(r *http.Request) (string, bool) {
	path := s.route(r).URL.EscapedPath()
	rest, ok := strings.CutPrefix(path, prefix+"/projects/")
	parts := strings.Split(rest, "/") // project, sessions, id, export or blobs, ref
	switch {
	case !ok || len(parts) < 4 || parts[1] != "sessions":
		return "", false
	case parts[3] == "export" && len(parts) == 4, parts[3] == "blobs" && len(parts) == 5:
	default:
		return "", false
	}
	q := r.URL.Query()
	q.Del(ticketKey)
	return path + "?" + q.Encode(), true
}

// ticketOwner is who got the ticket of a request, if it has a good one. It is good for
// no second one, even if it does not fit.
func (s *Server) ticketOwner(r *http.Request) (who caller, ok bool) {
	code := r.URL.Query().Get(ticketKey)
	if code == "" || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return who, false
	}
	t, good := s.tickets.Use(code)
	object, download := s.downloadKey(r)
	if !good || !download || object != t.object {
		return who, false
	}
	return t.who, t.who.Token == "" || t.who.Token == access.LocalID || s.opts.Tokens.Valid(t.who.Token)
}
