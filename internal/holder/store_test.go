package holder

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/launch"
	"sesskeep/internal/sealed"
)

// The end of a run has a checksum and a version; one that is lost is not taken for a
// holder that was killed.
func TestEndIsSealed(t *testing.T) {
	s := Store{Dir: t.TempDir()}
	run := Run{ID: "r1"}
	text, err := json.Marshal(run)
	if err := errors.Join(err, os.MkdirAll(s.path("r1"), 0o700), os.WriteFile(s.path("r1", "run.json"), text, 0o600),
		os.WriteFile(s.LifeFile("r1"), []byte(`{"event":"started"}`+"\n"+`{"event":"ended"}`+"\n"), 0o600),
		s.writeEnd("r1", ending{Status: launch.Status{State: launch.Ended}})); err != nil {
		t.Fatal(err)
	}
	file := s.path("r1", "end.json")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for at := range whole {
		damaged := bytes.Clone(whole)
		damaged[at] ^= 0x10
		if err := os.WriteFile(file, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.end("r1"); err == nil {
			t.Errorf("byte %d is another one in %s", at, damaged)
		}
	}
	newer := bytes.Replace(whole, []byte(`"version": 1`), []byte(`"version": 2`), 1)
	newer = newer[:bytes.LastIndex(newer, []byte(`,`))]
	if err := os.WriteFile(file, sealed.Seal(append(newer, "\n}"...)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.end("r1"); !errors.Is(err, sealed.ErrNewer) {
		t.Errorf("of a newer program: %v", err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if rec, err := s.Read(t.Context(), "r1"); err != nil || !strings.Contains(rec.Why, "end.json is missing") {
		t.Errorf("removed: %q, %v", rec.Why, err)
	}
}

// Runs that have ended are not read to list those that have not: one whose end is
// damaged keeps nobody from knowing what runs.
func TestLivingReadsNoEnds(t *testing.T) {
	s := Store{Dir: t.TempDir()}
	s.put(t, "r1", time.Now())
	s.put(t, "r2", time.Now())
	if err := os.WriteFile(s.path("r1", "end.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if list, err := s.Living(t.Context()); err != nil || len(list) != 1 || list[0].ID != "r2" {
		t.Errorf("living: %+v, %v", list, err)
	}
	var unread *UnreadError
	if list, err := s.List(t.Context()); !errors.As(err, &unread) || len(list) != 1 {
		t.Errorf("all: %+v, %v", list, err)
	}
}
