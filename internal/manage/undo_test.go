package manage_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"sesskeep/internal/money"
	"sesskeep/internal/undo"
)

// Who goes away is not kept waiting by what reads a journal or a list of prices.
func TestGoneAway(t *testing.T) {
	d := newDesk(t, "{}")
	d.do(d.install(command))
	file := filepath.Join(t.TempDir(), "prices.json")
	if err := os.WriteFile(file, []byte(`{"models":[]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := undo.Plan(ctx, d.Shelf, undo.Options{Homes: d.homes()}); !errors.Is(err, context.Canceled) {
		t.Errorf("undo: %v", err)
	}
	if _, err := money.ReadPrices(ctx, file); !errors.Is(err, context.Canceled) {
		t.Errorf("prices: %v", err)
	}
	if _, err := undo.Plan(context.Background(), d.Shelf, undo.Options{Homes: d.homes()}); err != nil {
		t.Errorf("undo: %v", err)
	}
}
