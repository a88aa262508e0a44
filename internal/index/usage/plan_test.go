package usage

import (
	"strings"
	"testing"

	"sesskeep/internal/index/db"
)

// Whether a message is a fork's copy is found by the few files that have the message,
// not by all rows of the home.
func TestCopiedPlan(t *testing.T) {
	d, err := db.Open("", db.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	plan, err := d.Plan(t.Context(), "SELECT "+copied("r", "u")+" FROM usage u JOIN row r ON r.file = u.file WHERE u.hash = 1")
	if err != nil || !strings.Contains(plan, "SEARCH theirs USING COVERING INDEX usage_hash (hash=?)") || !strings.Contains(plan, "SEARCH origin USING INTEGER PRIMARY KEY") {
		t.Errorf("got\n%s%v", plan, err)
	}
}
