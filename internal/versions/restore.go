package versions

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/ask"
	"sesskeep/internal/errcode"
	"sesskeep/internal/shelf"
	"sesskeep/internal/timeline"
	"sesskeep/internal/view"
)

// RestoreVerb is the verb of the acts that give a file an earlier content.
const RestoreVerb = "file restore"

// RestoreRequest says which version of a file goes where.
type RestoreRequest struct {
	Path string
	At   string // as in Show
	To   string // file that gets the content; empty: the path itself
}

// FileRestoration is a file that got an earlier content, or would.
type FileRestoration struct {
	Version FileVersion `json:"version"`         // version that was restored, without its text
	File    string      `json:"file"`            // file that got the content
	Changed bool        `json:"changed"`         // false if it has that content already
	DryRun  bool        `json:"dryRun"`          // true if nothing was written
	Act     int         `json:"actId,omitempty"` // number of the act, for undo
	Hunks   []view.Hunk `json:"hunks"`           // what changes in the file
	ask.Covered
}

// Restore gives a file the content of a version, as an act that can be undone. Without To the file must
// lie in the directory of a project whose session changed it, as that resolves now, and no link may lead out
// of it; else it is [errcode.Denied]. A version whose content is not known is [errcode.Invalid].
func (v *Versions) Restore(ctx context.Context, d acts.Doing, r RestoreRequest) (FileRestoration, error) {
	out := FileRestoration{DryRun: d.DryRun, Hunks: []view.Hunk{}}
	p, err := v.read(ctx, r.Path)
	if err != nil {
		return out, err
	}
	f, err := v.at(ctx, p, r.At)
	switch {
	case err != nil:
		return out, err
	case f.Sure == timeline.Lost:
		return out, errcode.New(errcode.Invalid, errors.New("the content of that time is not known: a change before it cannot be replayed"))
	case f.Absent:
		return out, errcode.New(errcode.Invalid, errors.New("there was no such file at that time"))
	}
	out.File = r.To
	if r.To == "" {
		if err := v.checkProject(p); err != nil {
			return out, err
		}
		out.File = p.path
	}
	if err := v.Journal.Start(ctx, d, RestoreVerb, out.File); err != nil {
		return out, err
	}
	c, err := v.planRestore(p, &f, d, out.File)
	out.Version, out.Version.Text, out.Covered = f, "", f.Covered
	if err != nil {
		return out, err
	}
	out.Changed = !c.Plan.Empty()
	if hunks := view.Diff(string(c.Before), string(c.After)); hunks != nil {
		out.Hunks = hunks
	}
	out.Act, err = v.Journal.CarryOut(ctx, d, c.Plan)
	return out, err
}

// planRestore plans to write a version into a file.
func (v *Versions) planRestore(p *past, f *FileVersion, d acts.Doing, file string) (acts.Change, error) {
	w := p.writers[slices.IndexFunc(p.writers, func(w *Writer) bool { return w != nil })]
	home := v.Homes.At(w.Root)
	if home == nil {
		return acts.Change{}, errUnknown(p.path)
	}
	c := acts.Change{Plan: shelf.Plan{
		Verb: RestoreVerb, Actor: d.Actor, Home: w.Root, Session: home.Store.SessionKey(sesskeep.SessionID(w.SessionID)).String(),
		What: fmt.Sprintf("%s as of %s", filepath.Base(p.path), f.Time.UTC().Format("2006-01-02 15:04")),
	}, File: file}
	fail := func(err error) (acts.Change, error) { return c, &sesskeep.Error{Op: RestoreVerb, Name: file, Err: err} }
	now, err := v.Journal.Shelf.ReadNamed(w.Root, file)
	if err != nil {
		return fail(err)
	}
	c.Before, c.Plan.Named = now.Data, []string{now.Path}
	after := []byte(f.Text)
	if c.Before == nil {
		mode := fs.FileMode(0o644)
		if f.mode != 0 {
			mode = fs.FileMode(f.mode)
		}
		c.After = after
		c.Plan.Steps = shelf.Steps{shelf.Create{File: file, From: shelf.Bytes(after), Mode: mode}}
		if err := v.Journal.Shelf.Check(c.Plan); err != nil {
			return fail(err)
		}
		return c, nil
	}
	if c, err = c.Become(v.Journal.Shelf, now, after); err != nil {
		return fail(err)
	}
	return c, nil
}

// errElsewhere is returned for a file that only its user may name.
var errElsewhere = errcode.New(errcode.Denied, errors.New("the path comes from a transcript and does not lie in the directory of a project that changed it: name the file to write"))

// checkProject checks that a file lies in the directory of a project whose session changed it. Transcripts choose
// the path: no link may lead out of the directory, and what runs by itself in it (.git) is left alone.
func (v *Versions) checkProject(p *past) error {
	real, err := resolved(p.path)
	if err != nil {
		return errElsewhere
	}
	for _, w := range p.writers {
		if w == nil || w.Directory == "" {
			continue
		}
		dir, err := filepath.EvalSymlinks(w.Directory)
		if err != nil || v.tooWide(dir) {
			continue
		}
		rest, err := filepath.Rel(dir, real)
		if err == nil && filepath.IsLocal(rest) && rest != "." && !slices.Contains(strings.Split(filepath.ToSlash(rest), "/"), ".git") {
			return nil
		}
	}
	return errElsewhere
}

// tooWide reports whether a directory is no project: one in which homes lie, as the user's own, or one in a home. A transcript
// can say that it worked anywhere.
func (v *Versions) tooWide(dir string) bool {
	over := func(of string) bool {
		rest, err := filepath.Rel(dir, of)
		return err == nil && filepath.IsLocal(rest)
	}
	if dir == filepath.Dir(dir) {
		return true
	}
	for _, root := range v.Homes.Roots() {
		real, err := filepath.EvalSymlinks(root)
		if err != nil {
			continue
		}
		if rest, err := filepath.Rel(real, dir); over(real) || err == nil && filepath.IsLocal(rest) {
			return true
		}
	}
	return false
}

// resolved follows all links of a path whose last part need not be there.
func resolved(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	if _, err := os.Lstat(path); err == nil {
		return "", errElsewhere // a link to nowhere
	}
	parent := filepath.Dir(path)
	if parent == path {
		return "", err
	}
	if real, err = resolved(parent); err != nil {
		return "", err
	}
	return filepath.Join(real, filepath.Base(path)), nil
}
