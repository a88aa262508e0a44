package travel

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/backup"
	"sesskeep/internal/disk"
	"sesskeep/internal/homes"
	"sesskeep/internal/vault"
)

// copiesRestorer restores the copies of one home.
type copiesRestorer struct {
	*restorer
	target   Target
	home     *homes.Home
	projects *projects
	on       map[string]bool // files of the home that the backup has
}

// copies restores the copies of a home. If the home has none yet and the paths are the same,
// they are restored as they are. Otherwise sessions that exist only as copies are copied
// again, at the new paths and in their newest version.
func (r *restorer) copies(ctx context.Context, t Target) error {
	list := slices.DeleteFunc(slices.Clone(r.trees[copiesTree+t.Home.ID]), func(f *backup.File) bool {
		return !filepath.IsLocal(filepath.FromSlash(f.Name)) || !r.choosesCopy(f.Name)
	})
	boxes := map[string]bool{}
	for _, f := range list {
		if dir := path.Dir(f.Name); isBox(dir) && dir != "home.box" {
			boxes[dir] = true
		}
	}
	h := r.tr.opts.Homes.At(t.Root)
	if r.doing.DryRun || len(list) == 0 {
		r.out.Copies += len(boxes)
		return nil
	}
	if h == nil || h.Copies == nil {
		r.keep(copiesTree+t.Home.ID, "there is no place for copies here")
		return nil
	}
	if !h.Copies.Any() && len(r.o.Maps) == 0 && r.choice.all() {
		r.out.Copies += len(boxes)
		return r.adoptCopies(ctx, list, filepath.Join(r.tr.opts.Data, "vault", string(h.Is.ID)))
	}
	c := &copiesRestorer{restorer: r, target: t, home: h, projects: newProjects(r.o.From, r.o.Maps, r.trees[homeTree+t.Home.ID]), on: map[string]bool{}}
	for _, f := range r.trees[homeTree+t.Home.ID] {
		c.on[f.Name] = true
	}
	return c.copyAgain(ctx, list)
}

// choosesCopy reports whether a file of the copies belongs to what was chosen.
func (r *restorer) choosesCopy(name string) bool {
	return r.choice.all() || r.choice.session(strings.TrimSuffix(path.Base(path.Dir(name)), ".box"))
}

// adoptCopies restores the copies of a home as they are, all at once.
func (r *restorer) adoptCopies(ctx context.Context, list []*backup.File, dir string) error {
	part := filepath.Join(filepath.Dir(dir), ".restore-"+filepath.Base(dir))
	if err := os.RemoveAll(part); err != nil { // a killed restore left it
		return err
	}
	if err := r.extract(ctx, list, part); err != nil {
		return errors.Join(err, os.RemoveAll(part))
	}
	return errors.Join(disk.Real.RenameNew(part, dir), disk.Real.SyncDir(filepath.Dir(dir)))
}

// extract writes files of the backup into a directory, and lists damaged ones as lost.
func (r *restorer) extract(ctx context.Context, list []*backup.File, dir string) error {
	for _, f := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := writeFile(filepath.Join(dir, filepath.FromSlash(f.Name)), r.o.From.Open(*f), 0o600, f.Modified)
		if isLost(err) {
			r.out.Lost = append(r.out.Lost, f.Tree+"/"+f.Name)
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeFile writes a file of our own, with the modification time of its source.
func writeFile(file string, from io.ReadCloser, mode fs.FileMode, at time.Time) (err error) {
	defer func() { err = errors.Join(err, from.Close()) }()
	if err := disk.MkdirAll(disk.Real, filepath.Dir(file), 0o700); err != nil {
		return err
	}
	f, err := disk.Real.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode|0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(file))
	}
	return disk.Real.Chtimes(file, at, at)
}

// copyAgain copies the sessions that the backup has only as copies.
func (c *copiesRestorer) copyAgain(ctx context.Context, list []*backup.File) (err error) {
	dir, err := os.MkdirTemp(c.tr.opts.Data, "import-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	lost := len(c.out.Lost)
	if err := c.extract(ctx, list, filepath.Join(dir, "vault", c.target.Home.ID)); err != nil {
		return err
	}
	old := vault.New(filepath.Join(dir, "vault"), vault.Options{Now: c.tr.opts.Now}).Home(sesskeep.HomeID(c.target.Home.ID))
	ids, err := old.Families()
	if err != nil {
		return err
	}
	for n, id := range ids {
		family, err := old.Family(id)
		if errors.Is(err, sesskeep.ErrNotFound) && len(c.out.Lost) > lost {
			continue // the backup lacks its manifest
		}
		if err != nil {
			return err
		}
		if err := c.copyFamily(ctx, family, filepath.Join(dir, "home", string(id))); err != nil {
			return err
		}
		if c.report != nil {
			c.report(n+1, len(ids), c.bytes)
		}
	}
	return nil
}

// copyFamily copies a session into the vault at its new paths, unless the home or the vault
// has it.
func (c *copiesRestorer) copyFamily(ctx context.Context, f vault.Family, dir string) error {
	only := slices.ContainsFunc(f.Members, func(m vault.Member) bool { return !c.on[m.Name] })
	_, err := c.home.Copies.Family(f.Session)
	switch {
	case !only: // its file is restored too, and keep copies that again
		return nil
	case !errors.Is(err, sesskeep.ErrNotFound):
		return err
	}
	damaged := c.home.Copies.Damaged(f.Session)
	for _, m := range f.Members {
		if err := c.unpack(m, dir); err != nil {
			return err
		}
	}
	store, err := sesskeep.Open(dir)
	if err != nil {
		return err
	}
	if _, err := c.home.Copies.Keeper.KeepFamily(ctx, store, f.Session); err != nil {
		return err
	}
	c.out.Copies++
	if damaged {
		c.out.Mended++
	}
	return os.RemoveAll(dir)
}

// unpack writes the newest version of a copy into a directory that looks like a home.
func (c *copiesRestorer) unpack(m vault.Member, dir string) error {
	name, err := c.projects.name(m.Name)
	if err != nil {
		return err
	}
	src, err := m.Open()
	if errors.Is(err, vault.ErrDamaged) {
		c.out.Lost = append(c.out.Lost, copiesTree+c.target.Home.ID+"/"+m.Name)
		return nil
	}
	if err != nil {
		return err
	}
	r := c.o.Maps.content(m.Name, readCloser{io.NewSectionReader(src, 0, m.Size), src})
	return writeFile(filepath.Join(dir, filepath.FromSlash(name)), r, m.Mode, m.Modified)
}

type readCloser struct {
	io.Reader
	io.Closer
}
