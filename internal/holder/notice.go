package holder

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"sesskeep/internal/launch"
	"sesskeep/internal/redact"
)

// Desktop as the destination of notices is the screen of this machine; every other
// destination is a URL.
const Desktop = "desktop"

// noticeTime bounds sending a notice, including the wait for earlier ones.
var noticeTime = 5 * time.Second

// CheckNotice returns an error if destination is not a destination for notices.
func CheckNotice(destination string) error {
	if destination == Desktop {
		return nil
	}
	u, err := url.Parse(destination)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%q is no destination for notices: it is desktop, or an address that begins with https:// or http://", destination)
	}
	return nil
}

// Notice reports that a run needs somebody or has ended. It contains no text of
// prompts or answers, and no secret that the purpose has: it may be shown on a locked screen or sent to others.
type Notice struct {
	Event   string `json:"event"` // "needs you" or "ended"
	Run     string `json:"runId"`
	Session string `json:"sessionId"`
	Name    string `json:"name"`           // the purpose of the run, else its directory without the path
	Tool    string `json:"tool,omitempty"` // the tool that the run wants to use
	Failed  bool   `json:"failed,omitempty"`
}

func (n *Notice) text() string {
	switch {
	case n.Event != "ended":
		return n.Run + " needs you: " + n.Tool
	case n.Failed:
		return n.Run + " ended with an error"
	}
	return n.Run + " has ended"
}

// noticeLocked sends a notice for e, if e is worth one, in the background. Each
// destination gets its notices in order: "needs you" never arrives after "ended".
func (h *holder) noticeLocked(e *launch.Event) {
	if len(h.order.Notify) == 0 || e.Event != launch.EventWaiting && e.Event != launch.EventEnded {
		return
	}
	n := Notice{Event: "needs you", Run: h.run.ID, Session: h.machine.Status().Session, Name: h.run.Purpose, Tool: e.Tool}
	if n.Name == "" {
		n.Name = filepath.Base(h.run.Dir)
	}
	n.Name = h.hide(n.Name)
	if n.Session == "" {
		n.Session = h.run.SessionID
	}
	if e.Event == launch.EventEnded {
		n.Event, n.Failed = "ended", e.Error != ""
	}
	for _, destination := range h.order.Notify {
		before, sent := h.noticed[destination], make(chan struct{})
		h.noticed[destination] = sent
		h.notices.Go(func() {
			defer close(sent)
			ctx, stop := context.WithTimeout(context.Background(), noticeTime)
			defer stop()
			if err := n.sendAfter(ctx, before, destination); err != nil {
				h.mu.Lock()
				defer h.mu.Unlock()
				h.writeLocked(launch.Event{Event: launch.EventTrouble, Why: "no notice could be sent", Error: err.Error()})
			}
		})
	}
}

// hide returns a text with marks in the place of secrets, and of what the user wants hidden.
func (h *holder) hide(text string) string {
	rules, err := redact.New(h.order.Redact)
	if err != nil { // the program that gave the order has other rules
		return redact.Text(text)
	}
	return rules.Document().Text(text)
}

// sendAfter sends n after the notice before it; nil: there is none.
func (n *Notice) sendAfter(ctx context.Context, before <-chan struct{}, destination string) error {
	if before != nil {
		select {
		case <-before:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return n.send(ctx, destination)
}

func (n *Notice) send(ctx context.Context, destination string) error {
	if destination == Desktop {
		return n.show(ctx)
	}
	data, err := json.Marshal(n)
	if err != nil {
		return err
	}
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, destination, bytes.NewReader(data))
	if err != nil {
		return err
	}
	q.Header.Set("Content-Type", "application/json")
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return errors.New("it leads elsewhere") }}
	answer, err := client.Do(q)
	if err != nil {
		var where *url.Error // drop the URL: it may contain a secret
		if errors.As(err, &where) {
			err = where.Err
		}
		return err
	}
	_, err = io.Copy(io.Discard, io.LimitReader(answer.Body, 1<<16))
	_ = answer.Body.Close()
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("the answer is %d", answer.StatusCode)
	}
	return err
}

// show displays n on this machine's screen. The texts are arguments, never part of
// a script.
func (n *Notice) show(ctx context.Context) error {
	name, args := "notify-send", []string{"--app-name=sesskeep", "--", n.Name, n.text()}
	if runtime.GOOS == "darwin" {
		name, args = "osascript", []string{
			"-e", "on run argv", "-e", "display notification (item 2 of argv) with title (item 1 of argv)", "-e", "end run", n.Name, n.text(),
		}
	}
	path, err := launch.Find(name, os.Getenv("PATH"))
	if err != nil {
		return fmt.Errorf("%s is not installed", name)
	}
	return exec.CommandContext(ctx, path, args...).Run()
}
