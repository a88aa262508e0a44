package api

import (
	"context"
	"net"
	"net/http"
	"os"

	"golang.org/x/sys/unix"
)

type peerKey struct{}

// withPeer adds the user at the other end of a socket to the context.
func withPeer(ctx context.Context, c net.Conn) context.Context {
	if b, ok := c.(*conn); ok {
		c = b.Conn
	}
	socket, ok := c.(*net.UnixConn)
	if !ok {
		return ctx
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return ctx
	}
	var peer *unix.Ucred
	if raw.Control(func(fd uintptr) { peer, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }) != nil || err != nil {
		return ctx
	}
	return context.WithValue(ctx, peerKey{}, int(peer.Uid))
}

// sameUser reports whether a program of the same user sent the request through the socket.
func sameUser(r *http.Request) bool {
	uid, ok := r.Context().Value(peerKey{}).(int)
	return ok && uid == os.Getuid()
}
