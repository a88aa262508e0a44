package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/access"
)

// streamDoc is an event as it arrives.
type streamDoc struct {
	ID      string
	Kind    string
	Entries []struct {
		MessageID string
		Line      int
	}
	State *struct{ Word string }
	Job   *job
}

// listen reads events until the test or the server ends it.
func (w *world) listen(ctx context.Context, token, after, query string) <-chan streamDoc {
	w.t.Helper()
	return w.hear(ctx, w.server.URL, token, after, query)
}

// listenAt is listen at another server.
func (w *world) listenAt(ctx context.Context, server, query string) <-chan streamDoc {
	w.t.Helper()
	return w.hear(ctx, server, w.token[access.Read], "", query)
}

func (w *world) hear(ctx context.Context, server, token, after, query string) <-chan streamDoc {
	w.t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, server+"/events"+query, nil)
	w.must(err)
	r.Header.Set("Authorization", "Bearer "+token)
	if after != "" {
		r.Header.Set("Last-Event-ID", after)
	}
	answer, err := w.server.Client().Do(r)
	w.must(err)
	if answer.StatusCode != http.StatusOK {
		w.t.Fatalf("events: %d", answer.StatusCode)
	}
	lines := bufio.NewReader(answer.Body)
	if first, err := lines.ReadString('\n'); err != nil || first != ": begun\n" {
		w.t.Fatalf("a stream begins with %q, %v", first, err)
	}
	out := make(chan streamDoc)
	go func() {
		defer close(out)
		defer answer.Body.Close()
		for kind := ""; ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			if name, ok := strings.CutPrefix(line, "event: "); ok {
				kind = strings.TrimSpace(name)
			}
			data, ok := strings.CutPrefix(line, "data: ")
			if !ok || kind == "run" || kind == "inbox" { // what runs do comes whenever it does
				continue
			}
			var e streamDoc
			if err := json.Unmarshal([]byte(data), &e); err != nil {
				w.t.Errorf("%v in %s", err, data)
			}
			if e.Kind == "" { // of runs, and of what waits
				continue
			}
			select {
			case out <- e:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

// writer appends lines to a new session.
type writer struct {
	w  *world
	f  *os.File
	id string
	n  int
}

func (w *world) newSession(id string) *writer {
	w.t.Helper()
	dir := filepath.Join(w.home, "projects", "-srv-app")
	w.must(os.MkdirAll(dir, 0o700))
	f, err := os.Create(filepath.Join(dir, id+".jsonl"))
	w.must(err)
	w.t.Cleanup(func() { f.Close() })
	return &writer{w: w, f: f, id: id}
}

func (a *writer) uuid(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

func (a *writer) line() {
	a.w.t.Helper()
	a.long("")
}

// long appends a line with more to say.
func (a *writer) long(more string) {
	a.w.t.Helper()
	parent := "null"
	if a.n > 0 {
		parent = `"` + a.uuid(a.n) + `"`
	}
	a.n++
	_, err := fmt.Fprintf(a.f, `{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/srv/app","sessionId":%q,"version":"2.1.325","type":"user","message":{"role":"user","content":"prompt %d%s"},"uuid":%q,"timestamp":%q}`+"\n",
		parent, a.id, a.n, more, a.uuid(a.n), time.Now().UTC().Format(time.RFC3339Nano))
	a.w.must(err)
}

// wait gives the ids of messages as they are told, up to the n-th line.
func wait(t *testing.T, events <-chan streamDoc, n int) (ids []string, last string) {
	t.Helper()
	deadline := time.After(time.Minute)
	for {
		select {
		case e, ok := <-events:
			if !ok {
				t.Fatalf("the stream ended after %v", ids)
			}
			if e.Kind == "reset" {
				t.Fatal("reset")
			}
			if e.ID != "" {
				last = e.ID
			}
			for _, one := range e.Entries {
				ids = append(ids, one.MessageID)
				if one.Line == n {
					return ids, last
				}
			}
		case <-deadline:
			t.Fatalf("line %d was not told; these were: %v", n, ids)
		}
	}
}

// A reader that is cut off goes on exactly where it was, whatever was written
// meanwhile.
func TestEventsGoOn(t *testing.T) {
	w := newWorld(t)
	w.app.Stay()
	w.must(w.app.Index.Ready(t.Context()))
	const id = "5e550000-0000-4000-8000-000000000001"
	session := w.newSession(id)
	var got []string
	after := ""
	for range 5 {
		ctx, cut := context.WithCancel(t.Context())
		events := w.listen(ctx, w.token[access.Read], after, "?session="+strings.ToUpper(id))
		for range 3 {
			session.line()
		}
		var some []string
		some, after = wait(t, events, session.n)
		got = append(got, some...)
		cut()
		for range events {
		}
		session.line() // while nobody listens
	}
	events := w.listen(t.Context(), w.token[access.Read], after, "?session="+id)
	some, _ := wait(t, events, session.n)
	got = append(got, some...)
	for i, uuid := range got {
		if uuid != session.uuid(i+1) {
			t.Fatalf("line %d is %s: %v", i+1, uuid, got)
		}
	}
	if len(got) != session.n {
		t.Errorf("%d lines were told of %d", len(got), session.n)
	}
}

// What another server numbered cannot be gone on with: that is said, once.
func TestEventsOfAnother(t *testing.T) {
	w := newWorld(t)
	w.app.Stay()
	e := <-w.listen(t.Context(), w.token[access.Read], "another.17", "")
	if e.Kind != "reset" {
		t.Errorf("after an unknown event comes %+v", e)
	}
}

// A token that is revoked ends its streams.
func TestRevokedStream(t *testing.T) {
	w := newWorld(t)
	w.app.Stay()
	secret, token, err := w.tokens.Create(t.Context(), access.Read, "")
	w.must(err)
	events := w.listen(t.Context(), secret, "", "")
	_, err = w.tokens.Revoke(t.Context(), token.ID)
	w.must(err)
	deadline := time.After(time.Minute)
	for {
		select {
		case _, ok := <-events:
			if !ok {
				return
			}
		case <-deadline:
			t.Fatal("the stream goes on")
		}
	}
}
