// Package client is a client for the HTTP API of a sesskeep server.
//
// New returns a Client for a server's address and a token. On the server's own machine,
// Local connects through its socket and needs no token. Each operation of the API is a
// method: ListSessions, Search, Blocks, Bulk. Methods with a project argument cover all
// projects if it is empty.
//
// Three methods are built on others. Sessions iterates over all pages of a list. Follow
// iterates over events as they happen, and reconnects when the connection breaks. Wait waits
// for a job: operations that can take long have a second method that starts one, such as
// BulkJob for Bulk.
//
// If the server rejects a request, the error is a *Problem, which has a code for programs
// and a hint for people.
//
// Most of the package is generated from the OpenAPI document of the API. Within /api/v1, a
// newer server only adds operations, fields and values of enumerations; decoding ignores
// unknown fields.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// Client sends requests to one server. It is safe for concurrent use.
type Client struct {
	base  string
	token string
	http  *http.Client
}

// New returns a Client for a server, such as http://127.0.0.1:7717. The command "sesskeep
// token create" creates a token.
func New(server, token string) *Client {
	return NewWith(server, token, &http.Client{})
}

// NewWith is New with the caller's HTTP client, for a proxy or a self-signed certificate.
func NewWith(server, token string, h *http.Client) *Client {
	return &Client{base: strings.TrimRight(server, "/"), token: token, http: h}
}

// Local returns a Client for the server of the same user, through its socket: serve.sock in
// the state directory of sesskeep. It needs no token, because the server checks the user of
// the connection. That works on Linux only; elsewhere use New.
func Local(socket string) *Client {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}
	return &Client{base: "http://sesskeep", http: &http.Client{Transport: &http.Transport{DialContext: dial}}}
}

// prefix is the path of the API on a server.
const prefix = "/api/v1"

// inProject returns the path of a project, or nothing for all projects.
func inProject(project string) string {
	if project == "" {
		return ""
	}
	return "/projects/" + url.PathEscape(project)
}

// Error returns why the server rejected the request, and what to do about it.
func (p *Problem) Error() string {
	if p.Hint != "" {
		return p.Detail + " (" + p.Hint + ")"
	}
	return p.Detail
}

// ask sends a request and decodes the JSON response.
func ask[T any](ctx context.Context, c *Client, method, path string, query url.Values, body any) (*T, error) {
	answer, err := c.send(ctx, method, path, query, body, nil)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	out := new(T)
	if err := json.NewDecoder(answer.Body).Decode(out); err != nil {
		return nil, fmt.Errorf("%s %s: read the answer: %w", method, path, err)
	}
	return out, nil
}

// stream sends a request and returns the body of the response, which the caller closes.
func (c *Client) stream(ctx context.Context, method, path string, query url.Values) (io.ReadCloser, error) {
	answer, err := c.send(ctx, method, path, query, nil, nil)
	if err != nil {
		return nil, err
	}
	return answer.Body, nil
}

// send sends a request. A response with an error status is returned as an error.
func (c *Client) send(ctx context.Context, method, path string, query url.Values, body any, header http.Header) (*http.Response, error) {
	var sent io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", method, path, err)
		}
		sent = bytes.NewReader(data)
	}
	target := c.base + prefix + path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	r, err := http.NewRequestWithContext(ctx, method, target, sent)
	if err != nil {
		return nil, err
	}
	for key, values := range header {
		r.Header[key] = values
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode < 300 {
		return answer, nil
	}
	defer answer.Body.Close()
	return nil, refusal(method, path, answer)
}

// maxProblem limits how many bytes of an error response are read.
const maxProblem = 1 << 20

// refusal returns the error of a response.
func refusal(method, path string, answer *http.Response) error {
	data, err := io.ReadAll(io.LimitReader(answer.Body, maxProblem))
	p := &Problem{}
	if json.Unmarshal(data, p) == nil && p.Code != "" {
		return p
	}
	return errors.Join(fmt.Errorf("%s %s: %s", method, path, answer.Status), err)
}
