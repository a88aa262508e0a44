package manage

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"sesskeep/internal/acts"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/label"
	"sesskeep/internal/shelf"
)

// RenameOptions are how a session is given a title.
type RenameOptions struct {
	Title string // empty: it loses the one it was given
	Local bool   // only we remember it: no line is written for the client
}

// Rename gives sessions a title. Unless it is local, a session that is not in
// use gets it as a line of the client's own too, so that Claude's picker shows
// it. Results name what is not there [errcode.NotFound], and an agent [errcode.Conflict].
func (mg *Manager) Rename(ctx context.Context, d acts.Doing, s Selection, o RenameOptions) (acts.Outcome, error) {
	o.Title = strings.TrimSpace(o.Title)
	busy := mg.live.Sessions()
	return mg.each(ctx, d, "rename", s, func(ctx context.Context, i *item, r *acts.Result) (string, shelf.Steps, error) {
		client := i.row.ClientTitle
		line, err := mg.clientTitle(ctx, i, o)
		if err != nil {
			return "", nil, err
		}
		want := i.label
		want.Title, want.Over = o.Title, client
		if o.Title == "" {
			want.Over = line
		}
		known := line == "" || line == client
		same := want.Title == i.label.Title && (o.Title != "" || want.Over == i.label.Over)
		if same && i.label.Titled(client) == o.Title && known {
			return "", nil, nil
		}
		r.Title = cmp.Or(o.Title, line, r.Title)
		busyErr := busy.Check(ctx, i.home, i.id)
		if busyErr != nil && !errors.Is(busyErr, errcode.ErrLive) {
			return "", nil, busyErr
		}
		if !known && busyErr != nil {
			r.Note, known = "not written for the client: "+busyErr.Error(), true
			if o.Title == "" {
				want.Over = ""
			}
		}
		steps := shelf.Steps{labelStep(i, func(l *label.Label) { l.Title, l.Over = want.Title, want.Over })}
		if !known {
			step, err := mg.titleLine(i, line)
			if err != nil {
				return "", nil, err
			}
			steps = append(steps, step)
		}
		if o.Title == "" && want.Over == "" && client != "" {
			r.Note = cmp.Or(r.Note, fmt.Sprintf("the client itself calls it %q", client))
		}
		return renameWords(o.Title), steps, checkLabel(want)
	})
}

// clientTitle is the title to write for the client; empty: none. The client has no line
// that removes a title. To remove one, the session is given the title that the client
// would show without it: its first words, or why it has none.
func (mg *Manager) clientTitle(ctx context.Context, i *item, o RenameOptions) (string, error) {
	switch {
	case o.Local || i.row.Ref.File == "":
		return "", nil
	case o.Title != "" || i.row.ClientTitle == "":
		return o.Title, nil
	}
	open, err := mg.catalog.Read(ctx, catalog.Target{Store: i.home.Store, Ref: i.row.Ref})
	if err != nil {
		return "", err
	}
	defer open.Close()
	found, err := open.Summaries(ctx)
	unnamed := open.Transcript.Digest
	unnamed.CustomTitle = ""
	return cmp.Or(unnamed.TitleWith(open.Transcript.Tree, found), catalog.Untitled(i.row.FileSize, i.row.MessageCount)), err
}

// checkLabel refuses a label that cannot be kept, as [errcode.Invalid].
func checkLabel(l label.Label) error {
	if err := l.Check(); err != nil {
		return errcode.New(errcode.Invalid, err)
	}
	return nil
}

func renameWords(title string) string {
	if title == "" {
		return "no title"
	}
	return fmt.Sprintf("title %q", title)
}

// titleLine appends the client's own line with a title. No line removes a title, so the line
// that undoes it names the title that was shown before.
func (mg *Manager) titleLine(i *item, title string) (shelf.Step, error) {
	line, err := customTitle(string(i.id), title)
	if err != nil {
		return nil, err
	}
	back, err := customTitle(string(i.id), cmp.Or(i.row.ClientTitle, i.row.Title, catalog.NameOf(&i.row)))
	if err != nil {
		return nil, err
	}
	file := filepath.Join(i.home.Store.Root(), filepath.FromSlash(i.row.Ref.File))
	return shelf.Append{File: file, From: shelf.Bytes(line), Back: shelf.Bytes(back)}, nil
}

func customTitle(session, title string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(struct {
		Type    string `json:"type"`
		Title   string `json:"customTitle"`
		Session string `json:"sessionId"`
	}{"custom-title", title, session})
	return b.Bytes(), err
}

// labelStep changes the label of a session.
func labelStep(i *item, edit func(l *label.Label)) shelf.Step {
	return shelf.Label{Key: i.key(), Edit: func(now label.Label) (label.Label, error) {
		edit(&now)
		return now, nil
	}}
}

// Tag adds tags to sessions and takes others away. The client's own tags stay. An
// invalid tag is [errcode.Invalid]; results are as those of Rename.
func (mg *Manager) Tag(ctx context.Context, d acts.Doing, s Selection, add, remove []string) (acts.Outcome, error) {
	for _, tag := range append(append([]string{}, add...), remove...) {
		if err := label.CheckTag(tag); err != nil {
			return acts.Outcome{}, errcode.New(errcode.Invalid, err)
		}
	}
	words := strings.TrimSpace(prefixed("+", add) + " " + prefixed("-", remove))
	return mg.relabel(ctx, d, s, "tag", words, func(l *label.Label) { *l = l.Tag(add...).Untag(remove...) })
}

// SetTags makes the user's tags of sessions these. The client's own stay.
func (mg *Manager) SetTags(ctx context.Context, d acts.Doing, s Selection, tags []string) (acts.Outcome, error) {
	for _, tag := range tags {
		if err := label.CheckTag(tag); err != nil {
			return acts.Outcome{}, errcode.New(errcode.Invalid, err)
		}
	}
	words := strings.TrimSpace("= " + strings.Join(tags, " "))
	return mg.relabel(ctx, d, s, "tag", words, func(l *label.Label) {
		l.Tags = nil
		*l = l.Tag(tags...)
	})
}

func prefixed(sign string, tags []string) string {
	var words []string
	for _, tag := range tags {
		words = append(words, sign+tag)
	}
	return strings.Join(words, " ")
}

// Star gives sessions a star, or takes it away. Results are as those of Rename.
func (mg *Manager) Star(ctx context.Context, d acts.Doing, s Selection, starred bool) (acts.Outcome, error) {
	verb := "star"
	if !starred {
		verb = "unstar"
	}
	return mg.relabel(ctx, d, s, verb, "", func(l *label.Label) { l.Starred = starred })
}

// SetSource says who sessions are for: user, agent or helper; empty leaves it to
// what is found out. Another word is [errcode.Invalid].
func (mg *Manager) SetSource(ctx context.Context, d acts.Doing, s Selection, source ask.Source) (acts.Outcome, error) {
	if source != "" && source != ask.FromUser && source != ask.FromAgent && source != ask.FromHelper {
		return acts.Outcome{}, errcode.New(errcode.Invalid, fmt.Errorf("unknown source %q: use user, agent or helper", source))
	}
	return mg.relabel(ctx, d, s, "source", string(source), func(l *label.Label) { l.Source = string(source) })
}

// Note adds a note to sessions; an empty one removes it. Results are as those of
// Rename.
func (mg *Manager) Note(ctx context.Context, d acts.Doing, s Selection, note string) (acts.Outcome, error) {
	words := "no note"
	if note = strings.TrimSpace(note); note != "" {
		words = fmt.Sprintf("note %q", firstLine(note))
	}
	return mg.relabel(ctx, d, s, "note", words, func(l *label.Label) { l.Note = note })
}

// firstLine is the beginning of a text, for a list of acts.
func firstLine(text string) string {
	line, _, more := strings.Cut(text, "\n")
	if runes := []rune(line); len(runes) > 60 {
		line, more = string(runes[:60]), true
	}
	if more {
		line += "…"
	}
	return line
}

// relabel changes the labels of sessions.
func (mg *Manager) relabel(ctx context.Context, d acts.Doing, s Selection, verb, words string, edit func(l *label.Label)) (acts.Outcome, error) {
	return mg.each(ctx, d, verb, s, func(_ context.Context, i *item, _ *acts.Result) (string, shelf.Steps, error) {
		after := i.label
		edit(&after)
		if after.Equal(i.label) {
			return "", nil, nil
		}
		if err := checkLabel(after); err != nil {
			return "", nil, err
		}
		return words, shelf.Steps{labelStep(i, edit)}, nil
	})
}
