package shelf_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"sesskeep/internal/shelf"
)

// G-58: nobody changes or takes out a line of the journal without a trace.
func TestChain(t *testing.T) {
	dir := t.TempDir()
	s := shelf.New(dir, time.Now)
	for i := range 6 {
		if _, err := s.Note(t.Context(), shelf.Plan{Verb: "allow", What: fmt.Sprintf("tool %d", i), Home: dir, Actor: shelf.Actor{From: "api"}}); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "journal.jsonl")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.Collect(bytes.Lines(whole))
	if len(lines) != 6 {
		t.Fatalf("%d lines: %s", len(lines), whole)
	}
	flaws := func(lines ...[]byte) int {
		t.Helper()
		if err := os.WriteFile(file, bytes.Join(lines, nil), 0o600); err != nil {
			t.Fatal(err)
		}
		found, err := shelf.New(dir, time.Now).Verify(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	if n := flaws(lines...); n != 0 {
		t.Errorf("%d flaws in a journal that nobody touched", n)
	}
	for i := range 5 {
		without := slices.Delete(slices.Clone(lines), i, i+1)
		if flaws(without...) == 0 {
			t.Errorf("line %d was taken out, and nobody noticed", i)
		}
		altered := slices.Clone(lines)
		altered[i] = bytes.Replace(lines[i], []byte("allow"), []byte("denied"), 1)
		if flaws(altered...) == 0 {
			t.Errorf("line %d was altered, and nobody noticed", i)
		}
	}
	// A line that a crash cut off is followed by others.
	if err := os.WriteFile(file, append(bytes.Join(lines[:3], nil), lines[3][:20]...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Note(t.Context(), shelf.Plan{Verb: "deny", Home: dir}); err != nil {
		t.Fatal(err)
	}
	if found, err := s.Verify(t.Context()); err != nil || len(found) != 0 {
		t.Errorf("after a crash: %v, %v", found, err)
	}
	// Lines that are older than the chain are as good as they were, if they come
	// before it.
	plain := [][]byte{unchained(lines[0]), unchained(lines[1])}
	if n := flaws(plain...); n != 0 {
		t.Errorf("%d flaws in an old journal", n)
	}
	if n := flaws(lines[0], lines[1], unchained(lines[2])); n == 0 {
		t.Error("a line without a chain follows others, and nobody noticed")
	}
	flaws(lines...)
	if _, err := s.Journal.Find(t.Context(), 1, []string{dir}); err == nil {
		t.Error("what changed nothing can be undone")
	}
}

// A byte that was changed anywhere in the journal is noticed: in the last line by every
// command, in the others by those that read so far.
func TestAltered(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	s := shelf.New(data, time.Now)
	for range 3 {
		if _, err := s.Note(t.Context(), shelf.Plan{Verb: "deny", Home: dir}); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(data, "journal.jsonl")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if s.Journal.Altered() != nil || s.Journal.Lost() != nil {
		t.Fatal("nothing was altered:", s.Journal.Altered(), s.Journal.Lost())
	}
	last := bytes.LastIndexByte(text[:len(text)-1], '\n')
	for at := range text {
		if text[at] == '\n' {
			continue
		}
		altered := bytes.Clone(text)
		altered[at] ^= 0x10
		if err := os.WriteFile(file, altered, 0o600); err != nil {
			t.Fatal(err)
		}
		inSeal := at >= len(text)-len(`,"sum":"0123456789abcdef"}`)-1 // where nothing else is said
		if at > last && s.Journal.Lost() == nil && !inSeal || at <= last && s.Journal.Altered() == nil {
			t.Errorf("byte %d is another one in: %s", at, altered)
		}
	}
}

// unchained is a line as it was written before there was a chain.
func unchained(line []byte) []byte {
	return regexp.MustCompile(`,"(prev|sum)":"[0-9a-f]*"`).ReplaceAll(line, nil)
}
