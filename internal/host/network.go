package host

import (
	"errors"
	"net"
	"net/netip"
)

// ErrNoNetwork says that this machine is on no private network.
var ErrNoNetwork = errors.New("this machine has no address on a private network")

// tailscale is the range that Tailscale gives its peers.
var tailscale = netip.MustParsePrefix("100.64.0.0/10")

// NetworkAddress is the address of this machine on its private network: the one
// that leads outside, else any.
func NetworkAddress() (string, error) {
	var found []net.Addr
	// Nothing is sent: this only asks which way a packet would take.
	if c, err := net.Dial("udp", "192.0.2.1:9"); err == nil {
		found = append(found, c.LocalAddr())
		_ = c.Close()
	}
	others, err := net.InterfaceAddrs()
	if err != nil {
		return "", err
	}
	for _, a := range append(found, others...) {
		var ip net.IP
		switch a := a.(type) {
		case *net.UDPAddr:
			ip = a.IP
		case *net.IPNet:
			ip = a.IP
		}
		if addr, ok := netip.AddrFromSlice(ip.To4()); ok && (addr.IsPrivate() || tailscale.Contains(addr)) {
			return addr.String(), nil
		}
	}
	return "", ErrNoNetwork
}
