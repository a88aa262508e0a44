package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"sesskeep/internal/access"
	"sesskeep/internal/errcode"
	"sesskeep/internal/stamp"

	"github.com/danielgtaylor/huma/v2"
)

const aboutAccess = "access"

// codeLife is how long a one-time code is valid.
const codeLife = time.Minute

// tokenRoutes are the operations about tokens.
type tokenRoutes struct{ *Server }

func (s tokenRoutes) register(api huma.API) {
	w := routeInfo{id: "listTokens", sum: "List tokens, without their secrets", tag: aboutAccess, role: access.Operate}
	get(api, "/tokens", w, s.listTokens)
	w.id, w.sum = "createToken", "Create a token; only this response has its secret"
	post(api, "/tokens", w, s.createToken)
	w.id, w.sum = "revokeToken", "Revoke a token and end its streams"
	add(api, http.MethodDelete, "/tokens/{id}", w, s.revokeToken)
	w.id, w.sum = "createCode", "Create a code that can be exchanged for a token once, within a minute"
	post(api, "/codes", w, s.createCode)
	w.id, w.sum, w.role = "login", "Exchange a one-time code for a token", anybody
	post(api, "/login", w, s.login)
}

// TokenRow is a token without its secret.
type TokenRow struct {
	ID        string      `json:"id" doc:"Id of the token"`
	Name      string      `json:"name,omitempty" doc:"Name that the user gave the token"`
	Role      access.Role `json:"role" doc:"What the token may do"`
	CreatedAt stamp.Time  `json:"createdAt" doc:"When the token was created"`
	ExpiresAt stamp.Time  `json:"expiresAt,omitzero" doc:"When the token expires; missing if it never does"`
	Device    bool        `json:"device,omitempty" doc:"True if the token belongs to a paired device"`
	Projects  []string    `json:"projects,omitempty" doc:"Projects that the token is limited to: it may only ask about them, at /mcp"`
	// LastUsedAt is noted once a minute.
	LastUsedAt stamp.Time `json:"lastUsedAt,omitzero" doc:"When the token was used last, to the minute; missing if it never was"`
	Current    bool       `json:"current,omitempty" doc:"True if this request carried the token"`
}

// TokenPage is a page of tokens.
type TokenPage struct {
	Tokens []TokenRow `json:"tokens" doc:"Tokens, oldest first"`
	Paged
}

// NewToken is a token with its secret.
type NewToken struct {
	Token string `json:"token" doc:"Secret of the token"`
	TokenRow
}

func tokenRow(t access.Token) TokenRow {
	return TokenRow{ID: t.ID, Name: t.Name, Role: t.Role, CreatedAt: stamp.Time{Time: t.CreatedAt}, ExpiresAt: stamp.Time{Time: t.ExpiresAt}, Device: t.Device, Projects: t.Projects}
}

func (s tokenRoutes) listTokens(ctx context.Context, in *struct{ Paging }) (*body[TokenPage], error) {
	list, err := s.opts.Tokens.List()
	if err != nil {
		return nil, err
	}
	used, caller := s.opts.Tokens.Uses(), callerOf(ctx).Token
	rows := make([]TokenRow, len(list))
	for i, t := range list {
		rows[i] = tokenRow(t)
		rows[i].LastUsedAt, rows[i].Current = stamp.Time{Time: used[t.ID]}, t.ID == caller
	}
	page, w, err := paginate(&in.Paging, "tokens", rows, func(t *TokenRow) string { return t.ID })
	if err != nil {
		return nil, err
	}
	return answer(TokenPage{page, w}), nil
}

// maxName is the longest name of a token.
const maxName = 100

type grantInput struct {
	Body struct {
		Role access.Role `json:"role,omitempty" doc:"Role of the token. Default: read"`
		Name string      `json:"name,omitempty" maxLength:"100" doc:"Name of the token"`
		Days int         `json:"days,omitempty" minimum:"0" maximum:"3650" doc:"Days until the token expires. Default: never"`
		// Projects are kept as they are given: they are resolved with each question.
		Projects []string `json:"projects,omitempty" maxItems:"100" doc:"Limit the token to questions about these projects, at /mcp: directories or short names. Default: it is not limited"`
	}
}

// grant returns the requested grant.
func (in *grantInput) grant() (g access.Grant, err error) {
	g = access.Grant{Name: clip(in.Body.Name, maxName), Role: access.Read, Life: time.Duration(in.Body.Days) * 24 * time.Hour, Projects: in.Body.Projects}
	if len(g.Projects) == 0 {
		g.Projects = nil
	}
	if in.Body.Role != "" {
		g.Role, err = access.ParseRole(string(in.Body.Role))
	}
	return g, err
}

func (s tokenRoutes) createToken(ctx context.Context, in *grantInput) (*body[NewToken], error) {
	g, err := in.grant()
	if err != nil {
		return nil, invalid("role", "%v", err)
	}
	return s.grantToken(ctx, g, "token create")
}

// grantToken creates a token, and records that in the journal before the token is
// returned.
func (s *Server) grantToken(ctx context.Context, g access.Grant, verb string) (*body[NewToken], error) {
	secret, made, err := s.opts.Tokens.Grant(ctx, g)
	if err != nil {
		return nil, err
	}
	if err := s.recordAccess(ctx, verb, made); err != nil {
		return nil, err
	}
	return answer(NewToken{secret, tokenRow(made)}), nil
}

type revokeInput struct {
	ID string `path:"id" doc:"ID of the token"`
	Dry
}

func (s tokenRoutes) revokeToken(ctx context.Context, in *revokeInput) (*body[TokenRow], error) {
	t, err := s.revoke(ctx, in)
	if errors.Is(err, access.ErrNoToken) {
		p := newProblem(http.StatusNotFound, string(errcode.NotFound), err.Error())
		p.Hint = "GET /tokens lists them"
		return nil, p
	}
	if err != nil {
		return nil, err
	}
	return answer(tokenRow(t)), nil
}

// revoke revokes a token, or only finds it for a dry run.
func (s tokenRoutes) revoke(ctx context.Context, in *revokeInput) (access.Token, error) {
	if in.DryRun {
		return s.opts.Tokens.Find(in.ID)
	}
	t, err := s.opts.Tokens.Revoke(ctx, in.ID)
	if err != nil {
		return t, err
	}
	return t, s.recordAccess(ctx, "token revoke", t)
}

// recordAccess records in the journal what was done with a token.
func (s *Server) recordAccess(ctx context.Context, verb string, t access.Token) error {
	return s.opts.App.Acts.NoteAccess(ctx, s.doing(ctx, false, false), verb, strings.TrimSpace(fmt.Sprintf("token %s, role %s %s", t.ID, t.Role, t.Name)))
}

// NewCode is a code that can be used once.
type NewCode struct {
	Code      string     `json:"code" doc:"The one-time code"`
	ExpiresAt stamp.Time `json:"expiresAt" doc:"When the code expires"`
}

func (s tokenRoutes) createCode(_ context.Context, in *grantInput) (*body[NewCode], error) {
	g, err := in.grant()
	if err != nil {
		return nil, invalid("role", "%v", err)
	}
	until := s.opts.Now().Add(codeLife)
	return answer(NewCode{s.logins.New(g), stamp.Time{Time: until}}), nil
}

type loginInput struct {
	Body struct {
		Code   string `json:"code" maxLength:"100" doc:"The one-time code"`
		Device string `json:"device,omitempty" maxLength:"100" doc:"Name that the browser gives itself, for a code without a name"`
	}
}

// login creates the token for a code. Wrong codes are rate-limited like wrong tokens, and
// another user gets the same answer for every code.
func (s tokenRoutes) login(ctx context.Context, in *loginInput) (*body[NewToken], error) {
	if !callerOf(ctx).OtherUser {
		if g, ok := s.logins.Use(in.Body.Code); ok {
			g.Name = cmp.Or(g.Name, clip(in.Body.Device, maxName), "browser")
			return s.grantToken(ctx, g, "login")
		}
	}
	if wait, tooMany := s.tries.Fail(callerOf(ctx).From); tooMany {
		return nil, rateLimited(wait)
	}
	p := newProblem(http.StatusUnauthorized, "unauthorized", "the code is not valid, or no longer")
	p.Hint = "each code is valid once, for a minute; create another one"
	return nil, p
}
