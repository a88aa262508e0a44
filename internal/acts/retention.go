package acts

import (
	"context"

	"sesskeep"
	"sesskeep/internal/settings"
	"sesskeep/internal/shelf"
)

// PlanRetention plans to change the number of days in the settings of a home.
func PlanRetention(ctx context.Context, s *shelf.Shelf, by shelf.Actor, root string, days int) (Change, error) {
	const verb = "keep retention set"
	c := Change{Plan: shelf.Plan{Verb: verb, Actor: by, Home: root}, File: settingsFile(root)}
	f, err := ReadSettings(ctx, s, root, c.File)
	if err != nil {
		return c, &sesskeep.Error{Op: verb, Name: c.File, Err: err}
	}
	c.Before = f.Data
	after, err := settings.SetPeriod(f.Data, days)
	if err != nil {
		return c, &sesskeep.Error{Op: verb, Name: c.File, Err: err}
	}
	return c.Become(s, f, after)
}
