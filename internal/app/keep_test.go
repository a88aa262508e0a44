package app_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/homes"
	"sesskeep/internal/keeping"
	"sesskeep/internal/shelf"
	"sesskeep/internal/storetest"
	"sesskeep/internal/vault"
)

// kept opens a home with copies that were asked for.
func kept(t *testing.T) (a *app.App, root, data string) {
	t.Helper()
	data = t.TempDir()
	a, file := owned(t, app.Options{Data: data, Host: "here"})
	if _, err := a.Keep.SetPolicy(func(p *vault.Policy) { p.On = true }); err != nil {
		t.Fatal(err)
	}
	return a, filepath.Dir(filepath.Dir(filepath.Dir(file))), data
}

// With a process that stays, whatever is written is soon kept: every file of a
// family, history.jsonl and pastes. What is then deleted is listed, read and put
// back as it was.
func TestKeeper(t *testing.T) {
	a, root, data := kept(t)
	ctx := context.Background()
	main := "projects/-w/" + storetest.PaidID + ".jsonl"
	side := "projects/-w/" + storetest.PaidID
	files := map[string]string{
		main:                                         storetest.Paid(0, "begin") + storetest.Paid(1, "albatross"),
		side + "/subagents/agent-a1.jsonl":           `{"type":"user","uuid":"x","isSidechain":true,"agentId":"a1","sessionId":"` + storetest.PaidID + `"}` + "\n",
		side + "/subagents/agent-a1.meta.json":       `{"agentType":"x"}`,
		side + "/tool-results/t1.txt":                "a long output",
		"projects/-w/agent-0badcafe.jsonl":           `{"type":"user","uuid":"y","isSidechain":true,"agentId":"0badcafe","sessionId":"` + storetest.PaidID + `"}` + "\n",
		"tasks/" + storetest.PaidID + "/1.json":      `{"id":"1"}`,
		"file-history/" + storetest.PaidID + "/a@v1": "package a",
		"history.jsonl":                              `{"display":"hi"}` + "\n",
		"paste-cache/0123456789abcdef.txt":           "pasted",
		"plans/calm-sea.md":                          "# plan",
	}
	storetest.Append(t, filepath.Join(root, main), strings.TrimSuffix(storetest.Paid(1, "albatross"), "\n"))
	for name, text := range files {
		if name == main {
			continue
		}
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	h := a.Homes.List[0]
	storetest.Soon(t, func() string {
		for name, text := range files {
			if got := copyOf(h, name); got != text {
				return fmt.Sprintf("the copy of %s is %q, want %q", name, got, text)
			}
		}
		return ""
	})
	for name := range files {
		if err := os.Remove(filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	storetest.Soon(t, func() string {
		page, err := listedAll(ctx, a)
		if err != nil || len(page.Sessions) != 1 || page.Sessions[0].Origin != ask.OriginCopy {
			return fmt.Sprintf("sessions: %+v (%v)", page.Sessions, err)
		}
		gone, err := h.Copies.Gone(h.Disk())
		if err != nil || len(gone) != 1 || gone[0].Noticed.IsZero() {
			return fmt.Sprintf("gone: %+v (%v)", gone, err)
		}
		return ""
	})
	for name, text := range files {
		if got, err := h.Store.Files().ReadFile(name, 1<<20); err != nil || string(got) != text {
			t.Errorf("%s reads as %q (%v)", name, got, err)
		}
	}
	restored(t, a, data, storetest.PaidID, 7) // plans belong by the slug that a line tells
	for name, text := range files {
		if strings.HasPrefix(name, "plans/") || strings.HasPrefix(name, "paste-cache/") {
			continue
		}
		if name == "history.jsonl" {
			restored(t, a, data, name, 1)
		}
		if got, err := os.ReadFile(filepath.Join(root, name)); err != nil || string(got) != text {
			t.Errorf("%s was put back as %q (%v)", name, got, err)
		}
	}
}

// restored puts something back.
func restored(t *testing.T, a *app.App, data, address string, want int) {
	t.Helper()
	s := shelf.New(data, time.Now)
	r, err := a.Keep.PlanRestore(context.Background(), s, shelf.Actor{User: "u", From: "cli"}, address)
	if err != nil || r.Count(keeping.RestoreGone) != want {
		t.Fatalf("restore %s: %+v (%v), want %d files", address, r.Files, err, want)
	}
	if _, err := r.Make(context.Background(), s); err != nil {
		t.Fatal(err)
	}
}

func copyOf(h *homes.Home, name string) string {
	f, err := h.Copies.FS().Open(name)
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	info, _ := f.Stat()
	data := make([]byte, info.Size())
	if _, err := f.ReadAt(data, 0); err != nil {
		return err.Error()
	}
	return string(data)
}

// listedAll lists all sessions.
func listedAll(ctx context.Context, a *app.App) (catalog.Page, error) {
	c, err := a.Catalog.Snapshot(ctx)
	if err != nil {
		return catalog.Page{}, err
	}
	return c.List(ctx, ask.Filter{})
}

// What the client's clean-up deletes is put back so that the next clean-up leaves
// it alone: it goes by the time of the files.
func TestRestoredSurvivesCleanup(t *testing.T) {
	shared := os.Getenv("SESSKEEP_SHARED")
	if shared == "" {
		t.Skip("SESSKEEP_SHARED is not set: the home of the real client is not there")
	}
	root, data := t.TempDir(), t.TempDir()
	storetest.Must(t, os.CopyFS(root, os.DirFS(filepath.Join(shared, "corpus/real-client/p22-cleanup/snapshots/1-aged"))))
	const id = "f9d1ea3c-b0dd-414f-a19d-550a30ede5c6"
	old := time.Now().AddDate(0, 0, -60)
	var aged []string
	storetest.Must(t, filepath.WalkDir(filepath.Join(root, "projects"), func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && strings.Contains(path, id) {
			aged = append(aged, path)
			err = os.Chtimes(path, old, old)
		}
		return err
	}))
	before := map[string]string{}
	for _, path := range aged {
		data, err := os.ReadFile(path)
		storetest.Must(t, err)
		before[path] = string(data)
	}
	a, err := app.Open(app.Options{Roots: []string{root}, Data: data, Host: "here"})
	storetest.Must(t, err)
	defer a.Close()
	_, err = a.Keep.Now(context.Background(), nil)
	storetest.Must(t, err)
	if gone := cleanUp(t, root, 30); gone != len(aged) || gone == 0 {
		t.Fatalf("the clean-up took %d files of %d", gone, len(aged))
	}
	restored(t, a, data, id, len(aged))
	if gone := cleanUp(t, root, 30); gone != 0 {
		t.Errorf("the next clean-up took %d files", gone)
	}
	for path, text := range before {
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%s is %q (%v)", path, got, err)
		}
	}
}

// cleanUp does what the client does: it deletes transcripts, and what lies beside
// them, by their time alone.
func cleanUp(t *testing.T, root string, days int) (gone int) {
	limit := time.Now().AddDate(0, 0, -days)
	storetest.Must(t, filepath.WalkDir(filepath.Join(root, "projects"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil && info.ModTime().Before(limit) {
			gone++
			err = os.Remove(path)
		}
		return err
	}))
	return gone
}
