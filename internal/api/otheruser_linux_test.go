package api

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sesskeep/internal/access"
	"sesskeep/internal/app"
	"sesskeep/internal/demo"
)

// The table of the system tells whose a connection is, in every way it writes addresses.
func TestOwnerOfAConnection(t *testing.T) {
	const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1E25 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 0 100 0 0 10 0
   1: 0100007F:9C40 0100007F:1E25 01 00000000:00000000 00:00000000 00000000  1001        0 2 1 0 20 4 30 10 -1
   2: 0000000000000000FFFF00000100007F:9C41 0000000000000000FFFF00000100007F:1E25 01 00000000:00000000 00:00000000 00000000  1002        0 3
   3: 00000000000000000000000001000000:9C42 00000000000000000000000001000000:1E25 01 00000000:00000000 00:00000000 00000000  1003        0 4
   4: 0100007F:9C43 0100007F:1E26 01 00000000:00000000 00:00000000 00000000  1004        0 5
   5: nonsense
`
	if binaryIsBig() {
		t.Skip("the table is that of a machine with another order of bytes")
	}
	for from, want := range map[string]int{"127.0.0.1:40000": 1001, "127.0.0.1:40001": 1002, "[::1]:40002": 1003, "127.0.0.1:40003": -1, "127.0.0.2:40000": -1} {
		peer := netip.MustParseAddrPort(from)
		here := netip.MustParseAddrPort("127.0.0.1:7717")
		if peer.Addr().Is6() {
			here = netip.MustParseAddrPort("[::1]:7717")
		}
		uid, known := ownerIn(strings.NewReader(table), peer, here)
		if !known {
			uid = -1
		}
		if uid != want {
			t.Errorf("%s is of %d, not %d", from, uid, want)
		}
	}
}

func binaryIsBig() bool {
	a, _ := tableAddr("0100007F:0001")
	return a.Addr() != netip.MustParseAddr("127.0.0.1")
}

// A code that another user of the machine has seen is of no use to that user, and is
// still good for the one it was made for.
func TestCodeSeenByAStranger(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can be another user")
	}
	tokens, err := access.Open(filepath.Join(t.TempDir(), "state"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(t.TempDir(), "home")
	if err := demo.Write(home, time.Now()); err != nil {
		t.Fatal(err)
	}
	a, err := app.Open(app.Options{Roots: []string{home}, Cache: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	serve := httptest.NewUnstartedServer(nil)
	s := New(Options{App: a, Tokens: tokens, Hosts: []string{serve.Listener.Addr().String()}})
	serve.Config.Handler = s
	serve.Start()
	defer serve.Close()
	code := s.logins.New(access.Grant{Role: access.Read})
	at := serve.Listener.Addr().(*net.TCPAddr)
	if status := loginAs(t, 65534, at, code); status != http.StatusUnauthorized {
		t.Errorf("a stranger is answered %d", status)
	}
	if status := loginAs(t, 0, at, code); status != http.StatusOK {
		t.Errorf("the user is answered %d", status)
	}
}

// loginAs asks over a connection that belongs to a user: that of the thread that opens
// it.
func loginAs(t *testing.T, uid int, at *net.TCPAddr, code string) int {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Setfsuid(uid); err != nil {
		t.Fatal(err)
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	_ = unix.Setfsuid(os.Getuid())
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Connect(fd, &unix.SockaddrInet4{Port: at.Port, Addr: at.AddrPort().Addr().As4()}); err != nil {
		t.Fatal(err)
	}
	file := os.NewFile(uintptr(fd), "connection")
	defer file.Close()
	body, err := json.Marshal(map[string]string{"code": code})
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, fmt.Sprintf("http://%s/login", at), bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if err := r.Write(file); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(file), r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	return answer.StatusCode
}
