package api

import (
	"time"

	"sesskeep/internal/access"
)

// Hurry changes how long a reader has to take what is sent.
func (s *Server) Hurry(patience time.Duration) { s.patience = patience }

// MaxConns is how many connections a server has.
const MaxConns = maxConns

// Stream is a route that is not in the document.
type Stream struct {
	Method, Path string
	Role         access.Role
}

// Streams are all of them.
func Streams() (list []Stream) {
	for _, one := range new(Server).streamRoutes() {
		list = append(list, Stream{one.method, prefix + one.path, one.role})
	}
	return list
}
