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

// ticket allows one download: a browser that saves a file sends no token.
type ticket struct {
	who    caller
	object string // as downloadKey returns it
}

// ticketKey is the parameter with the ticket.
const ticketKey = "ticket"

// ticketRoutes are the operations that create tickets.
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

// NewTicket is a ticket, which is returned only once.
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

// downloadKey returns a name for what a request downloads, the same for all paths that
// mean it; false if it is not a download.
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

// ticketOwner returns the caller who created the ticket of a request, if the ticket is
// valid. It is used up even if it is for another download.
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
