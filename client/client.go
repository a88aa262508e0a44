// Package client asks a sesskeep server over HTTP.
//
// Make a Client with New, or with Local on the machine of the server, and call
// what the document of the API calls its operations: ListSessions, Search, Blocks,
// Bulk. A method that takes a project asks about all of them where that is empty.
// Sessions gives the rows of all pages, Follow what happens while it happens, and
// resumes after a break.
//
// What can take long has a second method, such as BulkJob, which answers at once;
// Wait waits for what it began.
//
// Whatever the server refuses is a *Problem, with a code for programs and a hint
// for people. The types and methods are generated from the OpenAPI document.
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

// Client asks one server. It may be used by several goroutines.
type Client struct {
	base  string
	token string
	http  *http.Client
}

// New makes a Client of a server, such as http://127.0.0.1:7717, with a token of
// it, which "sesskeep token create" makes.
func New(server, token string) *Client {
	return NewWith(server, token, &http.Client{})
}

// NewWith is New with a client of HTTP of the caller's, for a proxy or a
// certificate of the server's own.
func NewWith(server, token string, h *http.Client) *Client {
	return &Client{base: strings.TrimRight(server, "/"), token: token, http: h}
}

// Local makes a Client of the server of the same user, by its socket, which is
// serve.sock in the state directory of sesskeep. It needs no token: the server
// knows who asks. That holds on Linux; elsewhere use New.
func Local(socket string) *Client {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}
	return &Client{base: "http://sesskeep", http: &http.Client{Transport: &http.Transport{DialContext: dial}}}
}

// prefix is where the API lives on a server.
const prefix = "/api/v1"

// inProject is where the sessions of a project are, or all of them.
func inProject(project string) string {
	if project == "" {
		return ""
	}
	return "/projects/" + url.PathEscape(project)
}

// Error tells what the server refused.
func (p *Problem) Error() string {
	if p.Hint != "" {
		return p.Detail + " (" + p.Hint + ")"
	}
	return p.Detail
}

// ask sends a request and reads its answer in JSON.
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

// stream sends a request and gives its answer as it comes.
func (c *Client) stream(ctx context.Context, method, path string, query url.Values) (io.ReadCloser, error) {
	answer, err := c.send(ctx, method, path, query, nil, nil)
	if err != nil {
		return nil, err
	}
	return answer.Body, nil
}

// send sends a request. An answer that is an error is one.
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

// maxProblem bounds what is read of an error.
const maxProblem = 1 << 20

// refusal is the error of an answer.
func refusal(method, path string, answer *http.Response) error {
	data, err := io.ReadAll(io.LimitReader(answer.Body, maxProblem))
	p := &Problem{}
	if json.Unmarshal(data, p) == nil && p.Code != "" {
		return p
	}
	return errors.Join(fmt.Errorf("%s %s: %s", method, path, answer.Status), err)
}
