package row

import (
	"database/sql"
	"reflect"
	"slices"
	"strings"

	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
	"sesskeep/internal/stamp"
)

// Columns are those of the table row behind its file: where the file is, what the table
// of fields has a column for, and what else conditions need.
var Columns = func() []string {
	names := []string{"root", "folder", "project"}
	for _, f := range columnFields {
		names = append(names, f.Column)
	}
	return append(names, "rest", "modified")
}()

// columnFields are the fields that have a column.
var columnFields = slices.DeleteFunc(slices.Clone(ask.Fields), func(f ask.Field) bool { return f.Column == "" })

// Values are those of a row in the order of Columns, as SQLite gives them back; nil:
// there is no such row.
type Values []any

// Columns by number: those that make the key of a row, and those that single-file
// derivation takes over from the row before.
var (
	rootColumn    = numberOf("root")
	ProjectColumn = numberOf("project")
	idColumn      = numberOf("id")
	sourceColumn  = numberOf("source")
	parentColumn  = numberOf("parent")
	ForkColumn    = numberOf("fork")
	TitleColumn   = numberOf("title")
	AgentsColumn  = numberOf("agents")
)

func numberOf(column string) int { return slices.Index(Columns, column) }

// NewValues has room for those of a row.
func NewValues() Values { return make(Values, len(Columns)) }

// ValuesOf are the values of a file's row.
func ValuesOf(f *Facts, root, folder, project int64) Values {
	v := append(make(Values, 0, len(Columns)), root, folder, project)
	for i := range columnFields {
		v = append(v, columnValue(&columnFields[i], &f.Row))
	}
	return append(v, f.Rest(), HourOf(f.Row.Ref.Modtime))
}

// columnValue is the value of a field as its column has it. Several texts are JSON, but
// for those that conditions look for as a part of the column.
func columnValue(f *ask.Field, r *ask.Row) any {
	switch value := f.Of(r).(type) {
	case stamp.Time:
		return value.UnixMilli()
	case []string:
		switch f.Column {
		case "models":
			return "\n" + strings.Join(value, "\n") + "\n"
		case "agents":
			return strings.Join(value, " ")
		}
		return db.JSON(append([]string{}, value...))
	case bool:
		if value {
			return int64(1)
		}
		return int64(0)
	default:
		if v := reflect.ValueOf(value); v.CanInt() {
			return v.Int()
		}
		return reflect.ValueOf(value).String()
	}
}

// OfFolder reads the rows of a folder, by file.
func OfFolder(tx *sql.Tx, folder int64) (map[int64]Values, error) {
	rows, err := tx.Query("SELECT r.file, r."+strings.Join(Columns, ", r.")+" FROM file f JOIN row r ON r.file = f.id WHERE f.folder = ?", folder)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[int64]Values{}
	for rows.Next() {
		var file int64
		v := NewValues()
		if err := rows.Scan(append([]any{&file}, v.Pointers()...)...); err != nil {
			return nil, err
		}
		all[file] = v
	}
	return all, rows.Err()
}

// Pointers are where the columns are read into.
func (v Values) Pointers() []any {
	into := make([]any, len(v))
	for i := range v {
		into[i] = &v[i]
	}
	return into
}

// Writer writes the columns of rows that changed, so that SQLite updates only the
// indexes of those.
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
func (w *Writer) Save(file int64, old, now Values) error {
	if old == nil {
		_, err := w.insert.Exec(append(slices.Clone(now), file)...)
		return err
	}
	return Update(w.tx, file, old, now)
}

// Update writes the columns that changed.
func Update(tx *sql.Tx, file int64, old, now Values) error {
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

// KeepDuplicate leaves a duplicate transcript one until its key is resolved.
func (v Values) KeepDuplicate(old Values) {
	if old != nil && old[sourceColumn] == string(ask.FromDuplicate) {
		v[sourceColumn] = string(ask.FromDuplicate)
	}
}

// Key is the key of a row.
func (v Values) Key() Key {
	id, _ := v[idColumn].(string)
	root, _ := v[rootColumn].(int64)
	parent, _ := v[parentColumn].(string)
	return Key{id, root, parent}
}
