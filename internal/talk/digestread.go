package talk

import (
	"context"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/reading"
	"sesskeep/internal/view"
)

func (d *digest) covers(t time.Time) bool { return !t.Before(d.since) && t.Before(d.until) }

// read adds a transcript by reading it.
func (d *digest) read(ctx context.Context, r *catalog.Session) error {
	s, err := d.app.catalog.Read(ctx, catalog.Target{Store: d.app.homes.At(r.Root).Store, Ref: r.Ref})
	if err != nil {
		return err
	}
	defer s.Close()
	return eachConversation(s, func(talk *reading.Session) error { return d.conversation(ctx, r, talk) })
}

// conversation adds a transcript, or an agent inside it.
func (d *digest) conversation(ctx context.Context, r *catalog.Session, s *reading.Session) error {
	lines := d.ownLines(s.Transcript, r.Root)
	if len(lines) == 0 {
		return nil
	}
	p := d.project(r.Project, r.ProjectPath)
	times, prompts, own := []time.Time{}, []string{}, map[string]bool{}
	for _, i := range lines {
		l := &s.Transcript.Digest.Chain[i]
		times, own[l.UUID] = append(times, l.When()), true
		if l.Role == sesskeep.RolePrompt {
			prompts = append(prompts, sesskeep.OneLine(l.Text))
		}
	}
	if r.Source == ask.FromUser && s.Inline == "" {
		p.addSession(r, times, prompts)
	}
	wanted := func(turn int) bool {
		return slices.ContainsFunc(s.Transcript.Tree.Turns[turn].Lines, func(i int) bool { return own[s.Transcript.Digest.Chain[i].UUID] })
	}
	return eachChange(ctx, s, wanted, func(part *view.Part, _ int) {
		if own[part.UUID] && d.calls.first(r.Root, part.Call.ID) {
			touch(p.files, part.Call.File, part.Time).count(part.Call)
		}
	})
}

// ownLines returns the lines of turns that were written in that time and that no earlier
// transcript had.
func (d *digest) ownLines(t *sesskeep.Transcript, root string) (list []int) {
	for turn := range t.Tree.Turns {
		for _, i := range t.Tree.Turns[turn].Lines {
			if l := &t.Digest.Chain[i]; d.covers(l.When()) && d.lines.first(root, l.UUID) {
				list = append(list, i)
			}
		}
	}
	return list
}
