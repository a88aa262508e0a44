package index_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/storetest"
)

// messagesOf writes down all messages of a source, each with its session.
func messagesOf(t *testing.T, x interface {
	Messages(ctx context.Context, f ask.Filter, visit func(m *ask.Message)) error
}, f ask.Filter) (list []string) {
	t.Helper()
	err := x.Messages(t.Context(), f, func(m *ask.Message) {
		list = append(list, fmt.Sprint(m.Location.Root, m.Location.ID, m.Location.Session, m.At, m.Model, m.Sidechain, m.Usage))
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return list
}

// Without an index every message counts where it does with one: copied by forks,
// in a copy of the home, in flat agents, in damaged files and in one that is still
// being written.
func TestFilesAreAnIndex(t *testing.T) {
	c, err := storetest.Make(t.TempDir(), storetest.S, 31)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(copied, os.DirFS(c.Dir)); err != nil {
		t.Fatal(err)
	}
	last := c.Files[len(c.Files)-1].Name
	line := `{"type":"assistant","uuid":"new","sessionId":"s","timestamp":"2026-10-30T10:00:00.000Z","message":{"id":"msg_new","model":"claude-opus-4-5","usage" : {"input_tokens":7,"output_tokens":-3}}}`
	for _, text := range []string{`{"type":"assistant","message":{"usage":{"input_tok` + line + "\n", line} {
		f, err := os.OpenFile(filepath.Join(copied, last), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	x, err := index.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	var homes []ask.Home
	var roots []string
	for _, dir := range []string{c.Dir, copied} {
		store, err := sesskeep.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		homes, roots = append(homes, ask.Home{Store: store}), append(roots, store.Root())
	}
	if known, err := x.Knows(t.Context(), roots); known || err != nil {
		t.Errorf("an empty index knows the homes: %v, %v", known, err)
	}
	if _, err := x.Walk(t.Context(), homes, index.Options{}); err != nil {
		t.Fatal(err)
	}
	if known, err := x.Knows(t.Context(), roots); !known || err != nil {
		t.Errorf("the index does not know the homes: %v, %v", known, err)
	}
	files, err := index.ReadFiles(t.Context(), homes, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []ask.Filter{{}, {Since: storetest.Until.Add(-storetest.Span / 2)}, {Until: storetest.Until.Add(-storetest.Span / 2), Model: "opus"}, {Branch: "main"}} {
		f.Homes = homes
		got, want := messagesOf(t, files, f), messagesOf(t, x, f)
		if !slices.Equal(got, want) {
			t.Errorf("since %v: %d messages of files, %d of the index", f.Since, len(got), len(want))
		}
		if len(got) == 0 {
			t.Error("there are no messages")
		}
	}
	for _, f := range []ask.Filter{{Project: "p"}, {Source: "agent"}, {ID: "1"}, {In: roots[0]}} {
		if index.OnlyMessages(f) {
			t.Errorf("%+v is about more than messages", f)
		}
	}
}
