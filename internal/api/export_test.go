package api

import "sesskeep/internal/access"

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
