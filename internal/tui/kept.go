package tui

import (
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/draw"
	"sesskeep/internal/errcode"
	"sesskeep/internal/keeping"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
)

// kept is how the copies of sessions are, in a few words for the foot. To find
// out all files are looked at, so it is done seldom: the longer it takes, and the
// less happens.
type kept struct {
	words  string
	old    bool // something was done to sessions since
	partly bool // something was not kept at the last look
	busy   bool
	seen   uint64    // generation of the lists at the last look
	next   time.Time // not before then; zero: never checked
}

// due reports whether to look again.
func (k *kept) due(now time.Time, generation uint64) bool {
	switch {
	case k.busy:
		return false
	case k.old, k.next.IsZero():
		return true
	}
	return !now.Before(k.next) && (k.partly || k.seen != generation)
}

// keptMsg is how the copies are.
type keptMsg struct {
	words string
	whole bool // everything is kept
	took  time.Duration
}

const (
	// keptRest is the time between two looks while everything is kept, and
	// keptSoon while it is not.
	keptRest = time.Minute
	keptSoon = 5 * time.Second
	// keptShare bounds the time spent looking: one part of so many.
	keptShare = 200
	// expiringSoon is within which time sessions count that will be deleted.
	expiringSoon = 3 * 24 * time.Hour
)

// checkCopies looks how the copies are, if it is time for that.
func (m *model) checkCopies() tea.Cmd {
	k, now := &m.kept, m.world.Now()
	generation := m.world.App.Index.Coverage().Generation
	if m.pulse.reading || m.picks() || !k.due(now, generation) {
		return nil
	}
	k.busy, k.old, k.seen = true, false, generation
	w := m.world
	return func() tea.Msg {
		start := time.Now()
		msg := copiesState(w)
		msg.took = time.Since(start)
		return msg
	}
}

// apply shows how the copies are.
func (k *kept) apply(now time.Time, msg keptMsg) {
	rest := keptRest
	if !msg.whole {
		rest = keptSoon
	}
	k.busy, k.words, k.partly = false, msg.words, !msg.whole
	k.next = now.Add(max(rest, keptShare*msg.took))
}

// copiesState returns how the copies are. Where that is unknown the status line stays
// silent, and the page about copies gives the reason.
func copiesState(w *pages.World) keptMsg {
	policy, err := w.App.Keep.Policy()
	if errors.Is(err, errcode.ErrNewer) {
		return keptMsg{words: "nothing is copied: " + term.Line(err.Error()), whole: true}
	}
	if err != nil {
		return keptMsg{whole: true}
	}
	if policy.Problem != "" {
		return keptMsg{words: policy.Problem, whole: true}
	}
	if !policy.On {
		n, _, err := w.App.Keep.Unkept(w.Ctx, expiringSoon, w.Managed)
		if err != nil || n == 0 {
			return keptMsg{whole: true}
		}
		return keptMsg{words: expiringWords(w.Screen, n), whole: true}
	}
	st, err := w.App.Keep.Status(w.Ctx)
	if err != nil {
		return keptMsg{whole: true}
	}
	return keptMsg{words: keptWords(st), whole: st.Missing == 0}
}

func expiringWords(sc term.Screen, n int) string {
	within := "≤"
	if sc.ASCII {
		within = "<="
	}
	verb := "expire"
	if n == 1 {
		verb = "expires"
	}
	return fmt.Sprintf("%s %s in %s 3 days, not kept: %s", draw.Plural(n, "session"), verb, within, keys.Find(keys.KeptPage).Keys[0])
}

// keptWords say how much is kept. What is missing is never rounded away.
func keptWords(st keeping.KeepStatus) string {
	switch {
	case st.Stopped != "":
		return "keeping stopped: " + term.Line(st.Stopped)
	case st.Bytes == 0:
		return ""
	case st.Missing == 0:
		return "100 % kept"
	}
	return fmt.Sprintf("%d %% kept, copying", (st.Bytes-st.Missing)*100/st.Bytes)
}
