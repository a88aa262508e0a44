package vault

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"sesskeep"
)

// talk is lines of a session with uuids, which are hard to compress by themselves.
func talk(rnd *rand.Rand, session string, n int) []string {
	var list []string
	for i := range n {
		text := make([]byte, 300)
		for j := range text {
			text[j] = "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[rnd.IntN(63)]
		}
		list = append(list, fmt.Sprintf(`{"type":"user","uuid":"%08x-0000-4000-8000-%012d","sessionId":"%s","text":"%s"}`+"\n", rnd.Uint32(), i, session, text))
	}
	return list
}

const (
	forkID  = "aaaaaaaa-0000-4000-8000-000000000000"
	forkID2 = "bbbbbbbb-0000-4000-8000-000000000000"
	mainOf  = "projects/-w/%s.jsonl"
)

// forked is a home with a long session and forks of it, of every kind.
func forked(t *testing.T) *world {
	w := newWorld(t)
	rnd := rand.New(rand.NewPCG(4, 4))
	lines := talk(rnd, idA, 12_000) // 4.7 MB
	w.write(mainA, strings.Join(lines, ""))
	// --fork-session: the same uuids and no word of where they are from.
	w.write(fmt.Sprintf(mainOf, forkID), strings.ReplaceAll(strings.Join(lines[:9_000], ""), idA, forkID)+strings.Join(talk(rnd, forkID, 3000), ""))
	// /branch: every line says it. It is a fork of the fork.
	var branch strings.Builder
	for _, line := range lines[:8_000] {
		uuid := line[23:59]
		said := fmt.Sprintf(`"sessionId":"%s","forkedFrom":{"sessionId":"%s","messageUuid":"%s"}`, forkID2, forkID, uuid)
		branch.WriteString(strings.Replace(line, `"sessionId":"`+idA+`"`, said, 1))
	}
	w.write(fmt.Sprintf(mainOf, forkID2), branch.String())
	now := time.Now()
	for i, name := range []string{mainA, fmt.Sprintf(mainOf, forkID), fmt.Sprintf(mainOf, forkID2)} {
		at := now.Add(time.Duration(i-10) * time.Hour)
		w.check(os.Chtimes(w.path(name), at, at))
	}
	return w
}

func framesSize(t *testing.T, w *world, id string) int64 {
	b, err := w.home().boxes.load(boxKey{"-w", sesskeep.SessionID(id)})
	if err != nil {
		t.Fatal(err)
	}
	return b.used
}

// A fork takes next to no room for what it shares, and loses nothing when the
// session it is of is purged.
func TestFork(t *testing.T) {
	w := forked(t)
	w.sweep()
	want := w.files()
	w.compare(want)
	whole := framesSize(t, w, idA)
	own := whole / 4 // 3,000 lines of its own of 12,000
	if size := framesSize(t, w, forkID); size > own+whole/20 {
		t.Errorf("the fork takes %d bytes, its own lines %d, and what it is of %d", size, own, whole)
	}
	if size := framesSize(t, w, forkID2); size > whole/15 {
		t.Errorf("the fork of the fork takes %d bytes, and what it is of %d", size, whole)
	}
	if err := w.home().Remover.Prune(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	w.compare(want)
	t.Logf("whole %d, fork with a quarter of its own %d, fork of the fork %d", whole, framesSize(t, w, forkID), framesSize(t, w, forkID2))
	w.check(w.home().Remover.Drop(context.Background(), idA))
	for name := range want {
		if strings.Contains(name, idA) || strings.Contains(name, "agent-0badcafe") {
			delete(want, name)
		}
	}
	w.compare(want)
	if size := framesSize(t, w, forkID2); size < whole/2 {
		t.Errorf("the fork takes %d bytes without what it is of", size)
	}
}
