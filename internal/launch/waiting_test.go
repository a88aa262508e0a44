package launch_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"sesskeep/internal/launch"
)

// delivered returns the ids of the messages that the machine wrote since the last call.
func delivered(t *testing.T, m *launch.Machine) (ids []string) {
	t.Helper()
	for _, e := range m.Effects() {
		var w struct{ Type, UUID string }
		if e.Kind == launch.Write && json.Unmarshal(e.Data, &w) == nil && w.Type == "user" {
			ids = append(ids, w.UUID)
		}
	}
	return ids
}

// A message that waits reaches the client when the turn is over, one at a time and in
// order; what is withdrawn never does, and its sender gets to know.
func TestWaitingMessages(t *testing.T) {
	now := time.Unix(1e9, 0)
	m := launch.New(launch.Limits{}, now)
	m.Launched(now)
	send := func(id string, wait bool) {
		t.Helper()
		if err := m.Send(now, launch.Message{ID: id, Text: id, Wait: wait}); err != nil {
			t.Fatal(err)
		}
	}
	send("a", true) // nothing is unanswered: it need not wait
	if got := delivered(t, m); !slices.Equal(got, []string{"a"}) {
		t.Fatal(got)
	}
	send("b", true)
	send("c", true)
	send("d", true)
	if got := delivered(t, m); got != nil || !slices.Equal(m.Status().Waiting, []string{"b", "c", "d"}) {
		t.Fatalf("%v are sent, %v wait", got, m.Waiting())
	}
	m.Receive(now, launch.Decode([]byte(`{"type":"system","subtype":"init"}`)))
	result := launch.Decode([]byte(`{"type":"result","subtype":"success","result":"ok"}`))
	m.Receive(now, result)
	if got := delivered(t, m); !slices.Equal(got, []string{"b"}) || m.State() != launch.Working {
		t.Fatalf("%v, %s", got, m.State())
	}
	if err := m.Withdraw(now, "x"); err != nil {
		t.Fatal(err)
	}
	m.Receive(now, result)
	if got := delivered(t, m); got != nil || m.State() != launch.YourTurn {
		t.Fatalf("%v, %s", got, m.State())
	}
	for id, want := range map[string]launch.Outcome{"a": launch.Answered, "b": launch.Answered, "c": launch.Interrupted, "d": launch.Interrupted} {
		if r, ok := m.Response(id); !ok || r.Outcome != want {
			t.Errorf("%s: %+v", id, r)
		}
	}
}

func TestTooManyWait(t *testing.T) {
	now := time.Unix(1e9, 0)
	m := launch.New(launch.Limits{}, now)
	m.Launched(now)
	var err error
	sent := 0
	for ; err == nil && sent < 100; sent++ {
		err = m.Send(now, launch.Message{ID: fmt.Sprint(sent), Text: "x", Wait: true})
	}
	if !errors.Is(err, launch.ErrFull) || len(m.Waiting()) != 16 {
		t.Fatalf("%v after %d, %d wait", err, sent, len(m.Waiting()))
	}
}

// Pictures stand before the text, in the blocks of the model's API.
func TestPictures(t *testing.T) {
	now := time.Unix(1e9, 0)
	m := launch.New(launch.Limits{}, now)
	m.Launched(now)
	m.Effects()
	if err := m.Send(now, launch.Message{ID: "a", Text: "what is it?", Images: []launch.Image{{Type: "image/png", Data: []byte("png")}}}); err != nil {
		t.Fatal(err)
	}
	var w struct {
		Message struct {
			Content []struct {
				Type, Text string
				Source     struct {
					Type  string
					Media string `json:"media_type"`
					Data  []byte
				}
			}
		}
	}
	if err := json.Unmarshal(m.Effects()[1].Data, &w); err != nil {
		t.Fatal(err)
	}
	c := w.Message.Content
	if len(c) != 2 || c[0].Source.Type != "base64" || c[0].Source.Media != "image/png" || string(c[0].Source.Data) != "png" || c[1].Text != "what is it?" {
		t.Errorf("%+v", c)
	}
	if err := m.Send(now, launch.Message{ID: "b", Images: []launch.Image{{Type: "image/png", Data: make([]byte, launch.MaxImages+1)}}}); !errors.Is(err, launch.ErrLong) {
		t.Error(err)
	}
}
