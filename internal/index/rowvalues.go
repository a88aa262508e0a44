package index

import (
	"database/sql"
	"strings"

	"sesskeep/internal/index/db"
	"sesskeep/internal/index/row"
)

// rowColumns are those of the table row behind its file, in the order of values.
var rowColumns = []string{
	"root", "folder", "project", "id", "source", "started", "branch", "models", "parent", "fork", "slug", "title",
	"created", "active", "messages", "prompts", "size", "rest", "agent", "agents", "tags", "branches", "damage", "modified",
}

// values are those of a row, as SQLite gives them back.
type values [24]any

// Columns that make the key of a row, and those that are taken over from the row
// before when a file is derived alone.
const (
	rootColumn    = 0
	projectColumn = 2
	idColumn      = 3
	sourceColumn  = 4
	parentColumn  = 8
	forkColumn    = 9
	titleColumn   = 11
	agentsColumn  = 19
)

// rowValues are the values of a file's row.
func rowValues(f *row.Facts, root, folder, project int64) values {
	r := &f.Row
	return values{
		root, folder, project, r.ID, string(r.Source), string(r.Started), r.GitBranch,
		"\n" + strings.Join(r.Models, "\n") + "\n", r.ParentSessionID, r.ForkedFrom, r.Slug, r.Title,
		r.CreatedAt.UnixMilli(), r.LastActivityAt.UnixMilli(), int64(r.MessageCount), int64(r.PromptCount), r.FileSize,
		f.Rest(), r.AgentType, strings.Join(r.AgentSessions, " "), db.JSON(append([]string{}, r.Tags...)), int64(r.ConversationCount), int64(r.Problems),
		row.HourOf(r.Ref.Modtime),
	}
}

// rowsOf reads the rows of a folder, by file.
func rowsOf(tx *sql.Tx, folder int64) (map[int64]*values, error) {
	rows, err := tx.Query("SELECT r.file, r."+strings.Join(rowColumns, ", r.")+" FROM file f JOIN row r ON r.file = f.id WHERE f.folder = ?", folder)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[int64]*values{}
	for rows.Next() {
		var file int64
		v := new(values)
		if err := rows.Scan(append([]any{&file}, v.pointers()...)...); err != nil {
			return nil, err
		}
		all[file] = v
	}
	return all, rows.Err()
}

func (v *values) pointers() []any {
	into := make([]any, len(v))
	for i := range v {
		into[i] = &v[i]
	}
	return into
}

// rowWriter writes rows as far as they changed: an index of the table is touched
// only if a column of it is.
type rowWriter struct {
	tx     *sql.Tx
	insert *sql.Stmt
}

func newRowWriter(tx *sql.Tx) (*rowWriter, error) {
	stmt, err := tx.Prepare("INSERT INTO row (" + strings.Join(rowColumns, ", ") + ", file) VALUES (" + db.Params(1+len(rowColumns)) + ")")
	return &rowWriter{tx, stmt}, err
}

func (w *rowWriter) save(file int64, old *values, now values) error {
	if old == nil {
		_, err := w.insert.Exec(append(now[:], file)...)
		return err
	}
	return updateRow(w.tx, file, old, now)
}

func updateRow(tx *sql.Tx, file int64, old *values, now values) error {
	var set []string
	var args []any
	for i := range now {
		if now[i] != old[i] {
			set = append(set, rowColumns[i]+" = ?")
			args = append(args, now[i])
		}
	}
	if len(set) == 0 {
		return nil
	}
	_, err := tx.Exec("UPDATE row SET "+strings.Join(set, ", ")+" WHERE file = ?", append(args, file)...)
	return err
}
