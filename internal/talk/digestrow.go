package talk

import (
	"context"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/index"
	"sesskeep/internal/reading"
	"sesskeep/internal/view"
)

// knownWork is what the index knows of what a transcript did in a span of time.
type knownWork struct {
	lines index.FileLines
	calls []index.Call
}

// ask asks the index for the work of all transcripts.
func (d *digest) ask(ctx context.Context) (ask.Coverage, error) {
	d.known = map[location]*knownWork{}
	at := func(root, file string) *knownWork {
		l := location{root, file}
		if d.known[l] == nil {
			d.known[l] = &knownWork{}
		}
		return d.known[l]
	}
	return d.app.index.AskCovered(ctx, false, func(x *index.Index) error {
		lines, err := x.Lines(ctx, d.since, d.until)
		if err != nil {
			return err
		}
		calls, err := x.Changes(ctx, d.since, d.until, nil)
		if err != nil {
			return err
		}
		clear(d.known)
		for _, f := range lines {
			at(f.Root, f.File).lines = f
		}
		for _, f := range calls {
			at(f.Root, f.File).calls = f.Calls
		}
		return nil
	})
}

// add adds a transcript that was written to in that time. For an agent or a helper
// only the files count: no person talked to it.
func (d *digest) add(ctx context.Context, r *catalog.Session) error {
	w, err := d.find(r)
	if err != nil || d.app.distrusts {
		return d.read(ctx, r)
	}
	if r.Ref.Agent == "" && len(w.lines) == 0 {
		return nil
	}
	p := d.project(r.Project, r.ProjectPath)
	for _, l := range w.lines {
		d.lines.firstID(r.Root, l.ID)
	}
	if r.Source == ask.FromUser {
		p.addSession(r, w.times(), w.prompts)
	}
	for i := range w.changes {
		if c := &w.changes[i]; d.calls.firstID(r.Root, c.id) {
			touch(p.files, c.call.File, c.at).count(&c.call)
		}
	}
	return nil
}

// rowWork is what a transcript did in that time and no earlier one.
type rowWork struct {
	lines   []index.FileLine // of a session
	prompts []string
	changes []fileCall
}

type fileCall struct {
	id   uint64
	at   time.Time
	call view.Call
}

func (w *rowWork) times() (list []time.Time) {
	for _, l := range w.lines {
		list = append(list, l.Time)
	}
	return list
}

// find finds what a transcript did without reading it. The index is unsure where clients of
// 1.x wrote, which put agents into the files of sessions.
func (d *digest) find(r *catalog.Session) (w rowWork, err error) {
	known := d.known[location{r.Root, r.Ref.File}]
	if known == nil && !d.since.IsZero() {
		return w, nil
	}
	if known == nil || known.lines.Unsure || strings.HasPrefix(r.ClientVersion, "1.") {
		return w, errUnsure
	}
	lines := fileLines{store: d.app.homes.At(r.Root).Store, ref: r.Ref}
	defer lines.close()
	if r.Ref.Agent == "" {
		own := seenLines{}
		for _, l := range known.lines.Lines {
			if !d.lines[seenLine{r.Root, l.ID}] && own.firstID(r.Root, l.ID) {
				w.lines = append(w.lines, l)
			}
		}
		if len(w.lines) == 0 {
			return w, nil
		}
		if w.prompts, err = lines.prompts(known, w.lines); err != nil {
			return w, err
		}
	}
	for i := range known.calls {
		c, changed, err := lines.change(&known.calls[i])
		if err != nil {
			return w, err
		}
		if changed {
			w.changes = append(w.changes, c)
		}
	}
	return w, nil
}

// fileLines reads lines of a transcript, which it opens for the first of them.
type fileLines struct {
	store *sesskeep.Store
	ref   sesskeep.Ref
	lines *reading.Lines
}

func (f *fileLines) open() (err error) {
	if f.lines == nil {
		f.lines, err = reading.OpenLines(f.store, f.ref)
	}
	return err
}

func (f *fileLines) close() {
	if f.lines != nil {
		f.lines.Close()
	}
}

// prompts reads those of some lines.
func (f *fileLines) prompts(known *knownWork, lines []index.FileLine) (list []string, err error) {
	list = []string{}
	var numbers []int
	ids := map[int]uint64{}
	for _, l := range lines {
		if l.Prompt {
			numbers = append(numbers, l.Behind)
			ids[l.Behind] = l.ID
		}
	}
	if len(numbers) == 0 {
		return list, nil
	}
	if err := f.open(); err != nil {
		return nil, err
	}
	first := func(e *sesskeep.Entry) bool { return e.UUID != "" && index.LineID(e.UUID) == known.lines.First }
	err = f.lines.Behind(first, numbers, func(number int, e *sesskeep.Entry) error {
		if index.LineID(e.UUID) != ids[number] {
			return errUnsure
		}
		list = append(list, promptText(e))
		return nil
	})
	return list, err
}

// change is what a call did to a file. Most of it is in the index: how many lines a call that
// succeeded changed.
func (f *fileLines) change(c *index.Call) (found fileCall, changed bool, err error) {
	if !regular(c) {
		return found, false, errUnsure
	}
	if c.Answered && !c.Failed && c.Measured && c.Added+c.Removed > 0 {
		call := view.Call{File: c.File, State: view.OK, Added: int(c.Added), Removed: int(c.Removed)}
		return fileCall{c.ID, time.UnixMilli(c.Time).UTC(), call}, true, nil
	}
	if err := f.open(); err != nil {
		return found, false, err
	}
	part, err := readCall(f.lines, c)
	if err != nil || part.Call.File == "" || len(part.Call.Diff) == 0 {
		return found, false, err
	}
	return fileCall{c.ID, part.Time, *part.Call}, true, nil
}
