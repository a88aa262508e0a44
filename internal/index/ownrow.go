package index

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/lineage"
	"sesskeep/internal/index/row"
)

// row derives the row of a file that was written: by itself, if nothing of it changed
// that others depend on, and otherwise with its folder when all files are in.
func (b *batch) row(d *delta, s *stored) error {
	if s.fresh {
		return b.stale(s.folder)
	}
	old := row.NewValues()
	known, err := b.one("SELECT "+strings.Join(row.Columns, ", ")+" FROM row WHERE file = ?", []any{s.id}, old.Pointers()...)
	if err != nil {
		return err
	}
	if !known || s.ties != d.facts.Ties(d.first) {
		return b.stale(s.folder)
	}
	root, err := b.root(d.store.Root())
	if err != nil {
		return err
	}
	project, _ := old[row.ProjectColumn].(int64)
	now := row.ValuesOf(&d.facts, root, s.folder, project)
	now[row.AgentsColumn] = allAgents(old, d.facts.Row.AgentSessions)
	now.KeepDuplicate(old)
	if d.ref.Layout != sesskeep.LayoutMain {
		now[row.TitleColumn] = cmp.Or(d.facts.Row.Description, d.facts.Row.Title)
		return b.saveRow(s.id, old, now)
	}
	title, err := b.summary(d, s)
	if err != nil {
		return err
	}
	now[row.TitleColumn] = cmp.Or(title, d.facts.Row.Title)
	if now[row.ForkColumn], err = b.fork(d, s); err != nil {
		return err
	}
	return b.saveRow(s.id, old, now)
}

// allAgents are the agents of a session: those that have files as they were, and
// those inside its own file as they are.
func allAgents(old row.Values, inline []string) string {
	was, _ := old[row.AgentsColumn].(string)
	all := slices.DeleteFunc(strings.Fields(was), func(id string) bool { return sesskeep.AgentID(id).Inline() > 0 })
	all = append(all, inline...)
	slices.Sort(all)
	return strings.Join(all, " ")
}

func (b *batch) saveRow(file int64, old, now row.Values) error {
	if err := row.Update(b.tx, file, old, now); err != nil {
		return err
	}
	return resolveDuplicates(b.tx, now.Key())
}

// stale has the rows of a folder derived when all is in.
func (b *batch) stale(folder int64) error {
	_, err := b.exec("UPDATE folder SET stale = 1 WHERE id = ? AND stale = 0", folder)
	return err
}

// summary is the title that a summary in any file of the folder gives a session.
func (b *batch) summary(d *delta, s *stored) (string, error) {
	if _, err := b.exec("UPDATE conversation SET summary = '' WHERE file = ? AND summary <> ''", s.id); err != nil || d.facts.Titled {
		return "", err
	}
	// In the order of their names, as a folder has them.
	bodies, err := preparedColumn[[]byte](b, "SELECT json_extract(facts, '$.summaries') FROM file WHERE folder = ? AND named = 1 ORDER BY name", s.folder)
	if err != nil || len(bodies) == 0 {
		return "", err
	}
	text := map[uint64]string{}
	for _, body := range bodies {
		var list []sesskeep.LeafTitle
		if err := json.Unmarshal(body, &list); err != nil {
			return "", err
		}
		for _, l := range list {
			text[db.Hash(l.Leaf)] = l.Text
		}
	}
	return titleIn(b.tx, s.id, d.facts.Aside, text)
}

// fork finds the parent of a session among those that begin with the same line.
// What was added to it can decide something about each of them.
func (b *batch) fork(d *delta, s *stored) (string, error) {
	own := d.facts.Row.ForkedFrom
	if d.first == 0 {
		return own, nil
	}
	// Few files begin alike: the + before f.folder makes SQLite use the index on first, not
	// read the whole folder.
	ids, err := preparedColumn[int64](b, `SELECT f.id FROM file f JOIN row r ON r.file = f.id
		WHERE f.first = ? AND +f.folder = ? AND r.rest <> '' ORDER BY f.name`, int64(d.first), s.folder)
	if err != nil || len(ids) < 2 {
		return own, err
	}
	var group []lineage.Kin
	file := map[string]int64{}
	for _, id := range ids {
		k := lineage.Kin{}
		if _, err := b.one("SELECT r.id, coalesce(json_extract(f.facts, '$.row.forkedFrom'), '') FROM file f JOIN row r ON r.file = f.id WHERE f.id = ?",
			[]any{id}, &k.ID, &k.Known); err != nil {
			return "", err
		}
		if k.Chain, err = loadChain(b.tx, id); err != nil {
			return "", err
		}
		file[k.ID] = id
		group = append(group, k)
	}
	from := lineage.Forks(group)
	for id, file := range file {
		if file == s.id {
			own = from[id]
			continue
		}
		if _, err := b.exec("UPDATE row SET fork = ? WHERE file = ? AND fork <> ?", from[id], file, from[id]); err != nil {
			return "", err
		}
	}
	return own, nil
}
