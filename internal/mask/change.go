package mask

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/redact"
	"sesskeep/internal/shelf"
	"sesskeep/internal/traces"
)

// learn reads everything that is of the session, so that the document knows all its secrets,
// and numbers them behind those that were masked before.
func (s *session) learn(ctx context.Context) error {
	err := s.each(ctx, func(name string, r io.Reader) error {
		if name == "history.jsonl" {
			r = io.TeeReader(r, lineWriter(func(line []byte) {
				if !s.editor.ours(line) {
					return
				}
				for _, hash := range traces.PastedIn(line) {
					s.editor.pastes[hash] = true
				}
			}))
		}
		return s.editor.doc.Reserve(r)
	})
	if err != nil {
		return err
	}
	return s.each(ctx, func(name string, r io.Reader) error {
		_, err := s.editor.edit(io.Discard, r, name)
		return err
	})
}

// each calls f with every file, and every version of every copy.
func (s *session) each(ctx context.Context, f func(name string, r io.Reader) error) error {
	for _, name := range slices.Concat(s.names, s.shared) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.read(name, f); err != nil {
			return &sesskeep.Error{Op: Verb, Name: name, Err: err}
		}
	}
	return s.eachCopy(f)
}

func (s *session) read(name string, f func(name string, r io.Reader) error) error {
	file, err := s.store.Files().Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the client removed it meanwhile
	}
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	return f(name, io.NewSectionReader(file, 0, info.Size()))
}

func (s *session) eachCopy(f func(name string, r io.Reader) error) error {
	if s.home.Copies == nil || !s.home.Copies.Any() {
		return nil
	}
	if err := s.home.Copies.EachVersion(s.id, f); err != nil {
		return err
	}
	return s.home.Copies.EachVersion("", f)
}

// count says what changes.
func (s *session) count(ctx context.Context, out *Masked) error {
	out.Files, out.Thinking, out.Copies = []File{}, 0, 0
	families := map[string]*redact.Count{}
	numbers := map[redact.Match]bool{}
	inCopies := false
	e := s.editor
	e.doc.OnMatch = func(m redact.Match) {
		e.secrets++
		c := families[m.Family]
		if c == nil {
			c = &redact.Count{Family: m.Family}
			families[m.Family] = c
		}
		if !inCopies {
			c.Matches++
		}
		if !numbers[m] {
			numbers[m] = true
			c.Values++
		}
	}
	for _, name := range slices.Concat(s.names, s.shared) {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := s.read(name, func(name string, r io.Reader) error {
			changed, err := e.edit(io.Discard, r, name)
			if changed {
				out.Files = append(out.Files, File{name, e.secrets, e.thinking})
				out.Thinking += e.thinking
			}
			return err
		})
		if err != nil {
			return &sesskeep.Error{Op: Verb, Name: name, Err: err}
		}
	}
	inCopies = true
	err := s.eachCopy(func(name string, r io.Reader) error {
		changed, err := e.edit(io.Discard, r, name)
		if changed {
			out.Copies++
		}
		return err
	})
	e.doc.OnMatch = func(redact.Match) { e.secrets++ }
	out.Title, out.Secrets = e.doc.Text(out.Title), []redact.Count{}
	for _, c := range families {
		out.Secrets = append(out.Secrets, *c)
	}
	slices.SortFunc(out.Secrets, func(a, b redact.Count) int { return bytes.Compare([]byte(a.Family), []byte(b.Family)) })
	return err
}

// change changes the files of the home in one act, then the copies, and then the index.
func (s *session) change(ctx context.Context, d acts.Doing, out *Masked) (act int, err error) {
	plan := shelf.Plan{
		Verb: Verb, Actor: d.Actor, Home: out.Root, Session: s.home.Key(s.id).String(), Batch: d.Batch,
		What: fmt.Sprintf("%d secrets in %d files", redact.Total(out.Secrets), len(out.Files)),
	}
	for _, f := range out.Files {
		path := s.store.Path(f.Name)
		before, err := shelf.ContentAt(path)
		if err != nil {
			return 0, err
		}
		info, err := s.store.Files().Info(f.Name)
		if err != nil {
			return 0, err
		}
		// With its time, so that the session stays where it is in lists and keeps its age.
		plan.Steps = append(plan.Steps, shelf.Replace{File: path, Before: before, From: s.source(f.Name), Modified: info.ModTime()})
	}
	if act, err = s.Journal.CarryOut(ctx, d, plan); err != nil {
		return 0, err
	}
	if out.Copies > 0 {
		for _, id := range []sesskeep.SessionID{s.id, ""} {
			if err := s.home.Copies.Remover.Edit(ctx, id, s.editor.edit); err != nil {
				return act, fmt.Errorf("the files are masked, and the copies are not: %w; mask it again to finish", err)
			}
		}
	}
	return act, s.Compact(ctx)
}
