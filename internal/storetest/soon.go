package storetest

import (
	"fmt"
	"testing"
	"time"
)

// Soon waits until nothing is wrong any more.
func Soon(t *testing.T, wrong func() string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(2 * time.Millisecond) {
		problem := wrong()
		if problem == "" {
			return
		}
		if time.Now().After(end) {
			t.Fatal(problem)
		}
	}
}

// PaidID is the session of the lines that Paid makes.
const PaidID = "11111111-0000-4000-8000-000000000000"

// Paid is a line of an answer that cost something.
func Paid(nth int, text string) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":"u%d","parentUuid":null,"sessionId":"%s","cwd":"/w","timestamp":"2026-11-15T12:00:00Z",`+
		`"requestId":"r%d","message":{"id":"m%d","role":"assistant","model":"claude-opus-4-5","content":[{"type":"text","text":"%s"}],`+
		`"usage":{"input_tokens":1,"output_tokens":10}}}`+"\n", nth, PaidID, nth, nth, text)
}

// Must stops the test at an error.
func Must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
