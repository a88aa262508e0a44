package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"sesskeep/internal/access"
	"sesskeep/internal/errcode"
	"sesskeep/internal/runs"
)

const aboutServer = "server"

// healthRoutes are the operations about the server itself.
type healthRoutes struct{ *Server }

func (s healthRoutes) register(api huma.API) {
	get(api, "/healthz", routeInfo{id: "alive", sum: "Check that the server is running", tag: aboutServer, role: anybody}, s.alive)
	get(api, "/health", routeInfo{id: "health", sum: "Report the health of the server", tag: aboutServer, role: access.Read}, s.health)
	post(api, "/stop", routeInfo{id: "stopServer", sum: "Stop the server after its current requests", tag: aboutServer, role: access.Operate}, s.stop)
}

// Alive confirms that a server is running.
type Alive struct {
	Status string `json:"status" example:"ok" doc:"Always ok"`
}

func (s healthRoutes) alive(context.Context, *noInput) (*body[Alive], error) {
	return answer(Alive{Status: "ok"}), nil
}

// ServerHealth is the state of a server.
type ServerHealth struct {
	Status  string `json:"status" example:"ok" doc:"Always ok"`
	Version string `json:"version" doc:"Version of sesskeep"`
	Uptime  int    `json:"uptime" doc:"Seconds since the server started"`
	Agents  int    `json:"agents" doc:"Number of active runs"`
	// Trouble is beside Status, which clients compare with ok.
	Trouble []string `json:"trouble" doc:"What is wrong, in words: a home that is not there, an index that cannot be written, damaged copies; empty: nothing is known to be"`
}

func (s healthRoutes) health(ctx context.Context, _ *noInput) (*body[ServerHealth], error) {
	h := ServerHealth{Status: "ok", Version: s.opts.Version, Uptime: int(s.opts.Now().Sub(s.startedAt).Seconds()), Trouble: []string{}}
	if behind := s.opts.App.Index.Coverage().Behind; behind != nil {
		h.Trouble = append(h.Trouble, behind.Reason)
	}
	h.Trouble = append(h.Trouble, s.opts.App.Notes()...)
	if s.opts.Runs != nil {
		runs, err := s.opts.Runs.List(ctx, runs.Filter{Living: true})
		if err != nil {
			return nil, err
		}
		h.Agents = runs.Total
	}
	return answer(h), nil
}

// Stopping confirms that a server will stop.
type Stopping struct {
	Status string `json:"status" example:"stopping" doc:"Always stopping"`
}

// stop stops the server after this answer: the server waits for running requests, and this
// is one of them.
func (s healthRoutes) stop(context.Context, *noInput) (*body[Stopping], error) {
	if s.opts.Stop == nil {
		p := newProblem(http.StatusConflict, string(errcode.Conflict), "requests cannot stop this server")
		p.Hint = "stop the program that it is part of"
		return nil, p
	}
	s.opts.Stop()
	return answer(Stopping{Status: "stopping"}), nil
}
