package acts

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/live"
	"sesskeep/internal/regular"
	"sesskeep/internal/settings"
	"sesskeep/internal/shelf"
)

// HookKind says what hooks are for.
type HookKind string

// The kinds of hooks.
const (
	ReportHooks HookKind = ""     // they report what happens
	KeepHooks   HookKind = "keep" // they copy a session when it ends
	AnswerHooks HookKind = "ask"  // they bring what sessions ask into the inbox
)

// Events are the events that hooks of a kind are for.
func (k HookKind) Events() []string { return k.Hooks().Events }

func (k HookKind) Hooks() settings.Hooks {
	switch k {
	case KeepHooks:
		return settings.Keeps
	case AnswerHooks:
		return settings.Asks
	}
	return settings.Reports
}

// verbs are those of the acts that install hooks of a kind and take them out.
func (k HookKind) verbs() (install, uninstall string) {
	switch k {
	case KeepHooks:
		return "keep on", "keep off"
	case AnswerHooks:
		return "hook install --answer", "hook uninstall --answer"
	}
	return "hook install", "hook uninstall"
}

// KindOf is the kind of the hooks that an act installed.
func KindOf(verb string) (HookKind, bool) {
	for _, k := range []HookKind{ReportHooks, KeepHooks, AnswerHooks} {
		if install, _ := k.verbs(); verb == install {
			return k, true
		}
	}
	return "", false
}

// Hooks is how hooks are set up.
type Hooks struct {
	Kind    HookKind
	Shelf   *shelf.Shelf
	Actor   shelf.Actor
	Command string // what the client shall run
	Managed string // directory of the system's managed settings; may be missing
}

// settingsFile is where a home keeps its settings.
func settingsFile(root string) string { return filepath.Join(root, "settings.json") }

// Install plans to install our hooks in a home.
func (h Hooks) Install(ctx context.Context, root string) (Change, error) {
	verb, _ := h.Kind.verbs()
	if err := h.Kind.Hooks().CheckCommand(h.Command); err != nil {
		return Change{}, fmt.Errorf("%s: %w", verb, err)
	}
	c, f, err := h.read(ctx, verb, root)
	if err != nil {
		return c, err
	}
	after, err := h.Kind.Hooks().Add(f.Data, h.Command)
	if err != nil {
		return c, &sesskeep.Error{Op: verb, Name: c.File, Err: err}
	}
	return c.Become(h.Shelf, f, after)
}

// Uninstall plans to take them out. A file that is as an installation left it
// gets its very bytes back.
func (h Hooks) Uninstall(ctx context.Context, root string) (Change, error) {
	_, verb := h.Kind.verbs()
	hooks := h.Kind.Hooks()
	c, f, err := h.read(ctx, verb, root)
	if err != nil {
		return c, err
	}
	if !hooks.In(f.Data) {
		after, err := hooks.Remove(f.Data, settings.Origin{}) // for what it says of a text that is no JSON
		if err != nil {
			return c, &sesskeep.Error{Op: verb, Name: c.File, Err: err}
		}
		return c.Become(h.Shelf, f, after)
	}
	origin, left, err := installation(h.Shelf, h.Kind, f.Path)
	if err != nil {
		return c, err
	}
	if left == shelf.ContentOf(f.Data) {
		return c.Become(h.Shelf, f, origin.Text)
	}
	after, err := hooks.Remove(f.Data, origin)
	if err != nil {
		return c, &sesskeep.Error{Op: verb, Name: c.File, Err: err}
	}
	return c.Become(h.Shelf, f, after)
}

// read begins a change of a home's settings.
func (h Hooks) read(ctx context.Context, verb, root string) (Change, shelf.File, error) {
	c := Change{Plan: shelf.Plan{Verb: verb, Actor: h.Actor, Home: root}, File: settingsFile(root)}
	f, err := ReadSettings(ctx, h.Shelf, root, c.File)
	if err != nil {
		err = &sesskeep.Error{Op: verb, Name: c.File, Err: err}
	}
	c.Before = f.Data
	return c, f, err
}

// maxSettings is larger than any settings are.
const maxSettings = 4 << 20

// ReadSettings reads a file of settings that is to be edited.
func ReadSettings(ctx context.Context, s *shelf.Shelf, root, file string) (shelf.File, error) {
	f, err := s.Read(ctx, root, file)
	if err == nil && len(f.Data) > maxSettings {
		err = regular.ErrTooLarge
	}
	return f, err
}

// installation finds what a file was before our hooks came into it, and what it
// was after that. Both are zero if the journal does not know.
func installation(s *shelf.Shelf, kind HookKind, path string) (settings.Origin, shelf.Content, error) {
	for a, err := range s.Journal.Acts() {
		if err != nil {
			return settings.Origin{}, shelf.Content{}, err
		}
		if verb, _ := kind.verbs(); a.Verb != verb || a.State != shelf.Done || len(a.Steps) != 1 {
			continue
		}
		switch step := a.Steps[0].(type) {
		case shelf.Create:
			if step.Path == path {
				return settings.Origin{Made: true}, step.After, nil
			}
		case shelf.Replace:
			if step.Path != path {
				continue
			}
			// A later one only changed the command of what was there.
			if text, err := s.Kept(a, 0); err == nil && !kind.Hooks().In(text) {
				return settings.Origin{Text: text}, step.After, nil
			}
		}
	}
	return settings.Origin{}, shelf.Content{}, nil
}

// Status returns which hooks a home has.
func (h Hooks) Status(ctx context.Context, root string) (settings.HookStatus, error) {
	file := settingsFile(root)
	f, err := h.Shelf.ReadNow(root, file)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return settings.HookStatus{}, &sesskeep.Error{Op: "hook status", Name: file, Err: err}
	}
	st, err := h.Kind.Hooks().Status(f.Data, h.Command)
	st.File, st.Path = file, f.Path
	if err != nil {
		return st, &sesskeep.Error{Op: "hook status", Name: file, Err: err}
	}
	st.Off = managedOff(h.Managed)
	if key := settings.SwitchedOff(f.Data, "disableAllHooks"); st.Off == "" && key != "" {
		st.Off = key + " is set in " + file
	}
	return st, nil
}

// managedOff says why an administrator's settings keep hooks of users from
// running, if they do.
func managedOff(dir string) string {
	if dir == "" {
		return ""
	}
	files := []string{filepath.Join(dir, "managed-settings.json")}
	pieces, _ := os.ReadDir(filepath.Join(dir, "managed-settings.d")) // most systems have none
	for _, e := range pieces {
		if strings.HasSuffix(e.Name(), ".json") && !strings.HasPrefix(e.Name(), ".") {
			files = append(files, filepath.Join(dir, "managed-settings.d", e.Name()))
		}
	}
	for _, file := range slices.Backward(files) {
		text, err := shelf.ReadText(file)
		if err != nil {
			continue
		}
		if key := settings.SwitchedOff(text, "disableAllHooks", "allowManagedHooksOnly"); key != "" {
			return key + " is set in " + file
		}
	}
	return ""
}

// Report appends what the client passed to a hook to the file of reports.
func Report(file string, input []byte, now time.Time) error {
	r, err := live.ParseReport(input, now)
	if err != nil {
		return err
	}
	return live.AppendReport(file, r)
}
