package tui

import (
	"strings"
	"testing"
)

// TestResume asks inside before it leaves for a session that a client runs.
func TestResume(t *testing.T) {
	for key, want := range map[string]Next{"y": {Agreed: true}, "f": {Fork: true, Agreed: true}} {
		m := openDemo(t)
		press(m, "j", "c") // a client runs it
		wantText(t, m, "a client already runs it", "f    resume a copy", "y    resume it all the same", "f resume a copy  y resume anyway  Esc cancel")
		if m.next.Session != nil {
			t.Fatal("it was left before it was asked")
		}
		press(m, "esc")
		wantText(t, m, "▸◆  Add idempotency keys")
		press(m, "c", key)
		got := m.next
		if got.Session == nil || !strings.HasPrefix(got.Session.ID, "0a1b0b05") {
			t.Fatalf("%s: got %+v, want the session that was chosen", key, got.Session)
		}
		if got.Session = nil; got != want {
			t.Errorf("%s: got %+v, want %+v", key, got, want)
		}
	}
}
