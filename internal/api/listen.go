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

// Port is where a server listens if nobody says otherwise.
const Port = "7717"

// DevicePort is where devices reach it.
const DevicePort = "7718"

// Door says where a server listens, and what makes that safe.
type Door struct {
	Address string // HOST:PORT; empty: 127.0.0.1 and Port
	Socket  string // path of a unix socket; empty: none
	// Names are further names of the server, such as that of a proxy.
	Names []string
	Trust []Trust
	// BehindProxy says that a proxy in front of it speaks TLS.
	BehindProxy bool
	Cert, Key   string // files for TLS; empty: none
	// Devices is the address, HOST:PORT, where paired devices reach the server,
	// over TLS with a certificate of its own; empty: nowhere.
	Devices string
	// DeviceKey is the key by which they know it.
	DeviceKey *ecdsa.PrivateKey
}

// ErrUnsafe says that a server may not listen there without protection.
var ErrUnsafe = errors.New("not safe to listen there")

// Check reports an error unless it is safe to listen there: on loopback, with
// TLS, behind a proxy, or on a network of which only peers that are trusted
// anyway are served.
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
		return "127.0.0.1" + d.Address // a port alone says nothing about who may come
	}
	return d.Address
}

// plain reports whether what goes over the network can be read on the way.
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

// Listening is what a Door opened.
type Listening struct {
	URL   string   // to ask it under
	Hosts []string // names under which it is asked
	// Proxies are those of them that may be the names of a proxy, which may speak TLS.
	Proxies []string
	// Warnings say what is unsafe about it.
	Warnings []string
	Devices  Reach // how devices reach it

	endpoints []endpoint
}

// Reach is how devices reach a server; the zero value: not at all.
type Reach struct {
	URL string
	Key string // SHA-256 of the public key of the server, in base64 for URLs
}

// endpoint is one address that is listened on.
type endpoint struct {
	net.Listener
	tls *tls.Config // nil: plain
}

// withoutAddress is an error of the network without the address, which whoever tells it
// names already.
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
		l.Warnings = append(l.Warnings, fmt.Sprintf("%s speaks plain HTTP: whoever can listen on that network can read along. Peers of %s need no token.", l.URL, trustedText(d.Trust)))
	}
	if err := errors.Join(l.addDevices(d), l.addSocket(d.Socket)); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// tlsConfig is that of the user's own certificate; nil: there is none.
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

// protocols are those a client can choose from.
var protocols = []string{"h2", "http/1.1"}

// addDevices listens where devices reach the server.
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

// addIPv6Loopback listens on the other loopback address too, where there is one.
func (l *Listening) addIPv6Loopback(port, host string, config *tls.Config) {
	if addr, err := netip.ParseAddr(host); err == nil && addr.Is6() {
		return
	}
	if six, err := net.Listen("tcp", net.JoinHostPort("::1", port)); err == nil {
		l.endpoints = append(l.endpoints, endpoint{six, config})
	}
}

// addSocket listens on a socket that only this user can open. One left by a
// server that is gone is removed: there is one server a data directory.
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

// SocketHost is what programs call the server that ask it by its socket, and by nothing
// else.
const SocketHost = "sesskeep"

// Close ends the listening.
func (l *Listening) Close() error {
	var all error
	for _, one := range l.endpoints {
		all = errors.Join(all, one.Close())
	}
	return all
}

// The times a client has.
const (
	headerTime = 5 * time.Second
	idleTime   = time.Minute
	graceTime  = 5 * time.Second
)

// Run serves until the context ends, then lets requests that run come to their
// end for a while.
func (l *Listening) Run(ctx context.Context, s *Server) error {
	all := newConns()
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		ConnContext: withPeer, ConnState: all.stateChanged, ErrorLog: slog.NewLogLogger(s.opts.Log.Handler(), slog.LevelWarn),
		TLSConfig:   &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: protocols}, // each gate has a certificate of its own
		BaseContext: func(net.Listener) context.Context { return ctx },                // streams end with it
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
	if stop := server.Shutdown(grace); stop != nil {
		err = errors.Join(err, server.Close())
	}
	for range left {
		if one := <-ended; !errors.Is(one, http.ErrServerClosed) {
			err = errors.Join(err, one)
		}
	}
	return err
}

// limited is the gate with its connections among those of a server.
func (g endpoint) limited(all *conns) net.Listener {
	l := &bounded{g.Listener, all}
	if g.tls == nil {
		return l
	}
	return tls.NewListener(l, g.tls)
}

// certNames are the names that a certificate is made out to: whoever has one for them
// asks the server by them.
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
