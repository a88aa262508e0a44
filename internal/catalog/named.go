package catalog

import (
	"context"
	"strings"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/homes"
	"sesskeep/internal/index"
	"sesskeep/internal/reading"
)

// Named finds the sessions that addresses name by their ids, whole or not, by address. The
// index knows where they lie and the disk confirms it, so that the cost does not depend on the
// size of the homes. All others are missing, and for [Catalog.Find]: titles, parts of
// sessions, and ids that no transcript or several have.
func (c *Catalog) Named(ctx context.Context, addresses []string) (map[string]Target, error) {
	type wanted struct {
		word  string
		homes []*homes.Home
	}
	asked := map[string]wanted{}
	var words []string
	for _, address := range addresses {
		l, rest := c.Lookup(address)
		if word := strings.ToLower(rest); len(word) >= reading.MinPrefix && strings.Trim(word, "0123456789abcdef-") == "" {
			asked[address] = wanted{word, l.homes}
			words = append(words, word)
		}
	}
	if len(words) == 0 {
		return nil, nil
	}
	var found map[string][]ask.Named
	covered, err := c.index.AskCovered(ctx, true, func(x *index.Index) (err error) {
		found, err = x.Named(ctx, c.homes.Roots(), words)
		return err
	})
	targets := map[string]Target{}
	for address, w := range asked {
		if !covered.Complete && !sesskeep.IsUUID(w.word) {
			continue // what is not read yet can begin the same way
		}
		if t, ok := theOne(found[w.word], w.homes); ok {
			targets[address] = t
		}
	}
	return targets, err
}

// theOne is the only transcript of a list that lies in one of some homes, if it is still
// there.
func theOne(list []ask.Named, in []*homes.Home) (t Target, ok bool) {
	n := 0
	for _, found := range list {
		for _, h := range in {
			if h.Store.Root() == found.Root {
				n++
				t.Store = h.Store
				t.Ref, ok = h.Store.Ref(found.File)
			}
		}
	}
	return t, ok && n == 1
}
