//go:build !linux

package api

import (
	"context"
	"net"
	"net/http"
)

// withPeer adds nothing where the system does not report the peer's user.
func withPeer(ctx context.Context, _ net.Conn) context.Context { return ctx }

// sameUser reports false: programs of the same user send their token.
func sameUser(*http.Request) bool { return false }
