package api_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/access"
	"sesskeep/internal/api"
)

// served lets a world be asked through a Door, until the test ends.
func (w *world) served(door api.Door) *api.Listening {
	w.t.Helper()
	l, err := door.Listen()
	w.must(err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	server := api.New(api.Options{App: w.app, Tokens: w.tokens, Hosts: l.Hosts, Proxies: l.Proxies, Proxied: door.BehindProxy, Trust: door.Trust, URL: l.URL, Now: w.clock.Now})
	go func() { ended <- l.Run(ctx, server) }()
	w.t.Cleanup(func() { stop(); <-ended })
	return l
}

// through asks for the projects under a name, by a way of our choice.
func (w *world) through(to *http.Transport, url, host, origin string) int {
	w.t.Helper()
	w.t.Cleanup(to.CloseIdleConnections)
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, url+"/projects", nil)
	w.must(err)
	r.Host = host
	r.Header.Set("Authorization", "Bearer "+w.token[access.Read])
	if origin != "" {
		r.Header.Set("Origin", origin)
	}
	answer, err := to.RoundTrip(r)
	w.must(err)
	w.must(answer.Body.Close())
	return answer.StatusCode
}

// A door that is not safe is not opened, whoever asks for it: not to everybody on the
// network without TLS, and to devices only at an address that somebody named.
func TestDoorRefused(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		door api.Door
		said string
	}{
		"a network":                   {api.Door{Address: "192.0.2.1:0"}, api.ErrUnsafe.Error()},
		"a network of IPv6":           {api.Door{Address: "[2001:db8::1]:0"}, api.ErrUnsafe.Error()},
		"no port":                     {api.Door{Address: "127.0.0.1"}, "is not an address such as 127.0.0.1:7717"},
		"a certificate without a key": {api.Door{Address: "127.0.0.1:0", Cert: "cert.pem"}, "TLS needs a certificate and its key"},
		"devices at no host":          {api.Door{Address: "127.0.0.1:0", Devices: ":none", DeviceKey: key}, "is not an address such as 192.168.1.5:7718"},
		"devices at no port":          {api.Door{Address: "127.0.0.1:0", Devices: "127.0.0.1", DeviceKey: key}, "is not an address such as 192.168.1.5:7718"},
	} {
		l, err := test.door.Listen()
		if err == nil {
			_ = l.Close()
		}
		if err == nil || !strings.Contains(err.Error(), test.said) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The name that programs use at the socket is none anywhere else.
func TestSocketHostIsOfTheSocket(t *testing.T) {
	w := newWorld(t)
	dir, err := os.MkdirTemp("", "s") // its path has to be short
	w.must(err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	door := api.Door{Address: "127.0.0.1:0", Socket: filepath.Join(dir, "s")}
	l := w.served(door)
	address := strings.TrimPrefix(l.URL, "http://")
	socket := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", door.Socket)
	}}
	for _, test := range []struct {
		what   string
		by     *http.Transport
		host   string
		status int
	}{
		{"by the socket", socket, api.SocketHost, 200},
		{"over TCP", &http.Transport{}, api.SocketHost, 403},
		{"over TCP, in capitals", &http.Transport{}, strings.ToUpper(api.SocketHost), 403},
		{"over TCP, with the port", &http.Transport{}, api.SocketHost + ":" + address[strings.LastIndexByte(address, ':')+1:], 403},
		{"over TCP under its own name", &http.Transport{}, address, 200},
	} {
		if got := w.through(test.by, l.URL, test.host, ""); got != test.status {
			t.Errorf("%s as %s: %d, want %d", test.what, test.host, got, test.status)
		}
	}
}

// An origin has the scheme that the server speaks; that of a proxy is known by its name.
func TestOriginHasTheSchemeOfTheServer(t *testing.T) {
	w := newWorld(t)
	l := w.served(api.Door{Address: "127.0.0.1:0", Names: []string{"proxy.example"}})
	behind := w.served(api.Door{Address: "127.0.0.1:0", BehindProxy: true})
	for _, test := range []struct {
		at           *api.Listening
		host, origin string
		status       int
	}{
		{l, l.URL[7:], l.URL, 200},
		{l, l.URL[7:], "https://" + l.URL[7:], 403},
		{l, "proxy.example", "https://proxy.example", 200},
		{l, "proxy.example", "http://proxy.example", 200},
		{l, "proxy.example", "ftp://proxy.example", 403},
		{l, "proxy.example", "https://elsewhere.example", 403},
		{behind, behind.URL[7:], "https://" + behind.URL[7:], 200},
	} {
		if got := w.through(&http.Transport{}, test.at.URL, test.host, test.origin); got != test.status {
			t.Errorf("%s from %s: %d, want %d", test.host, test.origin, got, test.status)
		}
	}
	cert, key := certificate(t)
	safe := w.served(api.Door{Address: "127.0.0.1:0", Cert: cert, Key: key})
	to := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	for origin, status := range map[string]int{safe.URL: 200, "http" + strings.TrimPrefix(safe.URL, "https"): 403} {
		if got := w.through(to, safe.URL, safe.URL[8:], origin); got != status {
			t.Errorf("over TLS from %s: %d, want %d", origin, got, status)
		}
	}
}

// certificate makes one for a few names, as files.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"Vm.Example", "*.wild.example"}, IPAddresses: []net.IP{net.ParseIP("127.0.0.1"), net.ParseIP("192.0.2.7")},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, bytes []byte) string {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: bytes}), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	return write("cert.pem", "CERTIFICATE", der), write("key.pem", "PRIVATE KEY", secret)
}

// A server is called what its certificate is made out to.
func TestNamesOfTheCertificate(t *testing.T) {
	w := newWorld(t)
	cert, key := certificate(t)
	l := w.served(api.Door{Address: "127.0.0.1:0", Cert: cert, Key: key})
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(l.URL, "https://"))
	to := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	for host, status := range map[string]int{
		"vm.example:" + port: 200, "VM.example:" + port: 200, "192.0.2.7:" + port: 200, "127.0.0.1:" + port: 200, "one.wild.example:" + port: 200,
		"vm.example": 403, "vm.example:1": 403, "wild.example:" + port: 403, "a.b.wild.example:" + port: 403, ".wild.example:" + port: 403,
		"evilwild.example:" + port: 403, "vm.example.evil.test:" + port: 403, "192.0.2.8:" + port: 403, "*.wild.example:1": 403,
	} {
		if got := w.through(to, l.URL, host, ""); got != status {
			t.Errorf("%s: %d, want %d", host, got, status)
		}
	}
}

// Who trusts this machine trusts all its users, and is told so.
func TestTrustOfThisMachineIsSaid(t *testing.T) {
	w := newWorld(t)
	for text, want := range map[string]string{
		"127.0.0.0/8=operate": "all users and programs of this machine may read, change and purge everything, and start sessions, without a token (--trust 127.0.0.0/8=operate)",
		"127.0.0.1/32":        "all users and programs of this machine may read everything without a token",
		"::1/128=manage":      "all users and programs of this machine may read, change and delete sessions without a token",
		"192.168.0.0/16":      "",
	} {
		trust, err := api.ParseTrust(text)
		w.must(err)
		door := api.Door{Address: "127.0.0.1:0", Trust: []api.Trust{trust}}
		l, err := door.Listen()
		w.must(err)
		w.must(l.Close())
		got := strings.Join(l.Warnings, "\n")
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("--trust %s: %q, want %q", text, got, want)
		}
	}
	l := w.served(api.Door{Address: "127.0.0.1:0", Trust: []api.Trust{{Net: netip.MustParsePrefix("127.0.0.0/8"), Role: access.Operate}}})
	r, err := http.Get(l.URL + "/doctor")
	w.must(err)
	defer r.Body.Close()
	var health struct {
		Server struct {
			URL   string
			Trust []string
		}
	}
	w.must(json.NewDecoder(r.Body).Decode(&health))
	if health.Server.URL != l.URL || len(health.Server.Trust) != 1 || !strings.Contains(health.Server.Trust[0], "all users and programs of this machine") {
		t.Errorf("the check-up says %+v", health.Server)
	}
}
