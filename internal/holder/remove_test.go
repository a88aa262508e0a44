package holder

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"sesskeep/internal/launch"
	"sesskeep/internal/lock"
	"sesskeep/internal/stamp"
)

// put makes the directory of a run that was created at a moment.
func (s Store) put(t *testing.T, id string, at time.Time) {
	t.Helper()
	text, err := json.Marshal(Run{ID: id, CreatedAt: stamp.Time{Time: at}})
	if err := errors.Join(err, os.MkdirAll(s.path(id), 0o700), os.WriteFile(s.path(id, "run.json"), text, 0o600)); err != nil {
		t.Fatal(err)
	}
}

// A run is not removed before it has ended and nobody holds it: its files are being
// written. One that is not over is refused at once; one that ends is waited for.
func TestRemoveLiving(t *testing.T) {
	const old = 24 * time.Hour
	for name, test := range map[string]struct {
		age          time.Duration
		ended, held  bool
		spoilt       bool // its description cannot be read
		waits, stays bool
	}{
		"begins, and is not held yet": {stays: true},
		"held":                        {age: old, held: true, stays: true},
		"held, and cannot be read":    {age: old, held: true, spoilt: true, stays: true},
		"ended, and still held":       {age: old, held: true, ended: true, waits: true, stays: true},
		"ended":                       {age: old, ended: true},
		"its holder was killed":       {age: old},
		"cannot be read":              {age: old, spoilt: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, start := Store{Dir: t.TempDir()}, time.Now()
				s.put(t, "r1", start.Add(-test.age))
				var err error
				if test.ended {
					err = s.writeEnd("r1", ending{Status: launch.Status{State: launch.Ended}})
				}
				if test.spoilt {
					err = os.WriteFile(s.path("r1", "run.json"), []byte("{"), 0o600)
				}
				if test.held {
					l, e := lock.Acquire(s.path("r1", "held"))
					if e != nil {
						t.Fatal(e)
					}
					defer l.Release()
				}
				if err != nil {
					t.Fatal(err)
				}
				err = s.Remove(t.Context(), "r1")
				if test.stays != errors.Is(err, ErrLives) || !test.stays && err != nil {
					t.Errorf("removed: %v", err)
				}
				if waited := time.Since(start) >= releaseTime; waited != test.waits {
					t.Errorf("waited for %s", time.Since(start))
				}
				if _, err := os.Stat(s.path("r1", "run.json")); test.stays != (err == nil) || err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("its description: %v", err)
				}
			})
		})
	}
}
