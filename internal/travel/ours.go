package travel

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/backup"
	"sesskeep/internal/label"
	"sesskeep/internal/shelf"
)

// maxOurs is the size of the largest file of our own that is read.
const maxOurs = 16 << 20

// ours backs up labels and our small files.
func (c *collector) ours(ctx context.Context) error {
	labels, err := c.labels(ctx)
	if err != nil {
		return err
	}
	if err := c.text(ctx, labelsName, labels); err != nil {
		return err
	}
	if v := c.tr.opts.Homes.Vault; v != nil {
		p, err := v.Policy()
		if err != nil {
			return err
		}
		if p.Valid() {
			if err := c.text(ctx, policyName, p); err != nil {
				return err
			}
		}
	}
	for name, file := range c.tr.plainFiles() {
		if file == "" {
			continue
		}
		data, err := readOurs(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			c.noteUnread(file, err)
			continue
		}
		if err := c.bytes(ctx, name, data); err != nil {
			return err
		}
	}
	return nil
}

// readOurs reads a small file of our own.
func readOurs(file string) ([]byte, error) {
	r, err := shelf.FileSource(file)()
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(r, maxOurs))
	return data, errors.Join(err, r.Close())
}

// plainFiles returns our files that are backed up as they are, by their names in the tree.
func (tr *Travel) plainFiles() map[string]string {
	return map[string]string{configName: tr.opts.Config, interfaceName: filepath.Join(tr.opts.Data, interfaceName)}
}

// labels returns the labels of sessions in the homes.
func (c *collector) labels(ctx context.Context) (map[sesskeep.Key]label.Label, error) {
	own := map[sesskeep.Key]label.Label{}
	if c.tr.opts.Journal.Shelf == nil {
		return own, nil
	}
	all, err := c.tr.opts.Journal.Shelf.Labels().All(ctx)
	for key, l := range all {
		for _, h := range c.tr.opts.Homes.List {
			if key == key.In(h.Key(key.Session)) {
				own[key] = l
			}
		}
	}
	return own, err
}

func (c *collector) text(ctx context.Context, name string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return c.bytes(ctx, name, data)
}

func (c *collector) bytes(ctx context.Context, name string, data []byte) error {
	return c.w.Add(ctx, backup.Source{Tree: oursTree, Name: name, Open: func() (homefs.File, error) {
		return backup.Bytes(data, c.tr.opts.Now()), nil
	}})
}
