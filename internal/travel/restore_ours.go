package travel

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"sesskeep"
	"sesskeep/internal/disk"
	"sesskeep/internal/label"
	"sesskeep/internal/shelf"
	"sesskeep/internal/vault"
)

// labelled is a label of the backup with the key of the session in the home it is restored to.
type labelled struct {
	key   sesskeep.Key
	label label.Label
	home  string // the directory of that home
}

// readLabels reads the labels of the backup that are missing here, by the keys under which they
// are restored.
func (r *restorer) readLabels(ctx context.Context) error {
	r.labels = map[sesskeep.Key]labelled{}
	data, err := r.read(oursTree, labelsName)
	if isLost(err) {
		r.out.Lost = append(r.out.Lost, oursTree+"/"+labelsName)
		return nil
	}
	if err != nil || data == nil {
		return err
	}
	var all map[sesskeep.Key]label.Label
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	now, err := r.tr.opts.Journal.Shelf.Labels().All(ctx)
	if err != nil {
		return err
	}
	for key, l := range all {
		t, ok := r.targetOf(key)
		if !ok || l.Check() != nil {
			continue
		}
		to := key
		if h := r.tr.opts.Homes.At(t.Root); h != nil {
			to = key.In(h.Key(key.Session))
		}
		switch have := now[to]; {
		case have.Empty():
			r.labels[to] = labelled{to, l, t.Root}
		case !have.Equal(l):
			r.keep(to.String(), "it has another label")
		}
	}
	return nil
}

// targetOf returns the target of the home that a key names.
func (r *restorer) targetOf(key sesskeep.Key) (Target, bool) {
	for _, t := range r.o.Targets {
		if string(key.Home) == t.Home.ID && string(key.Machine) == t.Home.Machine {
			return t, true
		}
	}
	return Target{}, false
}

// labelSteps returns the steps that restore the labels of a session and its agents, and marks
// those labels as restored.
func (h *homeRestorer) labelSteps(id string) (steps shelf.Steps) {
	for key, l := range h.labels {
		if id == "" || string(key.Session) != id || l.home != h.target.Root {
			continue
		}
		steps = append(steps, shelf.Label{Key: key, After: l.label})
		h.restorer.out.Labels++
		delete(h.labels, key)
	}
	return steps
}

// restLabels restores the labels of sessions that have no files, such as deleted ones.
func (r *restorer) restLabels(ctx context.Context) error {
	for key, l := range r.labels {
		if !r.choice.all() && !r.choice.session(string(key.Session)) {
			continue
		}
		r.out.Labels++
		if r.doing.DryRun {
			continue
		}
		act, err := r.tr.opts.Journal.Do(ctx, r.doing, shelf.Plan{
			Verb: verb, Actor: r.doing.Actor, Home: l.home, Session: key.String(), Batch: r.doing.Batch, What: r.o.Backup.ID,
			Steps: shelf.Steps{shelf.Label{Key: key, After: l.label}},
		})
		if err != nil {
			return err
		}
		r.out.Act = act
		r.out.Acts++
	}
	return nil
}

// ours restores configuration files that are missing here.
func (r *restorer) ours(ctx context.Context) error {
	if err := r.policy(); err != nil {
		return err
	}
	for name, file := range r.tr.plainFiles() {
		data, err := r.read(oursTree, name)
		if isLost(err) {
			r.out.Lost = append(r.out.Lost, oursTree+"/"+name)
			continue
		}
		if err != nil {
			return err
		}
		if data == nil || file == "" {
			continue
		}
		if _, err := os.Lstat(file); err == nil {
			r.keep(file, "it is there")
			continue
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		r.out.Settings = append(r.out.Settings, file)
		if r.doing.DryRun {
			continue
		}
		if err := disk.MkdirAll(disk.Real, filepath.Dir(file), 0o700); err != nil {
			return err
		}
		if err := disk.WriteFile(disk.Real, file, data, 0o600); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// policy restores the policy of keeping, unless there is one here.
func (r *restorer) policy() error {
	data, err := r.read(oursTree, policyName)
	v := r.tr.opts.Homes.Vault
	if err != nil || data == nil || v == nil {
		return err
	}
	var p vault.Policy
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	if now, err := v.Policy(); err != nil || now.Valid() {
		return err
	}
	for i, dir := range p.Exclude {
		p.Exclude[i] = r.o.Maps.Path(dir)
	}
	r.out.Settings = append(r.out.Settings, filepath.Join(r.tr.opts.Data, policyName))
	if r.doing.DryRun {
		return nil
	}
	return v.SetPolicy(p)
}
