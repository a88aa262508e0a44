package view_test

import (
	"encoding/json"
	"testing"

	"sesskeep/internal/view"
)

// A part that is encoded inside of something else is encoded as by itself.
func TestPartJSON(t *testing.T) {
	parts := turn(t, use("Edit", `{"file_path":"/w/<p>","old_string":"a","new_string":"b"}`), got(`"done"`, `{"durationMs":1500}`))
	alone, err := json.Marshal(parts[0])
	if err != nil {
		t.Fatal(err)
	}
	inside, err := json.Marshal(struct{ Part view.PartJSON }{parts[0].JSON()})
	if err != nil || string(inside) != `{"Part":`+string(alone)+"}" {
		t.Errorf("%s %v, want %s", inside, err, alone)
	}
	var back struct {
		Kind string
		Call struct {
			Tool       string
			DurationMs int
			Duration   *int
		}
	}
	if err := json.Unmarshal(alone, &back); err != nil || back.Kind != "call" || back.Call.Tool != "Edit" || back.Call.DurationMs != 1500 || back.Call.Duration != nil {
		t.Errorf("%s %v", alone, err)
	}
}
