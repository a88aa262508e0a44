package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sesskeep/internal/access"
	"sesskeep/internal/api"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/health"
	"sesskeep/internal/host"
	"sesskeep/internal/regular"
	"sesskeep/internal/share"
)

// Station returns where a server of this user is found, and the tokens it accepts. The
// sample home has its own, so that its server never shows real sessions.
func Station(sh *shell.Shell) (api.Station, *access.Store, error) {
	data, err := sh.Dirs().Data()
	if err != nil {
		return api.Station{}, nil, err
	}
	state, err := sh.Dirs().State()
	if err != nil {
		return api.Station{}, nil, err
	}
	tokens, err := access.Open(state, sh.Now)
	return api.Station{Data: data, State: state}, tokens, err
}

// Links returns the links to shared pages.
func Links(sh *shell.Shell) (*share.Store, error) {
	state, err := sh.Dirs().State()
	if err != nil {
		return nil, err
	}
	return &share.Store{Dir: filepath.Join(state, "links"), Now: sh.Now}, nil
}

// server is a server of this user that runs.
type server struct {
	api.Running
	tokens *access.Store
}

// runningServer finds the one that runs.
func runningServer(sh *shell.Shell) (*server, error) {
	station, tokens, err := Station(sh)
	if err != nil {
		return nil, err
	}
	running, ok := station.Running()
	if !ok {
		return nil, fail.Missing("no server is running", `"sesskeep serve" starts one`)
	}
	return &server{running, tokens}, nil
}

// Note is what a server that runs has said of itself; nil: none runs.
func Note(sh *shell.Shell) *health.ServerNote {
	data, err := sh.Dirs().Data()
	state, errState := sh.Dirs().State()
	if err != nil || errState != nil {
		return nil // where none is known none runs
	}
	running, ok := api.Station{Data: data, State: state}.Running()
	if !ok {
		return nil
	}
	return &health.ServerNote{URL: running.URL, Trust: running.Trust}
}

// startTime is how long a server may take until it answers.
const startTime = 30 * time.Second

// startedServer finds the server that runs, or starts one in the background, with these
// flags.
func startedServer(ctx context.Context, sh *shell.Shell, args ...string) (_ *server, fresh bool, err error) {
	station, tokens, err := Station(sh)
	if err != nil {
		return nil, false, err
	}
	if running, ok := station.Running(); ok {
		return &server{running, tokens}, false, nil
	}
	program, err := sh.Program()
	if err != nil {
		return nil, false, err
	}
	log := filepath.Join(station.State, "serve.log")
	child, err := host.Start(append(append([]string{program, "serve"}, homeFlags(sh)...), args...), log)
	if err != nil {
		return nil, false, err
	}
	until := time.After(startTime)
	for {
		select {
		case err := <-child.Ended:
			if running, ok := station.Running(); ok {
				return &server{running, tokens}, false, nil // another one was first
			}
			return nil, false, startError(log, err)
		case <-until:
			return nil, false, fail.Hint(errors.New("the server does not answer"), "look at "+log)
		case <-ctx.Done():
			return nil, false, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
		if running, ok := station.Running(); ok {
			return &server{running, tokens}, true, nil
		}
	}
}

// homeFlags are the flags that make another process read the same homes.
func homeFlags(sh *shell.Shell) (list []string) {
	if sh.Flags.Demo.On {
		return []string{"--demo"}
	}
	for _, text := range sh.Flags.ClaudeDirs {
		name, dir := shell.HomeGiven(sh, text)
		dir = sh.Absolute([]string{dir})[0]
		if name != "" {
			dir = name + "=" + dir
		}
		list = append(list, "--claude-dir", dir)
	}
	return list
}

// startError is why a server in the background ended: what it said last.
func startError(log string, err error) error {
	text, _ := regular.ReadFile(log, 1<<20)
	said := strings.Split(strings.TrimSpace(strings.ReplaceAll(string(text), "sesskeep: ", "")), "\n")
	hint := ""
	if last := len(said) - 1; last > 0 && strings.HasPrefix(said[last], "hint: ") {
		hint, said = strings.TrimPrefix(said[last], "hint: "), said[:last]
	}
	var exit interface{ ExitCode() int }
	if errors.As(err, &exit) && exit.ExitCode() == 3 {
		return fail.Missing(said[len(said)-1], hint)
	}
	return fail.Hint(fmt.Errorf("start a server: %s", said[len(said)-1]), hint)
}

// ask sends a request, by the server's socket where it has one: that needs no
// certificate.
func (s *server) ask(ctx context.Context, method, path, data string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, s.URL+path, strings.NewReader(data))
	if err != nil {
		return nil, fail.Usage("api: "+err.Error(), "for example: sesskeep api /sessions/count")
	}
	if data != "" {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
	}
	secret, err := s.tokens.Local(ctx)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+secret)
	if s.Socket == "" {
		return http.DefaultClient.Do(r)
	}
	r.URL.Scheme, r.URL.Host, r.Host = "http", api.SocketHost, api.SocketHost
	transport := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", s.Socket)
	}}
	return (&http.Client{Transport: transport}).Do(r)
}

// Call asks the running server for something in JSON.
func Call(ctx context.Context, sh *shell.Shell, method, path string, body, into any) error {
	server, err := runningServer(sh)
	if err != nil {
		return err
	}
	return server.call(ctx, method, path, body, into)
}

// Shows reports whether a server runs that shows these homes and no others.
func Shows(sh *shell.Shell, roots []string) bool {
	running, err := runningServer(sh)
	return err == nil && slices.Equal(running.Homes, roots)
}

// call asks for something in JSON; body is nil where nothing is sent.
func (s *server) call(ctx context.Context, method, path string, body, into any) error {
	data := []byte(nil)
	if body != nil {
		var err error
		if data, err = json.Marshal(body); err != nil {
			return err
		}
	}
	answer, err := s.ask(ctx, method, path, string(data))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err != nil {
		return err
	}
	if answer.StatusCode >= 400 {
		var p api.Problem
		_ = json.Unmarshal(text, &p) // what is no problem has no detail
		if answer.StatusCode == http.StatusNotFound && p.Detail != "" {
			return fail.Missing(p.Detail, "")
		}
		return fail.Hint(fmt.Errorf("the server refuses: %d %s", answer.StatusCode, p.Detail), p.Hint)
	}
	return json.Unmarshal(text, into)
}
