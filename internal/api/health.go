package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"sesskeep/internal/access"
)

const aboutServer = "server"

func (s *Server) healthRoutes(api huma.API) {
	get(api, "/healthz", what{id: "alive", sum: "Tell that the server is alive", tag: aboutServer, role: anybody}, s.alive)
	get(api, "/health", what{id: "health", sum: "Tell how the server does", tag: aboutServer, role: access.Read}, s.health)
}

// Alive says that a server is there, and nothing else.
type Alive struct {
	Status string `json:"status" example:"ok"`
}

func (s *Server) alive(context.Context, *nothing) (*body[Alive], error) {
	return answer(Alive{Status: "ok"}), nil
}

// ServerHealth is what a server tells of itself.
type ServerHealth struct {
	Status  string `json:"status" example:"ok"`
	Version string `json:"version"`
	Uptime  int    `json:"uptime" doc:"Seconds"`
	Agents  int    `json:"agents" doc:"Runs that are alive"`
}

func (s *Server) health(context.Context, *nothing) (*body[ServerHealth], error) {
	return answer(ServerHealth{Status: "ok", Version: s.opts.Version, Uptime: int(s.opts.Now().Sub(s.began).Seconds())}), nil
}
