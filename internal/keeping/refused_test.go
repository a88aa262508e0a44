package keeping

import (
	"errors"
	"testing"

	"sesskeep/homefs"
	"sesskeep/internal/homes"
	"sesskeep/internal/storetest"
	"sesskeep/internal/vault"
)

// A copy is compared with no file outside of the home, and with no secret, whatever the
// manifest of the copies says.
func TestCopiesLeadNowhere(t *testing.T) {
	set, err := homes.Open(homes.Options{Roots: []string{storetest.Home(t, "-- projects/-w/x.jsonl --\n-- .credentials.json --\nsecret\n")}})
	storetest.Must(t, err)
	for _, name := range []string{".credentials.json", "../x", "/etc/passwd", "projects/../../x", ""} {
		if state, err := compareMember(set.List[0], vault.Member{Name: name}); !errors.Is(err, homefs.ErrDenied) {
			t.Errorf("%q is %s, %v", name, state, err)
		}
	}
}
