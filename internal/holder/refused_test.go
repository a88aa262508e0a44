package holder_test

import (
	"bytes"
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
)

// What is no id of a run is none, and leads nowhere: nothing outside of the runs is
// asked, read or removed.
func TestIDsLeadNowhere(t *testing.T) {
	w := newWorld(t)
	outside := filepath.Join(w.dir, "outside")
	if err := os.MkdirAll(outside, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(outside, "run.json"), []byte(`{"id":"r1"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", filepath.Join(outside, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	back, err := filepath.Rel(w.store.Dir, outside)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{back, "r1/../" + back, "..", ".", "", "r0", "r-1", "x", outside} {
		if rec, err := w.store.Read(w.ctx, id); !errors.Is(err, holder.ErrNoRun) {
			t.Errorf("read %q: %+v, %v", id, rec, err)
		}
		if _, err := w.store.Ask(w.ctx, id, holder.Request{Do: holder.DoStop}); !errors.Is(err, holder.ErrNoRun) {
			t.Errorf("ask %q: %v", id, err)
		}
		if err := w.store.Remove(w.ctx, id); !errors.Is(err, holder.ErrNoRun) {
			t.Errorf("remove %q: %v", id, err)
		}
	}
	if _, err := os.Stat(filepath.Join(outside, "run.json")); err != nil {
		t.Error("it is gone:", err)
	}
}

// A run whose description is lost is not one that never was.
func TestDescriptionLost(t *testing.T) {
	w := newWorld(t)
	o := w.order("hi")
	o.Limits = launch.Limits{Once: true}
	run, done := w.hold(o)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(w.store.Dir, run.ID, "run.json")); err != nil {
		t.Fatal(err)
	}
	if rec, err := w.store.Read(w.ctx, run.ID); err == nil || errors.Is(err, holder.ErrNoRun) {
		t.Errorf("%+v, %v", rec, err)
	}
}

// A request without an end is not waited for, and takes no more memory than one may.
func TestEndlessRequest(t *testing.T) {
	w := newWorld(t)
	run, _ := w.hold(w.order("[hang]"))
	short := filepath.Join(t.TempDir(), "s")
	if err := os.Symlink(filepath.Join(w.store.Dir, run.ID), short); err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("unix", filepath.Join(short, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	sent, piece := 0, bytes.Repeat([]byte("x"), 1<<20)
	for err == nil && sent < 256 {
		_, err = c.Write(piece)
		sent++
	}
	if err == nil || os.IsTimeout(err) {
		t.Errorf("%d MiB of one request are taken: %v", sent, err)
	}
	if _, err := w.store.Ask(w.ctx, run.ID, holder.Request{Do: holder.DoStatus}); err != nil {
		t.Errorf("it does not answer others any more: %v", err)
	}
}
