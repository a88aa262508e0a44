package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"sesskeep/internal/access"
	"sesskeep/internal/errcode"
	"sesskeep/internal/stamp"
)

// pairingLife is how long a pairing may take.
const pairingLife = 2 * time.Minute

// pairRoutes are the operations that pair devices.
type pairRoutes struct{ *Server }

func (s pairRoutes) register(api huma.API) {
	w := routeInfo{id: "beginPairing", sum: "Start a pairing: create a code that a device can use once, within two minutes", tag: aboutAccess, role: access.Operate}
	post(api, "/pairings", w, s.startPairing)
	w.id, w.sum = "pairing", "Show the status of a pairing, and the number that the device shows"
	get(api, "/pairings/{id}", w, s.pairing)
	w.id, w.sum = "confirmPairing", "Confirm that the device shows the same number"
	post(api, "/pairings/{id}/confirm", w, s.confirmPairing)
	w.id, w.sum = "refusePairing", "Reject a pairing: the device gets no token"
	add(api, http.MethodDelete, "/pairings/{id}", w, s.refusePairing)
	w = routeInfo{id: "pair", sum: "Claim a pairing by its code, then collect the token", tag: aboutAccess, role: anybody,
		more: `A device first sends the code and receives a claim and a number. It shows the number and repeats the request with the claim until a person has compared the numbers; then the response has its token. Five wrong codes close a pairing.`}
	post(api, "/pair", w, s.pair)
}

// PairingRow is a pairing as its initiator sees it.
type PairingRow struct {
	ID        string               `json:"id" doc:"Id of the pairing"`
	Status    access.PairingStatus `json:"status" doc:"State of the pairing"`
	Code      string               `json:"code,omitempty" doc:"Code to enter on the device; returned only once"`
	URL       string               `json:"url,omitempty" doc:"Address for devices; returned with the code"`
	Key       string               `json:"key,omitempty" doc:"SHA-256 of the server's public key at that address (SubjectPublicKeyInfo), in URL-safe base64"`
	Number    string               `json:"number,omitempty" doc:"Number that the device has to show" example:"482 913"`
	Device    string               `json:"device,omitempty" doc:"Name that the device gives itself"`
	From      string               `json:"from,omitempty" doc:"Address that the device connected from"`
	TokenID   string               `json:"tokenId,omitempty" doc:"ID of the token that the device received"`
	ExpiresAt stamp.Time           `json:"expiresAt" doc:"When the pairing expires"`
}

func pairingRow(p access.Pairing) PairingRow {
	return PairingRow{
		ID: p.ID, Status: p.Status, Number: p.Short, Device: p.Device, From: p.From, TokenID: p.TokenID,
		ExpiresAt: stamp.Time{Time: p.ExpiresAt},
	}
}

type pairingInput struct {
	Body struct {
		Role access.Role `json:"role,omitempty" doc:"Role of the device. Default: manage"`
		Name string      `json:"name,omitempty" maxLength:"100" doc:"Name of the device. Default: the name it gives itself"`
		Days int         `json:"days,omitempty" minimum:"0" maximum:"3650" doc:"Days until the device's token expires. Default: never"`
	}
}

func (s pairRoutes) startPairing(_ context.Context, in *pairingInput) (*body[PairingRow], error) {
	g := access.Grant{Role: access.Manage, Name: clip(in.Body.Name, maxName), Life: time.Duration(in.Body.Days) * 24 * time.Hour, Device: true}
	if in.Body.Role != "" {
		g.Role = in.Body.Role
	}
	p := s.pairings.Start(g)
	row := pairingRow(p)
	row.Code, row.URL, row.Key = p.Code, s.opts.Devices.URL, s.opts.Devices.Key
	return answer(row), nil
}

type pairingID struct {
	ID string `path:"id" doc:"ID of the pairing"`
}

func (s pairRoutes) pairing(_ context.Context, in *pairingID) (*body[PairingRow], error) {
	return pairingAnswer(s.pairings.Find(in.ID))
}

func (s pairRoutes) confirmPairing(_ context.Context, in *pairingID) (*body[PairingRow], error) {
	return pairingAnswer(s.pairings.Confirm(in.ID))
}

func (s pairRoutes) refusePairing(_ context.Context, in *pairingID) (*body[PairingRow], error) {
	return pairingAnswer(s.pairings.Refuse(in.ID))
}

func pairingAnswer(p access.Pairing, err error) (*body[PairingRow], error) {
	if err != nil {
		problem := newProblem(http.StatusNotFound, string(errcode.NotFound), err.Error())
		problem.Hint = "POST /pairings starts another"
		return nil, problem
	}
	return answer(pairingRow(p)), nil
}

type pairInput struct {
	Body struct {
		Code   string `json:"code,omitempty" maxLength:"100" doc:"Code shown on the other screen"`
		Device string `json:"device,omitempty" maxLength:"100" doc:"Name that the device gives itself"`
		Claim  string `json:"claim,omitempty" maxLength:"100" doc:"Claim from the first response, to collect the token"`
	}
}

// Paired is the state of a pairing as the device sees it.
type Paired struct {
	Status access.PairingStatus `json:"status" enum:"claimed,paired" doc:"Paired once the numbers were compared"`
	Claim  string               `json:"claim,omitempty" doc:"Claim to send with the next request"`
	Number string               `json:"number,omitempty" doc:"Number to show, for comparison with the other screen"`
	Token  *NewToken            `json:"token,omitempty" doc:"Once paired: the token, returned only once"`
}

// pair claims a pairing, or collects its token. Wrong codes are rate-limited like wrong
// tokens.
func (s pairRoutes) pair(ctx context.Context, in *pairInput) (*body[Paired], error) {
	if in.Body.Claim != "" {
		return s.collect(ctx, in.Body.Claim)
	}
	from := callerOf(ctx).From
	claim, p, err := s.pairings.Claim(in.Body.Code, clip(in.Body.Device, maxName), from)
	if err == nil {
		return answer(Paired{Status: p.Status, Claim: claim, Number: p.Short}), nil
	}
	return nil, s.refusedPair(from, err)
}

func (s pairRoutes) collect(ctx context.Context, claim string) (*body[Paired], error) {
	p, grant, err := s.pairings.Collect(claim)
	if errors.Is(err, access.ErrNotYet) {
		return answer(Paired{Status: p.Status, Number: p.Short}), nil
	}
	if err != nil {
		return nil, s.refusedPair(callerOf(ctx).From, err)
	}
	made, err := s.grantToken(ctx, grant, "pair")
	if err != nil {
		return nil, err
	}
	s.pairings.Paired(p.ID, made.Body.ID)
	return answer(Paired{Status: p.Status, Token: &made.Body}), nil
}

func (s pairRoutes) refusedPair(from string, err error) error {
	if wait, tooMany := s.tries.Fail(from); tooMany {
		return rateLimited(wait)
	}
	p := newProblem(http.StatusUnauthorized, "unauthorized", err.Error())
	p.Hint = `start again: "sesskeep pair" shows another code, which is valid once, for two minutes`
	return p
}
