package api

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"

	"sesskeep/internal/access"
)

// Trust is a network whose peers need no token.
type Trust struct {
	Net  netip.Prefix
	Role access.Role
}

// tailscale is the address range of Tailscale.
var tailscale = netip.MustParsePrefix("100.64.0.0/10")

// ParseTrust parses CIDR[=ROLE]. Only private networks can be trusted; the default role is
// read.
func ParseTrust(text string) (Trust, error) {
	cidr, role, given := strings.Cut(text, "=")
	t := Trust{Role: access.Read}
	var err error
	if t.Net, err = netip.ParsePrefix(cidr); err != nil {
		return t, fmt.Errorf("%q is not a network such as 192.168.1.0/24", cidr)
	}
	t.Net = t.Net.Masked()
	if given {
		if t.Role, err = access.ParseRole(role); err != nil {
			return t, err
		}
	}
	if !private(t.Net) {
		return t, fmt.Errorf("%s is not a private or Tailscale network", t.Net)
	}
	return t, nil
}

// private reports whether all addresses of a network are private.
func private(n netip.Prefix) bool {
	first, last := n.Addr(), lastOf(n)
	for _, holds := range []func(netip.Addr) bool{netip.Addr.IsPrivate, netip.Addr.IsLoopback, netip.Addr.IsLinkLocalUnicast, tailscale.Contains} {
		if holds(first) && holds(last) {
			return true
		}
	}
	return false
}

// lastOf returns the last address of a network.
func lastOf(n netip.Prefix) netip.Addr {
	bytes := n.Addr().AsSlice()
	for bit := n.Bits(); bit < len(bytes)*8; bit++ {
		bytes[bit/8] |= 0x80 >> (bit % 8)
	}
	last, _ := netip.AddrFromSlice(bytes)
	return last
}

// Describe returns a sentence for users: who needs no token, and what they may do.
func (t Trust) Describe() string {
	who := "peers of " + t.Net.String()
	if t.Net.Addr().Unmap().IsLoopback() {
		who = "all users and programs of this machine"
	}
	return fmt.Sprintf("%s may %s without a token (--trust %s=%s)", who, mayDo[t.Role], t.Net, t.Role)
}

// DescribeTrust describes all trusted networks.
func DescribeTrust(list []Trust) (texts []string) {
	for _, t := range list {
		texts = append(texts, t.Describe())
	}
	return texts
}

// mayDo describes the roles.
var mayDo = map[access.Role]string{
	access.Read: "read everything", access.Approve: "read everything and answer what running sessions ask",
	access.Manage: "read, change and delete sessions", access.Operate: "read, change and purge everything, and start sessions,",
}

// trustWarnings describes who on this machine needs no token. Trusting another network is
// deliberate; trusting loopback means every local user and, behind a proxy, everyone who
// can reach the proxy.
func (d *Door) trustWarnings() (warnings []string) {
	for _, t := range d.Trust {
		if !t.Net.Addr().Unmap().IsLoopback() {
			continue
		}
		text := t.Describe()
		if d.BehindProxy {
			text += ", and so may everyone who comes through a proxy on it"
		}
		warnings = append(warnings, text)
	}
	return warnings
}

// trusted returns the role of a peer that needs no token.
func (s *Server) trusted(r *http.Request) (access.Role, bool) {
	addr, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return "", false
	}
	for _, t := range s.opts.Trust {
		if t.Net.Contains(addr.Addr().Unmap()) {
			return t.Role, true
		}
	}
	return "", false
}
