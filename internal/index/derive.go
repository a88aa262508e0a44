package index

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"slices"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/lineage"
	"sesskeep/internal/index/row"
	"sesskeep/internal/index/usage"
)

// deriveStale makes the rows and projects of every folder in which something
// changed. All of it comes from the facts of the folder's files, so it is the
// same whatever happened in which order. While more files are to be read, a folder
// waits until one of them says where it worked: without that it would be a project without
// a path.
func deriveStale(tx *sql.Tx, last bool) error {
	rows, err := tx.Query("SELECT d.id, d.root, r.path, d.dir, d.memory, d.hints FROM folder d JOIN root r ON r.id = d.root WHERE d.stale = 1")
	if err != nil {
		return err
	}
	defer rows.Close()
	var list []folder
	for rows.Next() {
		var f folder
		var hints string
		if err := rows.Scan(&f.id, &f.root, &f.path, &f.dir, &f.memory, &hints); err != nil {
			return err
		}
		_ = json.Unmarshal([]byte(hints), &f.hints)
		list = append(list, f)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	waiting := []int64{}
	for i := range list {
		derived, err := list[i].derive(tx, last)
		if err != nil {
			return err
		}
		if !derived {
			waiting = append(waiting, list[i].id)
		}
		list[i].items = nil // the facts of all folders are as much as everything else
	}
	if len(list) > len(waiting) {
		if _, err := tx.Exec("UPDATE folder SET stale = 0 WHERE stale = 1 AND id NOT IN (SELECT value FROM json_each(?))", db.JSON(waiting)); err != nil {
			return err
		}
	}
	// A folder that is gone is not among them, but its messages may be up for
	// election.
	var due bool
	if err := tx.QueryRow("SELECT EXISTS (SELECT 1 FROM contested) OR EXISTS (SELECT 1 FROM spend WHERE fresh = 1)").Scan(&due); err != nil || !due {
		return err
	}
	return usage.Elect(tx)
}

// folder is a project directory whose rows are derived.
type folder struct {
	id     int64
	root   int64
	path   string // of the home
	dir    sesskeep.ProjectKey
	memory bool
	hints  []string
	items  []item
}

// item is a transcript of the folder on its way to a row.
type item struct {
	file int64
	row.Facts
	first int64
}

// derive reports whether it made the rows of the folder: it does not before the last time
// if no path of a project is known yet.
func (f *folder) derive(tx *sql.Tx, last bool) (bool, error) {
	if err := f.load(tx); err != nil {
		return false, err
	}
	paths := f.paths()
	if !last && !slices.ContainsFunc(paths, func(path string) bool { return path != "" }) {
		return false, nil
	}
	if err := f.nameBySummary(tx); err != nil {
		return false, err
	}
	if err := f.findForks(tx); err != nil {
		return false, err
	}
	f.linkAgents()
	projects, err := f.projects(tx, paths)
	if err != nil {
		return false, err
	}
	return true, f.save(tx, projects)
}

func (f *folder) load(tx *sql.Tx) error {
	rows, err := tx.Query("SELECT id, name, facts, first FROM file WHERE folder = ? ORDER BY name", f.id)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var it item
		var name string
		var text sql.RawBytes
		if err := rows.Scan(&it.file, &name, &text, &it.first); err != nil {
			return err
		}
		if it.Facts, err = row.ReadFacts(name, text); err != nil {
			return err
		}
		f.items = append(f.items, it)
	}
	return rows.Err()
}

// nameBySummary gives a session the summary that names the last of its lines
// that any does. Old clients wrote it into whatever file came next.
func (f *folder) nameBySummary(tx *sql.Tx) error {
	if _, err := tx.Exec("UPDATE conversation SET summary = '' WHERE summary <> '' AND file IN (SELECT id FROM file WHERE folder = ?)", f.id); err != nil {
		return err
	}
	text := map[uint64]string{}
	for _, it := range f.items {
		for _, s := range it.Summaries {
			text[db.Hash(s.Leaf)] = s.Text
		}
	}
	if len(text) == 0 {
		return nil
	}
	for i := range f.items {
		it := &f.items[i]
		if it.Titled || it.Ref.Layout != sesskeep.LayoutMain {
			continue
		}
		title, err := titleIn(tx, it.file, it.Aside, text)
		if err != nil {
			return err
		}
		if title != "" {
			it.Row.Title = title
		}
	}
	return nil
}

// titleIn names the conversations of a session by the summaries of its lines, by leaf, and
// returns that of the last line of the active conversation that has one.
func titleIn(tx *sql.Tx, file int64, aside []int, text map[uint64]string) (string, error) {
	chain, err := loadChain(tx, file)
	if err != nil {
		return "", err
	}
	if err := nameConversations(tx, file, chain, text); err != nil {
		return "", err
	}
	for i, line := range slices.Backward(chain) {
		if title := text[line.ID]; title != "" && !lineage.IsInactive(aside, i) {
			return title, nil
		}
	}
	return "", nil
}

func loadChain(tx *sql.Tx, file int64) (chain []lineage.Line, err error) {
	from, to := db.PieceRange(file)
	pieces, err := db.Column[[]byte](tx, "SELECT body FROM chain WHERE id >= ? AND id < ? ORDER BY id", from, to)
	for _, raw := range pieces {
		chain = append(chain, lineage.Decode(raw)...)
	}
	return chain, err
}

func (f *folder) findForks(tx *sql.Tx) error {
	groups := map[int64][]*item{}
	for i := range f.items {
		if it := &f.items[i]; it.Ref.Layout == sesskeep.LayoutMain && it.first != 0 {
			groups[it.first] = append(groups[it.first], it)
		}
	}
	for _, group := range groups {
		if len(group) < 2 {
			continue
		}
		var family []lineage.Kin
		for _, it := range group {
			chain, err := loadChain(tx, it.file)
			if err != nil {
				return err
			}
			family = append(family, lineage.Kin{ID: it.Row.ID, Known: it.Row.ForkedFrom, Chain: chain})
		}
		from := lineage.Forks(family)
		for _, it := range group {
			it.Row.ForkedFrom = from[it.Row.ID]
		}
	}
	return nil
}

// linkAgents gives every session its agents.
func (f *folder) linkAgents() {
	at := map[string]int{}
	for i := range f.items {
		if !f.items[i].Row.IsAgent {
			at[f.items[i].Row.ID] = i
		}
	}
	for i := range f.items {
		r := &f.items[i].Row
		if !r.IsAgent {
			continue
		}
		if p, ok := at[r.ParentSessionID]; ok {
			f.items[p].Row.AgentSessions = append(f.items[p].Row.AgentSessions, r.ID)
		}
		r.Title = cmp.Or(r.Description, r.Title)
	}
}

// paths are those of the projects of the items, one for each. A folder with nothing but
// memory/ is a project too.
func (f *folder) paths() []string {
	cwds := make([][]string, len(f.items))
	for i := range f.items {
		cwds[i] = f.items[i].Cwds
	}
	paths := row.AssignPaths(f.dir, cwds, f.hints)
	f.keepFamilies(paths)
	if len(paths) == 0 {
		paths = row.AssignPaths(f.dir, [][]string{nil}, f.hints)
	}
	return paths
}

// projects makes the projects of the folder and gives their ids by path.
func (f *folder) projects(tx *sql.Tx, paths []string) (map[string]int64, error) {
	old, err := f.oldProjects(tx)
	if err != nil {
		return nil, err
	}
	ids := map[string]int64{}
	home, _ := ask.HomeRoot(f.path) // what lies in the trash stays in its project
	for i, path := range paths {
		if _, ok := ids[path]; !ok {
			p := ask.ProjectID{Root: home, Dir: f.dir, Path: path}
			repository, _ := p.Worktree()
			body := db.JSON(ask.Project{
				ID: p.Name(), Name: p.Base(), Path: path, DirName: string(f.dir), Root: home,
				Repository: repository, Memory: f.memory,
			})
			if ids[path], err = f.saveProject(tx, old[path], path, p.Name(), body); err != nil {
				return nil, err
			}
			delete(old, path)
		}
		if i < len(f.items) {
			p := ask.ProjectID{Root: home, Dir: f.dir, Path: path}
			f.items[i].Row.ProjectPath, f.items[i].Row.Project = path, p.Name()
		}
	}
	for _, p := range old {
		if _, err := tx.Exec("DELETE FROM project WHERE id = ?", p.id); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// oldProject is a project as it is kept. It has its id for as long as it is there.
type oldProject struct {
	id   int64
	body string
}

func (f *folder) oldProjects(tx *sql.Tx) (map[string]oldProject, error) {
	rows, err := tx.Query("SELECT id, path, body FROM project WHERE folder = ?", f.id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	old := map[string]oldProject{}
	for rows.Next() {
		var p oldProject
		var path string
		if err := rows.Scan(&p.id, &path, &p.body); err != nil {
			return nil, err
		}
		old[path] = p
	}
	return old, rows.Err()
}

func (f *folder) saveProject(tx *sql.Tx, old oldProject, path, short, body string) (int64, error) {
	switch {
	case old.id == 0:
		res, err := tx.Exec("INSERT INTO project (folder, root, short, path, body) VALUES (?, ?, ?, ?, ?)", f.id, f.root, short, path, body)
		if err != nil {
			return 0, err
		}
		return res.LastInsertId()
	case old.body != body:
		_, err := tx.Exec("UPDATE project SET short = ?, body = ? WHERE id = ?", short, body, old.id)
		return old.id, err
	}
	return old.id, nil
}

// keepFamilies puts every agent into the project of its session: an agent can
// work in another directory than the session it belongs to.
func (f *folder) keepFamilies(paths []string) {
	home := map[string]string{}
	for i := range f.items {
		if !f.items[i].Row.IsAgent {
			home[f.items[i].Row.ID] = paths[i]
		}
	}
	for i := range f.items {
		if path, ok := home[f.items[i].Row.ParentSessionID]; ok && f.items[i].Row.IsAgent {
			paths[i] = path
		}
	}
}

// save writes the rows that are other than they were.
func (f *folder) save(tx *sql.Tx, projects map[string]int64) error {
	old, err := row.OfFolder(tx, f.id)
	if err != nil {
		return err
	}
	w, err := row.NewWriter(tx)
	if err != nil {
		return err
	}
	defer w.Close()
	for i := range f.items {
		it := &f.items[i]
		slices.Sort(it.Row.AgentSessions)
		now := row.ValuesOf(&it.Facts, f.root, f.id, projects[it.Row.ProjectPath])
		now.KeepDuplicate(old[it.file])
		if err := w.Save(it.file, old[it.file], now); err != nil {
			return err
		}
	}
	return resolveFolderDuplicates(tx, f.id)
}
