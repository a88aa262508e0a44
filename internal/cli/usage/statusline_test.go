package usage

import (
	"io"
	"strings"
	"testing"
	"time"
)

// Standard input that nobody writes to, and what is not JSON, cost a moment
// and nothing else.
func TestStatusWaitsForNobody(t *testing.T) {
	silent, w := io.Pipe()
	defer w.Close()
	start := time.Now()
	if s := readStatus(silent, time.Millisecond); s.Session != "" {
		t.Errorf("session %q", s.Session)
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("waited %v", took)
	}
	for text, want := range map[string]string{
		``:                            "",
		`nothing`:                     "",
		`{"session_id":7}`:            "",
		`{"session_id":"a","cost":{}`: "",
		`{"session_id":"a"} trailing`: "a",
	} {
		if s := readStatus(strings.NewReader(text), time.Minute); s.Session != want {
			t.Errorf("%q: session %q, want %q", text, s.Session, want)
		}
	}
}
