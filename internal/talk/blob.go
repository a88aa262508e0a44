package talk

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"sesskeep"
	"sesskeep/internal/catalog"
	"sesskeep/internal/reading"
	"sesskeep/internal/view"
)

// diffRef is the suffix of the ref of a call's diff.
const diffRef = ".diff"

// Blob opens what a block refers to, and calls use with it. If there is none, the
// error is [errcode.NotFound].
func (tk *Talk) Blob(ctx context.Context, t catalog.Target, ref string, use func(*reading.Blob) error) error {
	var used error
	open := func(t catalog.Target) error {
		s, err := tk.catalog.Read(ctx, t)
		if err != nil {
			return err
		}
		defer s.Close()
		b, err := blob(ctx, s, ref)
		if err != nil {
			return err
		}
		defer b.Close()
		used = use(b)
		return nil
	}
	var err error
	if reading.IsSaved(ref) {
		err = tk.catalog.Lineage(ctx, t, open)
	} else {
		err = open(t)
	}
	return cmp.Or(err, used)
}

func blob(ctx context.Context, s *reading.Session, ref string) (*reading.Blob, error) {
	if position, ok := strings.CutSuffix(ref, diffRef); ok && validPosition(position) {
		return diffBlob(ctx, s, position)
	}
	return s.Blob(ctx, ref)
}

func validPosition(name string) bool {
	_, ok := view.ParsePosition(name)
	return ok
}

// diffBlob returns what a call changed, as JSON.
func diffBlob(ctx context.Context, s *reading.Session, position string) (*reading.Blob, error) {
	none := &sesskeep.Error{Op: "find blob", Name: position + diffRef, Err: sesskeep.ErrNotFound}
	at, _ := view.ParsePosition(position)
	line := at
	line.Block, line.Item = 0, 0
	turn, err := s.TurnOf(line.String())
	if err != nil {
		return nil, none
	}
	parts, err := s.Parts(ctx, turn)
	if err != nil {
		return nil, err
	}
	for i := range parts {
		if p := &parts[i]; p.Call != nil && p.Position.String() == position {
			text, err := json.Marshal(p.Call.Diff)
			return &reading.Blob{Reader: bytes.NewReader(text), Name: position + ".json", Type: "application/json", Size: int64(len(text)), Shown: true}, err
		}
	}
	return nil, none
}
