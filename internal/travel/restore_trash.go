package travel

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"

	"sesskeep/internal/backup"
	"sesskeep/internal/trash"
)

// trash restores sessions into the trash. From there they can be put back at the new paths.
func (r *restorer) trash(ctx context.Context) error {
	entries := map[string]map[string]*backup.File{}
	for _, f := range r.trees[trashTree] {
		entry, name, _ := strings.Cut(f.Name, "/")
		if entries[entry] == nil {
			entries[entry] = map[string]*backup.File{}
		}
		entries[entry][name] = f
	}
	for _, name := range sortedKeys(entries) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.trashed(name, entries[name]); err != nil {
			return err
		}
	}
	return nil
}

// trashed restores one session into the trash.
func (r *restorer) trashed(name string, files map[string]*backup.File) error {
	lost := func() { r.out.Lost = append(r.out.Lost, trashTree+"/"+name) }
	text := files[trash.ManifestName]
	if text == nil {
		lost()
		return nil
	}
	data, err := readAll(r.o.From, text)
	if isLost(err) {
		lost()
		return nil
	}
	if err != nil {
		return err
	}
	t, err := trash.Decode(name, data)
	if err != nil {
		lost()
		return nil
	}
	t.Name = name
	target, ok := r.targetOfTrashed(&t)
	if !ok || !r.choice.all() && !r.choice.session(t.ID) && !r.choice.project(t.ProjectPath, r.o.Maps) {
		return nil
	}
	switch err := r.adopt(t, target, files); {
	case errors.Is(err, fs.ErrExist): // the name has the time of the trashing, so it is the same one
	case isLost(err):
		lost()
	case err != nil:
		return err
	default:
		r.out.Trash++
	}
	return nil
}

func (r *restorer) targetOfTrashed(t *trash.Trashed) (Target, bool) {
	for _, target := range r.o.Targets {
		if target.Home.Root == t.Root || t.ID != "" && string(t.Key.Home) == target.Home.ID {
			return target, true
		}
	}
	return Target{}, false
}

// adopt puts a trashed session of the backup into the trash here.
func (r *restorer) adopt(t trash.Trashed, target Target, files map[string]*backup.File) error {
	p := newProjects(r.o.From, r.o.Maps, r.trees[homeTree+target.Home.ID])
	for name, f := range files { // its transcripts also contain the path of the project
		if name, ok := strings.CutPrefix(name, "files/"); ok {
			p.add(name, f)
		}
	}
	t.Root, t.ProjectPath = target.Root, r.o.Maps.Path(t.ProjectPath)
	if h := r.tr.opts.Homes.At(target.Root); h != nil && t.ID != "" {
		t.Key = t.Key.In(h.Key(t.Key.Session))
	}
	if r.doing.DryRun {
		return r.tr.opts.Trash.Free(t.Name)
	}
	foreign := trash.Foreign{Trashed: t, Rename: p.name, Open: func(name string) (io.ReadCloser, error) {
		return r.o.Maps.content(name, r.o.From.Open(*files["files/"+name])), nil
	}}
	for _, name := range sortedKeys(files) {
		if name, ok := strings.CutPrefix(name, "files/"); ok {
			foreign.Names = append(foreign.Names, name)
		}
	}
	return r.tr.opts.Trash.Adopt(foreign)
}
