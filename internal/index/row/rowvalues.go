package row

import (
	"database/sql"
	"strings"

	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
)

// Columns are those of the table row behind its file, in the order of values.
var Columns = []string{
	"root", "folder", "project", "id", "source", "started", "branch", "models", "parent", "fork", "slug", "title",
	"created", "active", "messages", "prompts", "size", "rest", "agent", "agents", "tags", "branches", "damage", "modified",
}

// Values are those of a row, as SQLite gives them back.
type Values [24]any

// Columns by number: those that make the key of a row, and those that are taken
// over from the row before when a file is derived alone.
const (
	rootColumn    = 0
	ProjectColumn = 2
	idColumn      = 3
	sourceColumn  = 4
	parentColumn  = 8
	ForkColumn    = 9
	TitleColumn   = 11
	AgentsColumn  = 19
)

// ValuesOf are the values of a file's row.
func ValuesOf(f *Facts, root, folder, project int64) Values {
	r := &f.Row
	return Values{
		root, folder, project, r.ID, string(r.Source), string(r.Started), r.GitBranch,
		"\n" + strings.Join(r.Models, "\n") + "\n", r.ParentSessionID, r.ForkedFrom, r.Slug, r.Title,
		r.CreatedAt.UnixMilli(), r.LastActivityAt.UnixMilli(), int64(r.MessageCount), int64(r.PromptCount), r.FileSize,
		f.Rest(), r.AgentType, strings.Join(r.AgentSessions, " "), db.JSON(append([]string{}, r.Tags...)), int64(r.ConversationCount), int64(r.Problems),
		HourOf(r.Ref.Modtime),
	}
}

// OfFolder reads the rows of a folder, by file.
func OfFolder(tx *sql.Tx, folder int64) (map[int64]*Values, error) {
	rows, err := tx.Query("SELECT r.file, r."+strings.Join(Columns, ", r.")+" FROM file f JOIN row r ON r.file = f.id WHERE f.folder = ?", folder)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[int64]*Values{}
	for rows.Next() {
		var file int64
		v := new(Values)
		if err := rows.Scan(append([]any{&file}, v.Pointers()...)...); err != nil {
			return nil, err
		}
		all[file] = v
	}
	return all, rows.Err()
}

// Pointers are where the columns are read into.
func (v *Values) Pointers() []any {
	into := make([]any, len(v))
	for i := range v {
		into[i] = &v[i]
	}
	return into
}

// Writer writes rows as far as they changed: an index of the table is touched
// only if a column of it is.
type Writer struct {
	tx     *sql.Tx
	insert *sql.Stmt
}

// NewWriter prepares a writer for the rows of a folder.
func NewWriter(tx *sql.Tx) (*Writer, error) {
	stmt, err := tx.Prepare("INSERT INTO row (" + strings.Join(Columns, ", ") + ", file) VALUES (" + db.Params(1+len(Columns)) + ")")
	return &Writer{tx, stmt}, err
}

// Close ends what the writer prepared.
func (w *Writer) Close() error { return w.insert.Close() }

// Save writes the row of a file, in place of the old one if there is one.
func (w *Writer) Save(file int64, old *Values, now Values) error {
	if old == nil {
		_, err := w.insert.Exec(append(now[:], file)...)
		return err
	}
	return Update(w.tx, file, old, now)
}

// Update writes the columns that changed.
func Update(tx *sql.Tx, file int64, old *Values, now Values) error {
	var set []string
	var args []any
	for i := range now {
		if now[i] != old[i] {
			set = append(set, Columns[i]+" = ?")
			args = append(args, now[i])
		}
	}
	if len(set) == 0 {
		return nil
	}
	_, err := tx.Exec("UPDATE row SET "+strings.Join(set, ", ")+" WHERE file = ?", append(args, file)...)
	return err
}

// Key is what the key of a row is made of.
type Key struct {
	ID     string
	Root   int64
	Parent string
}

// KeepTwin leaves a twin what it is until its key is settled.
func (v *Values) KeepTwin(old *Values) {
	if old != nil && old[sourceColumn] == string(ask.FromTwin) {
		v[sourceColumn] = string(ask.FromTwin)
	}
}

// Key is the key of a row.
func (v *Values) Key() Key {
	id, _ := v[idColumn].(string)
	root, _ := v[rootColumn].(int64)
	parent, _ := v[parentColumn].(string)
	return Key{id, root, parent}
}
