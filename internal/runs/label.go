package runs

import (
	"context"
	"fmt"
	"strings"

	"sesskeep"
	"sesskeep/internal/identity"
	"sesskeep/internal/label"
	"sesskeep/internal/shelf"
)

// runLabel adds the role of a run to a label as a tag, and its purpose as the title
// unless the label has one.
func runLabel(l label.Label, role, purpose string) label.Label {
	if role != "" {
		l = l.Tag(role)
	}
	if l.Title == "" {
		l.Title = strings.TrimSpace(purpose)
	}
	return l
}

// label stores the role and the purpose of a run in the label of its session, so
// that lists show them.
func (r *Runs) label(ctx context.Context, p RunPlan) error {
	o := &p.order
	if r.opts.Journal == nil || o.Root == "" || o.Role == "" && o.Purpose == "" {
		return nil
	}
	homes, _, err := identity.Resolve(identity.Options{Dir: r.opts.Data, Host: r.opts.Host, Keys: r.opts.Journal.Labelled}, []identity.Root{{Dir: o.Root}})
	if err != nil {
		return err
	}
	key := sesskeep.Key{Session: sesskeep.SessionID(p.SessionID), Machine: homes[0].Machine, Home: homes[0].ID}
	now, err := r.opts.Journal.Labels().Of(ctx, key)
	if err != nil || runLabel(now, o.Role, o.Purpose).Equal(now) {
		return err
	}
	_, err = r.opts.Journal.Do(ctx, shelf.Plan{
		Verb: "label", Actor: p.by, Home: o.Root, Session: key.String(), What: labelWords(o.Role, o.Purpose),
		Steps: shelf.Steps{shelf.Label{Key: key, Edit: func(now label.Label) (label.Label, error) { return runLabel(now, o.Role, o.Purpose), nil }}},
	})
	return err
}

func labelWords(role, purpose string) string {
	var words []string
	if role != "" {
		words = append(words, "tag "+role)
	}
	if purpose != "" {
		words = append(words, fmt.Sprintf("title %q", purpose))
	}
	return strings.Join(words, ", ")
}
