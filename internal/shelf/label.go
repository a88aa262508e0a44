package shelf

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"sesskeep"
	"sesskeep/internal/label"
)

// Label changes what the user added to a session. That lies in our data
// directory; nothing in a home is changed.
type Label struct {
	Key    sesskeep.Key `json:"key"`
	Before label.Label  `json:"before"`
	After  label.Label  `json:"after"`
	// Edit makes the new label of the one that is there.
	Edit func(now label.Label) (label.Label, error) `json:"-"`
}

// Labels is the store of labels. Its changes are acts: see [Label].
func (s *Shelf) Labels() *label.Store {
	return label.New(label.Options{Dir: s.data.dir, Disk: s.data.disk, Now: s.data.now, Replay: s.Journal.labelChanges})
}

// Labelled lists the sessions that have a label; a nil Shelf has none. It serves to
// find the ids of homes and machines where the list of homes is lost, so a store that
// cannot be read has none to give.
func (s *Shelf) Labelled() []sesskeep.Key {
	if s == nil {
		return nil
	}
	all, _ := s.Labels().All(context.Background())
	return slices.Collect(maps.Keys(all))
}

func (l Label) file() string { return l.Key.String() }

func (l Label) check(t *task) (Step, error) {
	now, err := t.shelf.Labels().Of(context.Background(), l.Key)
	if err != nil {
		return l, err
	}
	if l.Edit == nil {
		if !now.Equal(l.Before) {
			return l, errRelabelled
		}
		return l, nil
	}
	l.Before = now
	if l.After, err = l.Edit(now); err != nil {
		return l, err
	}
	return l, l.After.Check()
}

var errRelabelled = fmt.Errorf("what was added to it %w", ErrChanged)

func (l Label) stage(*task) (Step, error) { return l, nil }

func (l Label) run(t *task) error { return l.set(t, l.Before, l.After) }

func (l Label) set(t *task, before, after label.Label) error {
	if err := t.at("label"); err != nil {
		return err
	}
	err := t.shelf.Labels().Set(context.Background(), label.Change{Act: t.act, Key: l.Key, Before: before, After: after})
	if errors.Is(err, label.ErrChanged) {
		return errRelabelled
	}
	return errors.Join(err, t.at("labelled"))
}

func (l Label) revert(t *task) error {
	now, err := t.shelf.Labels().Of(context.Background(), l.Key)
	if err != nil || now.Equal(l.Before) {
		return err
	}
	return l.set(t, l.After, l.Before)
}

func (l Label) inverse(t *task) (Step, error) {
	return Label{Key: l.Key, Edit: func(now label.Label) (label.Label, error) {
		back, ok := label.Back(l.Before, l.After, now)
		if !ok {
			return now, fmt.Errorf("%w, and nothing was done", errRelabelled)
		}
		return back, nil
	}}, nil
}
