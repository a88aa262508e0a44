package api

import (
	"context"
	"crypto/ecdsa"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sesskeep/internal/regular"
)

// Port is the default port of a server.
const Port = "7717"

// DevicePort is the default port for devices.
const DevicePort = "7718"

// Door is where a server listens, and what makes that safe.
type Door struct {
	Address string // HOST:PORT; empty means 127.0.0.1 and Port
	Socket  string // path of a unix socket; empty means none
	// Names are additional names of the server, such as that of a proxy.
	Names []string
	Trust []Trust
	// BehindProxy is true if a proxy in front of the server terminates TLS.
	BehindProxy bool
	Cert, Key   string // files for TLS; empty means none
	// Devices is the address, HOST:PORT, for paired devices, over TLS with a self-signed
	// certificate; empty means none.
	Devices string
	// DeviceKey is the key that devices pin.
	DeviceKey *ecdsa.PrivateKey
}

// ErrUnsafe is the error of an address where a server may not listen without protection.
var ErrUnsafe = errors.New("not safe to listen there")

// Check returns an error unless it is safe to listen there: on loopback, with TLS, behind
// a proxy, or on a network all of whose peers are trusted anyway.
func (d *Door) Check() error {
	host, _, err := net.SplitHostPort(d.address())
	if err != nil {
		return fmt.Errorf("%q is not an address such as 127.0.0.1:%s", d.Address, Port)
	}
	if (d.Cert == "") != (d.Key == "") {
		return errors.New("TLS needs a certificate and its key")
	}
	if loopback(host) || d.Cert != "" || d.BehindProxy {
		return nil
	}
	addr, err := netip.ParseAddr(host)
	if err == nil && slices.ContainsFunc(d.Trust, func(t Trust) bool { return t.Net.Contains(addr.Unmap()) }) {
		return nil
	}
	return fmt.Errorf("%w: %s is not loopback", ErrUnsafe, d.address())
}

func (d *Door) address() string {
	if d.Address == "" {
		return net.JoinHostPort("127.0.0.1", Port)
	}
	if strings.HasPrefix(d.Address, ":") {
		return "127.0.0.1" + d.Address // without a host it listens on all networks
	}
	return d.Address
}

// plain reports whether others on the network can read the traffic.
func (d *Door) plain() bool {
	host, _, _ := net.SplitHostPort(d.address())
	return !loopback(host) && d.Cert == "" && !d.BehindProxy
}

func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

// Listening are the open addresses of a Door.
type Listening struct {
	URL   string   // URL for users
	Hosts []string // names that requests may use
	// Proxies are those of Hosts that may belong to a proxy, which may terminate TLS.
	Proxies []string
	// Warnings describe what is unsafe about the addresses.
	Warnings []string
	Devices  Reach // address for devices

	endpoints []endpoint
}

// Reach is the address for devices; the zero value means none.
type Reach struct {
	URL string
	Key string // SHA-256 of the server's public key, in URL-safe base64
}

// endpoint is one open address.
type endpoint struct {
	net.Listener
	tls *tls.Config // nil means no TLS
}

// withoutAddress returns a network error without its address, which the caller names
// itself.
func withoutAddress(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}

// Listen opens the addresses of a Door.
func (d *Door) Listen() (*Listening, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	l := &Listening{Hosts: lower(d.Names), Proxies: lower(d.Names), Warnings: d.trustWarnings()}
	config, err := d.tlsConfig()
	if err != nil {
		return nil, err
	}
	tcp, err := net.Listen("tcp", d.address())
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", d.address(), withoutAddress(err))
	}
	l.endpoints = append(l.endpoints, endpoint{tcp, config})
	_, port, _ := net.SplitHostPort(tcp.Addr().String())
	host, _, _ := net.SplitHostPort(d.address())
	if loopback(host) {
		l.addIPv6Loopback(port, host, config)
		l.Hosts = append(l.Hosts, "localhost:"+port, "127.0.0.1:"+port, "[::1]:"+port)
	}
	l.Hosts = append(l.Hosts, strings.ToLower(net.JoinHostPort(host, port)))
	l.Hosts = append(l.Hosts, certNames(config, port)...)
	scheme := "http"
	if d.Cert != "" {
		scheme = "https"
	}
	l.URL = scheme + "://" + net.JoinHostPort(host, port)
	if d.plain() {
		l.Warnings = append(l.Warnings, fmt.Sprintf("%s speaks plain HTTP: others on that network can read the traffic. Peers of %s need no token.", l.URL, trustedText(d.Trust)))
	}
	if err := errors.Join(l.addDevices(d), l.addSocket(d.Socket)); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// tlsConfig returns the configuration for the user's own certificate; nil if there is
// none.
func (d *Door) tlsConfig() (*tls.Config, error) {
	if d.Cert == "" {
		return nil, nil
	}
	cert, err := tls.LoadX509KeyPair(d.Cert, d.Key)
	if err != nil {
		return nil, fmt.Errorf("the certificate for TLS: %w", err)
	}
	return withCert(cert), nil
}

func withCert(cert tls.Certificate) *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{cert}, NextProtos: protocols}
}

// protocols are the HTTP versions that a client can choose from.
var protocols = []string{"h2", "http/1.1"}

// addDevices listens on the address for devices.
func (l *Listening) addDevices(d *Door) error {
	if d.Devices == "" {
		return nil
	}
	host, _, err := net.SplitHostPort(d.Devices)
	if err != nil || host == "" {
		return fmt.Errorf("%q is not an address such as 192.168.1.5:%s", d.Devices, DevicePort)
	}
	cert, err := selfSigned(d.DeviceKey, time.Now(), []string{host})
	if err != nil {
		return err
	}
	tcp, err := net.Listen("tcp", d.Devices)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", d.Devices, withoutAddress(err))
	}
	l.endpoints = append(l.endpoints, endpoint{tcp, withCert(cert)})
	_, port, _ := net.SplitHostPort(tcp.Addr().String())
	name := strings.ToLower(net.JoinHostPort(host, port))
	l.Hosts = append(l.Hosts, name)
	l.Devices = Reach{URL: "https://" + name, Key: keyFingerprint(cert)}
	return nil
}

// addIPv6Loopback also listens on the IPv6 loopback address, if there is one.
func (l *Listening) addIPv6Loopback(port, host string, config *tls.Config) {
	if addr, err := netip.ParseAddr(host); err == nil && addr.Is6() {
		return
	}
	if six, err := net.Listen("tcp", net.JoinHostPort("::1", port)); err == nil {
		l.endpoints = append(l.endpoints, endpoint{six, config})
	}
}

// addSocket listens on a socket that only this user can open. It removes the socket of a
// server that is gone: a data directory has only one server.
func (l *Listening) addSocket(path string) error {
	if path == "" {
		return nil
	}
	if err := regular.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSocket != 0 {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	socket, err := net.Listen("unix", path)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", path, withoutAddress(err))
	}
	l.endpoints = append(l.endpoints, endpoint{Listener: socket})
	return os.Chmod(path, 0o600)
}

// SocketHost is the host name in requests through the socket. It is not accepted
// elsewhere.
const SocketHost = "sesskeep"

// Close closes all addresses.
func (l *Listening) Close() error {
	var all error
	for _, one := range l.endpoints {
		all = errors.Join(all, one.Close())
	}
	return all
}

// The timeouts of a client.
const (
	headerTime = 5 * time.Second
	idleTime   = time.Minute
	graceTime  = 5 * time.Second
)

// Run serves until the context ends, then gives running requests some time to finish.
func (l *Listening) Run(ctx context.Context, s *Server) error {
	all := newConns()
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		ConnContext: withPeer, ConnState: all.stateChanged, ErrorLog: slog.NewLogLogger(s.opts.Log.Handler(), slog.LevelWarn),
		TLSConfig:   &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: protocols}, // each endpoint has its own certificate
		BaseContext: func(net.Listener) context.Context { return ctx },                // ends streams too
	}
	ended := make(chan error, len(l.endpoints))
	for _, one := range l.endpoints {
		go func() { ended <- server.Serve(one.limited(all)) }()
	}
	var err error
	left := len(l.endpoints)
	select {
	case <-ctx.Done():
	case err = <-ended:
		left--
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceTime)
	defer cancel()
	if stop := errors.Join(server.Shutdown(grace), s.closeSockets(grace)); stop != nil {
		err = errors.Join(err, server.Close())
	}
	for range left {
		if one := <-ended; !errors.Is(one, http.ErrServerClosed) {
			err = errors.Join(err, one)
		}
	}
	return err
}

// limited returns the endpoint as a listener whose connections count towards the limit.
func (g endpoint) limited(all *conns) net.Listener {
	l := &bounded{g.Listener, all}
	if g.tls == nil {
		return l
	}
	return tls.NewListener(l, g.tls)
}

// certNames returns the host names of a certificate, under which clients reach the server.
func certNames(config *tls.Config, port string) (names []string) {
	if config == nil || config.Certificates[0].Leaf == nil {
		return nil
	}
	leaf := config.Certificates[0].Leaf
	for _, name := range leaf.DNSNames {
		names = append(names, strings.ToLower(net.JoinHostPort(name, port)))
	}
	for _, ip := range leaf.IPAddresses {
		names = append(names, net.JoinHostPort(ip.String(), port))
	}
	return names
}

func lower(names []string) []string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = strings.ToLower(n)
	}
	return list
}

func trustedText(list []Trust) string {
	words := make([]string, len(list))
	for i, t := range list {
		words[i] = fmt.Sprintf("%s (%s)", t.Net, t.Role)
	}
	return strings.Join(words, ", ")
}
