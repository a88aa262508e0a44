package api

import (
	"errors"
	"net"
	"os"
	"testing"
	"time"
)

// Who comes when there is no room waits no longer than until the first of the others
// has had its time to say something.
func TestWaitForRoom(t *testing.T) {
	all := newConns()
	began := time.Now()
	for i := range maxConns {
		here, there := net.Pipe()
		defer here.Close()
		defer there.Close()
		one := &conn{Conn: here, all: all}
		if _, admitted := all.tryAdmit(one); !admitted {
			t.Fatalf("there is no room for %d", i)
		}
		switch i % 3 {
		case 0: // has had nearly all of its time
			one.since.Store(began.Add(-sayTime + 2*time.Millisecond).UnixNano())
		case 1: // is not listened to yet
		case 2:
			one.busy = true
		}
	}
	here, there := net.Pipe()
	defer here.Close()
	defer there.Close()
	late := &conn{Conn: here, all: all}
	if wait, admitted := all.tryAdmit(late); wait > 2*time.Millisecond || admitted && time.Since(began) < 2*time.Millisecond {
		t.Errorf("it waits %v, admitted %v", wait, admitted)
	}
	if one := all.admit(late); one == nil {
		t.Error("it is never admitted")
	}
	if n := all.open.Len(); n != maxConns {
		t.Errorf("%d are open", n)
	}
}

// Who still waits for room when the server ends is let go of, and the listener says that
// it is closed: a connection that is none would be served.
func TestWaitForRoomAtTheEnd(t *testing.T) {
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := &bounded{tcp, newConns()}
	for range maxConns {
		one := &conn{all: b.conns, busy: true}
		one.at = b.conns.open.PushBack(one)
	}
	client, err := net.Dial("tcp", tcp.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	accepted := make(chan error, 1)
	go func() {
		c, err := b.Accept()
		if c != nil {
			t.Error("it was admitted")
		}
		accepted <- err
	}()
	select {
	case err := <-accepted:
		t.Fatalf("it did not wait: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-accepted; !errors.Is(err, net.ErrClosed) {
		t.Errorf("accepted: %v", err)
	}
	_ = client.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := client.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the client still waits: %v", err)
	}
}
