package claudehome_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep/claudehome"
	"sesskeep/homefs"
)

// Read from its end, a history has the same entries as read from its start, in
// however many stretches, with damage, long lines and lines written twice.
func TestHistoryBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 4 {
		var b strings.Builder
		for i := range 2000 {
			text := fmt.Sprintf("prompt %d %s", i, strings.Repeat("x", rng.IntN(200)))
			switch rng.IntN(300) {
			case 0:
				text += strings.Repeat("long ", 300<<10)
			case 1:
				b.WriteString("{\"display\":\"broken\n")
			case 2:
				b.WriteString("\n\n")
			}
			line := fmt.Sprintf(`{"display":%q,"timestamp":%d,"project":"/w","sessionId":"s"}`, text, 1700000000000+i)
			if rng.IntN(100) == 0 {
				b.WriteString(line) // glued to the next
			}
			b.WriteString(line + "\n")
		}
		text := b.String()
		if round%2 == 1 {
			text = strings.TrimSuffix(text, "\n")
		}
		if round == 0 {
			text = ""
		}
		s := openHome(t, "-- projects/x --\n")
		if err := os.WriteFile(filepath.Join(s.Root(), "history.jsonl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		want, _, err := claudehome.ReadHistory(s)
		if err != nil {
			t.Fatal(err)
		}
		got, stretches := readBack(t, s)
		if len(got) != len(want) || len(text) > 16<<20 && stretches < 3 {
			t.Fatalf("%d entries in %d stretches of %d bytes, want %d", len(got), stretches, len(text), len(want))
		}
		for i := range want {
			if got[i].Display != want[i].Display || !got[i].Time.Equal(want[i].Time) {
				t.Fatalf("entry %d is %.40q, want %.40q", i, got[i].Display, want[i].Display)
			}
		}
	}
}

func readBack(t *testing.T, s *homefs.Home) (all claudehome.History, stretches int) {
	t.Helper()
	r, err := claudehome.OpenHistory(s)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		list, err := r.Back()
		if errors.Is(err, io.EOF) {
			return all, stretches
		}
		if err != nil {
			t.Fatal(err)
		}
		stretches++
		all = append(list, all...)
	}
}
