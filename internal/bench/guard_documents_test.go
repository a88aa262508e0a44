package main

import (
	"io"
	"strconv"
	"time"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/catalog"
	"sesskeep/internal/export"
	"sesskeep/internal/manage"
	"sesskeep/internal/shelf"
	"sesskeep/internal/talk"
)

// sessions finds sessions by their ids, as requests do.
func (g *guard) sessions(a *app.App, n int, use func(t catalog.Target) error) error {
	for _, id := range g.ids[:n] {
		t, err := a.Catalog.Find(g.Context(), id)
		if err != nil {
			return err
		}
		if err := use(t); err != nil {
			return err
		}
	}
	return nil
}

// open reads the end of sessions.
func (g *guard) open(a *app.App) error {
	return g.sessions(a, 10, func(t catalog.Target) error {
		_, err := a.Talk.Blocks(g.Context(), t, talk.BlockOptions{})
		return err
	})
}

// export writes all sessions as documents.
func (g *guard) export(format export.Format) func(a *app.App) error {
	return func(a *app.App) error {
		return g.sessions(a, len(g.ids), func(t catalog.Target) error {
			return a.Talk.Export(g.Context(), io.Discard, t, talk.ExportOptions{Plain: true, Options: export.Options{Format: format}})
		})
	}
}

// tag tags sessions that are named one by one.
func (g *guard) tag(data string) time.Duration {
	return g.best(func() {
		a, err := app.Open(app.Options{Roots: []string{g.home}, Data: data, Cache: g.warm, Shelf: shelf.New(data, time.Now)})
		if err != nil {
			g.Fatal(err)
		}
		g.asked++
		out, err := a.Manage.Tag(g.Context(), acts.Doing{Force: true}, manage.Selection{Addresses: g.ids[:40]}, []string{"tag" + strconv.Itoa(g.asked)}, nil)
		if err != nil || out.Changed != 40 {
			g.Errorf("%d of 40 are tagged: %v", out.Changed, err)
		}
		if err := a.Close(); err != nil {
			g.Fatal(err)
		}
	})
}
