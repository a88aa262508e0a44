package api

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"strings"

	"sesskeep/internal/regular"
)

// fromOtherUser reports whether another user of this machine sent the request. Other users
// can see the arguments of a browser that is started with a code, and the code is not for
// them. It reports false for root and if the system does not know the user.
func fromOtherUser(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	here, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if err != nil || !ok || !peer.Addr().Unmap().IsLoopback() {
		return false
	}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		f, err := regular.Open(table)
		if err != nil {
			continue
		}
		uid, known := ownerIn(f, plainAddr(peer), plainAddr(here.AddrPort()))
		_ = f.Close() // the file was only read
		if known {
			return uid != 0 && uid != os.Getuid()
		}
	}
	return false
}

func plainAddr(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr().Unmap(), a.Port())
}

// ownerIn finds the user of a connection between two addresses in the system's table of
// connections.
func ownerIn(table io.Reader, from, to netip.AddrPort) (uid int, known bool) {
	for rows := bufio.NewScanner(table); rows.Scan(); {
		columns := strings.Fields(rows.Text()) // number, from, to, state, queues, timer, retries, uid, …
		if len(columns) < 8 {
			continue
		}
		one, ok := tableAddr(columns[1])
		other, too := tableAddr(columns[2])
		if !ok || !too || one != from || other != to {
			continue
		}
		if uid, err := strconv.Atoi(columns[7]); err == nil {
			return uid, true
		}
	}
	return 0, false
}

// tableAddr parses an address of the table: words in the processor's byte order.
func tableAddr(text string) (a netip.AddrPort, ok bool) {
	host, port, _ := strings.Cut(text, ":")
	bytes, err := hex.DecodeString(host)
	number, portErr := strconv.ParseUint(port, 16, 16)
	if err != nil || portErr != nil || len(bytes)%4 != 0 {
		return a, false
	}
	for i := 0; i < len(bytes); i += 4 {
		binary.NativeEndian.PutUint32(bytes[i:], binary.BigEndian.Uint32(bytes[i:]))
	}
	addr, ok := netip.AddrFromSlice(bytes)
	return netip.AddrPortFrom(addr.Unmap(), uint16(number)), ok
}
