package sesskeep_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/storetest"

	"pgregory.net/rapid"
)

// follower decodes what is appended to a file, as a Hub does.
type follower struct {
	tb      *testing.T
	store   *sesskeep.Store
	mark    homefs.Mark
	entries []sesskeep.Entry // not given to Append yet
	to      int64
	opened  []*sesskeep.Transcript
}

func (f *follower) close() {
	for _, t := range f.opened {
		t.Close()
	}
}

func (f *follower) read() {
	f.tb.Helper()
	t, err := f.store.Tail(tailName, f.mark)
	if err != nil {
		f.tb.Fatal(err)
	}
	defer t.Close()
	for e, ok := t.Next(); ok; e, ok = t.Next() {
		f.entries = append(f.entries, e.Clone())
	}
	f.to, _ = t.Position()
	if f.mark, err = t.Mark(); err != nil {
		f.tb.Fatal(err)
	}
}

func (f *follower) give(t *sesskeep.Transcript) (*sesskeep.Transcript, homefs.Change) {
	f.tb.Helper()
	now, change, err := t.Append(f.tb.Context(), f.entries, f.to)
	if err != nil {
		f.tb.Fatal(err)
	}
	f.opened, f.entries = append(f.opened, now), nil
	return now, change
}

// A transcript that is given its lines says the same as one that reads as many of
// them, whatever is read in between and however late the lines come.
func TestAppendLaw(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		store := openHome(t, "-- "+tailName+" --\n")
		now, err := store.Read(tailName)
		if err != nil {
			t.Fatal(err)
		}
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{
			userLine("a", "", "one"), userLine("b", "a", "two"), textLine("c", "b", "three"),
			talkLine("d", "m", "c", `{"input_tokens":3,"output_tokens":1}`), userLine("g", "c", "four"),
			`{"type":"last-prompt","leafUuid":"b"}`, `{"type":"custom-title","customTitle":"T"}`,
			"junk", "", `{"type":"user"`, userLine("x", "", "glued") + userLine("y", "x", "together"),
		}), 1, 20).Draw(rt, "lines")
		data := []byte(strings.Join(lines, "\n") + rapid.SampledFrom([]string{"", "\n"}).Draw(rt, "end"))
		f := &follower{tb: t, store: store, opened: []*sesskeep.Transcript{now}}
		defer f.close()
		for len(data) > 0 {
			n := rapid.IntRange(1, min(len(data), 400)).Draw(rt, "piece")
			storetest.AppendBytes(t, store.Path(tailName), data[:n])
			data = data[n:]
			switch rapid.SampledFrom([]string{"follow", "append", "both", "read"}).Draw(rt, "what") {
			case "follow":
				f.read()
			case "both":
				f.read()
				now = f.appended(now)
			case "append": // what was followed so far, which may be less than there is
				now = f.appended(now)
			case "read":
				more, _, err := now.More(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				f.opened = append(f.opened, more)
				now = more
			}
		}
		now, _, err = now.More(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		f.opened = append(f.opened, now)
		fresh, err := store.Read(tailName)
		if err != nil {
			t.Fatal(err)
		}
		defer fresh.Close()
		if got, want := told(t, now), told(t, fresh); got != want {
			t.Fatalf("in the end\n got %s\nwant %s", got, want)
		}
	})
}

// appended gives the transcript the lines that were followed and compares it with a
// reading of a file that ends where they do.
func (f *follower) appended(old *sesskeep.Transcript) *sesskeep.Transcript {
	f.tb.Helper()
	if f.to == 0 {
		return old
	}
	now, change := f.give(old)
	if !now.Extends(old) || change != homefs.Same && old.Extends(now) {
		f.tb.Fatalf("%s: extends %v, and is extended %v", change, now.Extends(old), old.Extends(now))
	}
	if change == homefs.Same {
		if got, want := told(f.tb, now), told(f.tb, old); got != want {
			f.tb.Fatalf("nothing came\n got %s\nwant %s", got, want)
		}
		return now
	}
	data, err := os.ReadFile(f.store.Path(tailName))
	if err != nil {
		f.tb.Fatal(err)
	}
	fresh, err := openHome(f.tb, "-- "+tailName+" --\n"+string(data[:f.to])).Read(tailName)
	if err != nil {
		f.tb.Fatal(err)
	}
	defer fresh.Close()
	if got, want := told(f.tb, now), told(f.tb, fresh); got != want {
		f.tb.Fatalf("up to %d\n got %s\nwant %s", f.to, got, want)
	}
	for i := range now.Digest.Chain {
		a, err := now.Entry(i)
		b, other := fresh.Entry(i)
		if err != nil || other != nil || asJSON(f.tb, a) != asJSON(f.tb, b) {
			f.tb.Fatalf("line %d is %v, %v, want %v, %v", i, asJSON(f.tb, a), err, asJSON(f.tb, b), other)
		}
	}
	return now
}

// Lines that are given are not decoded again, neither to fold them nor to show them.
// Those that the file has not are not believed.
func TestAppendDecodesNothing(t *testing.T) {
	first, second, third := userLine("a", "", "one")+"\n", userLine("b", "a", "two")+"\n", userLine("c", "b", "three")+"\n"
	store := openHome(t, "-- "+tailName+" --\n"+first)
	start, err := store.Read(tailName)
	if err != nil {
		t.Fatal(err)
	}
	defer start.Close()
	f := &follower{tb: t, store: store}
	defer f.close()
	f.read()
	f.entries = nil
	storetest.AppendBytes(t, store.Path(tailName), []byte(second+third))
	f.read()
	message, wrong := f.entries[0].Message, f.entries[1].Message
	f.entries[1].Raw = bytes.Replace(f.entries[1].Raw, []byte("three"), []byte("other"), 1)
	now, change := f.give(start)
	if change != homefs.Grown || len(now.Digest.Chain) != 3 {
		t.Fatalf("%s, %d lines", change, len(now.Digest.Chain))
	}
	entries := make([]sesskeep.Entry, 3)
	for i := range entries {
		if entries[i], err = now.Entry(i); err != nil {
			t.Fatal(err)
		}
	}
	if entries[1].Message != message {
		t.Error("a line that was given is decoded again")
	}
	if entries[2].Message == wrong || !bytes.Contains(entries[2].Raw, []byte("three")) {
		t.Error("an entry counts that the file has not")
	}
	if more, change, err := now.More(t.Context()); err != nil || change != homefs.Same {
		t.Errorf("then there is %s, %v", change, err)
	} else {
		more.Close()
	}
}

// A file that was replaced is read whole, whatever was followed of the old one.
func TestAppendReplaced(t *testing.T) {
	store := openHome(t, "-- "+tailName+" --\n"+userLine("a", "", "one")+"\n")
	start, err := store.Read(tailName)
	if err != nil {
		t.Fatal(err)
	}
	defer start.Close()
	f := &follower{tb: t, store: store}
	defer f.close()
	f.read()
	storetest.AppendBytes(t, store.Path(tailName), []byte(userLine("b", "a", "two")+"\n"))
	f.read()
	if err := os.WriteFile(store.Path(tailName), []byte(userLine("z", "", "another")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	now, change := f.give(start)
	if change != homefs.Replaced || len(now.Digest.Chain) != 1 || now.Digest.Chain[0].UUID != "z" || now.Extends(start) {
		t.Errorf("%s, %+v", change, now.Digest.Chain)
	}
}
