package holder

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/launch"
)

// What happened to a run is told with an error where not all of it can be read. Only a
// last line that was cut off says nothing: its writer was killed.
func TestLifeDamaged(t *testing.T) {
	const started, ended = `{"event":"started"}` + "\n", `{"event":"ended"}` + "\n"
	for name, test := range map[string]struct {
		ended   bool // the end notes what there was
		left    string
		events  int
		damaged bool
	}{
		"whole":                        {left: started + ended, events: 2},
		"cut off":                      {left: started + ended[:9], events: 1},
		"a line is none":               {left: started + "{\n" + ended, events: 2, damaged: true},
		"whole at its end":             {ended: true, left: started + ended, events: 2},
		"more since":                   {ended: true, left: started + ended + started, events: 3},
		"another line than at its end": {ended: true, left: strings.Replace(started, "started", "stopped", 1) + ended, events: 2, damaged: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := Store{Dir: t.TempDir()}
			s.put(t, "r1", time.Now())
			err := os.WriteFile(s.LifeFile("r1"), []byte(started+ended), 0o600)
			if test.ended {
				err = errors.Join(err, s.writeEnd("r1", ending{Status: launch.Status{State: launch.Ended}}))
			}
			if err := errors.Join(err, os.WriteFile(s.LifeFile("r1"), []byte(test.left), 0o600)); err != nil {
				t.Fatal(err)
			}
			events, err := s.Events("r1")
			if len(events) != test.events || test.damaged != (err != nil) || err != nil && !strings.Contains(err.Error(), "life.jsonl is damaged") {
				t.Errorf("%d events, %v", len(events), err)
			}
		})
	}
}
