package mask

import (
	"context"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/mention"
	"sesskeep/internal/shelf"
)

// PurgeVerb is the verb of a purge of backups in the journal.
const PurgeVerb = "mask purge"

// Purge removes for good what changes have kept of a session: the files as they were before
// they were masked, too. None of those changes can be undone after that.
func (m *Masker) Purge(ctx context.Context, d acts.Doing, address string) (shelf.Forgotten, error) {
	if err := m.Journal.Start(ctx, d, PurgeVerb, address); err != nil {
		return shelf.Forgotten{}, err
	}
	h, id, err := m.find(ctx, address)
	if err != nil {
		return shelf.Forgotten{}, err
	}
	forget := shelf.Forget{Of: mention.Set{Sessions: []sesskeep.SessionID{id}}}
	had, err := m.Journal.Shelf.Forgets(ctx, forget)
	if err != nil || d.DryRun || len(had.Acts) == 0 {
		return had, err
	}
	plan := shelf.Plan{Verb: PurgeVerb, Actor: d.Actor, Home: h.Store.Root(), Session: h.Key(id).String(), Steps: shelf.Steps{forget}}
	_, err = m.Journal.CarryOut(ctx, d, plan)
	return had, err
}
