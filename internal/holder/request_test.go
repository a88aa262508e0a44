package holder

import (
	"errors"
	"net"
	"testing"
)

// A holder that ends after it was connected to, and before it replies, is a holder
// that is gone: no error of sockets.
func TestHungUp(t *testing.T) {
	s := Store{Dir: t.TempDir()}
	id, err := s.create(runPrefix)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", s.path(id, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.Close()
		}
	}()
	if _, err := s.Ask(t.Context(), id, Request{Do: DoSend}); !errors.Is(err, ErrNotHeld) {
		t.Error(err)
	}
}
