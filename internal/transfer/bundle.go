package transfer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/bundle"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/regular"
	"sesskeep/internal/shelf"
)

// Exported says what a bundle holds.
type Exported struct {
	Root    string   `json:"root"`
	Session string   `json:"sessionId"`
	File    string   `json:"file"`      // the bundle
	Size    int64    `json:"fileSize"`  // of it
	Files   int      `json:"fileCount"` // in it
	Content int64    `json:"contentSize"`
	Left    []string `json:"left"` // files whose names no other system could have
}

// ExportBundle writes a session with everything that belongs to it to a new file. What
// is half written is removed. A file that is there is [errcode.Conflict].
func (tr *Transfer) ExportBundle(ctx context.Context, t catalog.Target, file string) (e Exported, err error) {
	id := t.Store.Parent(t.Ref)
	e = Exported{Root: t.Store.Root(), Session: string(id), File: file, Left: []string{}}
	if err := tr.Outside(file); err != nil {
		return e, err
	}
	m, family, err := tr.manifest(ctx, t.Store, id)
	if err != nil {
		return e, err
	}
	out, err := regular.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return e, err
	}
	defer func() {
		if err = errors.Join(err, out.Close()); err != nil {
			_ = os.Remove(file) // the error says what happened
		}
	}()
	m, left, err := bundle.Pack(ctx, out, t.Store, family, m)
	if err != nil {
		return e, err
	}
	if err := out.Sync(); err != nil {
		return e, err
	}
	info, err := out.Stat()
	if err != nil {
		return e, err
	}
	e.Files, e.Content, e.Size, e.Left = len(m.Files), m.Size(), info.Size(), append(e.Left, left...)
	return e, nil
}

// Outside refuses a file or directory to be made in one of the homes: nothing of ours belongs
// there.
func (tr *Transfer) Outside(file string) error {
	dir, err := filepath.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		return &sesskeep.Error{Op: "export", Name: file, Err: err}
	}
	for _, h := range tr.opts.Homes.List {
		if root, err := filepath.EvalSymlinks(h.Store.Root()); err == nil && catalog.Within(dir, root) {
			return &sesskeep.Error{Op: "export", Name: file, Err: errcode.New(errcode.Conflict, errors.New("a bundle does not belong into Claude's home"))}
		}
	}
	return nil
}

// manifest begins the manifest of a session.
func (tr *Transfer) manifest(ctx context.Context, s *sesskeep.Store, id sesskeep.SessionID) (bundle.Manifest, sesskeep.Family, error) {
	m := bundle.Manifest{Created: tr.opts.Now().UTC()}
	family, err := s.Family(id)
	if err != nil || family.Main == nil {
		return m, family, err
	}
	session, err := tr.opts.Catalog.Read(ctx, catalog.Target{Store: s, Ref: *family.Main})
	if err != nil {
		return m, family, err
	}
	defer session.Close()
	script := session.Transcript
	m.Title = script.Digest.CustomTitle
	for _, dir := range script.Digest.Cwds {
		if m.Project == "" && family.Main.Dir.Holds(dir) {
			m.Project = dir
		}
	}
	if script.Digest.Slug != "" { // only now it is known which plans are its own
		family, err = s.Family(id, script.Digest.Slug)
	}
	return m, family, err
}

// ImportOptions say what is imported, and where to.
type ImportOptions struct {
	File    string
	Root    string // the home; empty: the first
	Project string // directory the session belongs to from now on; empty: the one it had
	Data    string // our data directory, in which it is unpacked
	Actor   shelf.Actor
}

// Imported says what an import puts where.
type Imported struct {
	Root    string `json:"root"`
	Session string `json:"sessionId"`
	Title   string `json:"title,omitempty"`
	Dir     string `json:"dirName"`               // of the project
	Project string `json:"projectPath,omitempty"` // its working directory
	Before  string `json:"exportedFrom,omitempty"`
	Files   int    `json:"fileCount"`    // that are put in place
	Present int    `json:"presentCount"` // that are there already, just so
	Size    int64  `json:"fileSize"`

	Plan shelf.Plan `json:"-"`
	dir  string
}

// Close removes what was unpacked.
func (i *Imported) Close() error {
	if i.dir == "" {
		return nil
	}
	return os.RemoveAll(i.dir)
}

// ImportBundle unpacks a bundle into our data directory, checks it, and plans to put its
// files into a home. It overwrites nothing: a file that is there and differs is
// [errcode.Conflict]. What is no bundle is [errcode.Invalid]. The caller closes what it returns; with an error
// nothing is left.
func (tr *Transfer) ImportBundle(ctx context.Context, o ImportOptions) (_ *Imported, err error) {
	h := tr.opts.Homes.List[0]
	if o.Root != "" {
		if h = tr.opts.Homes.At(o.Root); h == nil {
			return nil, tr.opts.Catalog.NoHome(o.Root)
		}
	}
	src, err := regular.Open(o.File)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	i := &Imported{Root: h.Store.Root()}
	defer func() {
		if err != nil {
			err = errors.Join(err, i.Close())
		}
	}()
	if err := regular.MkdirAll(o.Data, 0o700); err != nil {
		return nil, err
	}
	tr.sweepImports(o.Data)
	if i.dir, err = os.MkdirTemp(o.Data, importPrefix); err != nil {
		return nil, err
	}
	m, err := bundle.Unpack(ctx, src, i.dir, bundle.Limits{})
	if err != nil {
		return nil, &sesskeep.Error{Op: "import", Name: o.File, Err: err}
	}
	i.setTarget(m, o.Project)
	return i, i.plan(h.Store, m, o.Actor)
}

// importPrefix is the prefix of the directories in which bundles are unpacked.
const importPrefix = "import-"

// sweepImports removes what killed imports left. No import takes a day.
func (tr *Transfer) sweepImports(data string) {
	entries, _ := os.ReadDir(data) // what cannot be listed stays
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && e.IsDir() && strings.HasPrefix(e.Name(), importPrefix) && tr.opts.Now().Sub(info.ModTime()) > 24*time.Hour {
			_ = os.RemoveAll(filepath.Join(data, e.Name())) // the next one tries again
		}
	}
}

// setTarget sets where the session goes.
func (i *Imported) setTarget(m bundle.Manifest, project string) {
	i.Session, i.Title, i.Dir, i.Project = string(m.Session), m.Title, string(m.Dir), m.Project
	if project != "" && project != m.Project {
		i.Dir, i.Project, i.Before = string(sesskeep.DirName(project)), project, m.Project
	}
}

// plan makes a step of every file that is not there yet.
func (i *Imported) plan(s *sesskeep.Store, m bundle.Manifest, by shelf.Actor) error {
	fail := func(name string, err error) error { return &sesskeep.Error{Op: "import", Name: name, Err: err} }
	if err := elsewhere(s, m.Session, i.Dir); err != nil {
		return fail(i.Session, err)
	}
	key, _ := s.Key(sesskeep.Ref{Session: m.Session}) // of a main transcript there is always one
	i.Plan = shelf.Plan{Verb: "keep import", Actor: by, Home: i.Root, Session: key.String()}
	for n, f := range m.Files {
		name := f.Name
		from := shelf.FileSource(bundle.Unpacked(i.dir, n))
		if rest, ok := strings.CutPrefix(name, path.Join("projects", string(m.Dir))+"/"); ok {
			name = path.Join("projects", i.Dir, rest)
			if strings.HasSuffix(name, ".jsonl") && i.Before != "" {
				from = bundle.Relocated(from, i.Before, i.Project)
			}
		}
		there, err := shelf.ContentAt(s.Path(name))
		if err != nil {
			return fail(name, err)
		}
		if there == (shelf.Content{}) {
			i.Files++
			i.Size += f.Size
			i.Plan.Steps = append(i.Plan.Steps, shelf.Create{File: s.Path(name), From: from})
			continue
		}
		same, err := shelf.SameContent(there, from)
		if err != nil {
			return fail(name, err)
		}
		if !same {
			return fail(name, errcode.New(errcode.Conflict, errors.New("it is there already, and differs")))
		}
		i.Present++
	}
	return nil
}

// elsewhere refuses a session that another project has: there would be two of it.
func elsewhere(s *sesskeep.Store, id sesskeep.SessionID, dir string) error {
	refs, err := s.Find(strings.ToLower(string(id)))
	if err != nil {
		return err
	}
	for _, ref := range refs {
		if string(ref.Dir) != dir {
			return errcode.New(errcode.Conflict, fmt.Errorf("the session is there already, in %s", path.Dir(ref.File)))
		}
	}
	return nil
}
