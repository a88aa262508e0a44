package api

import (
	"net"
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
		if _, admitted := all.try(one); !admitted {
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
	if wait, admitted := all.try(late); wait > 2*time.Millisecond || admitted && time.Since(began) < 2*time.Millisecond {
		t.Errorf("it waits %v, admitted %v", wait, admitted)
	}
	if one := all.admit(late); one == nil {
		t.Error("it is never admitted")
	}
	if n := all.open.Len(); n != maxConns {
		t.Errorf("%d are open", n)
	}
}
