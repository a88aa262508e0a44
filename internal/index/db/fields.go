package db

import (
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"sesskeep/internal/ask"
)

// fieldColumns is what the fields of sessions need beside the tables: columns of the table
// row that it does not have yet. Facts change with the fields too, so that fields other
// than those of the version are a part of the schema.
func fieldColumns() (sql string) {
	var kept []string
	for i := range ask.Fields {
		f := &ask.Fields[i]
		if f.SetBy != ask.SetByFile && f.SetBy != ask.SetByFiles {
			continue
		}
		kept = append(kept, fmt.Sprintln(f.Name, f.Kind()))
		if f.Column != "" && !hasColumn(f.Column) {
			sql += fmt.Sprintf("ALTER TABLE row ADD COLUMN %s %s;\n", f.Column, columnTypes[f.Kind()])
		}
	}
	slices.Sort(kept)
	if sum := crc32.ChecksumIEEE([]byte(strings.Join(kept, ""))); sum != fieldsOfVersion {
		sql += fmt.Sprintf("-- Facts have the fields %08x.\n", sum)
	}
	return sql
}

// fieldsOfVersion is the sum of the fields that facts have since the version is what it
// is. Other fields make other files, whatever this is.
const fieldsOfVersion = 0x6865f876

// columnTypes are what columns hold.
var columnTypes = map[ask.Kind]string{
	ask.Text: "TEXT NOT NULL DEFAULT ''", ask.Texts: "TEXT NOT NULL DEFAULT '[]'", ask.Number: "INTEGER NOT NULL DEFAULT 0",
	ask.YesNo: "INTEGER NOT NULL DEFAULT 0", ask.Timestamp: "INTEGER NOT NULL DEFAULT 0",
}

// hasColumn reports whether the tables have a column of the table row.
func hasColumn(name string) bool {
	_, row, _ := strings.Cut(tables, "CREATE TABLE row (")
	row, _, _ = strings.Cut(row, ");")
	return slices.ContainsFunc(strings.FieldsFunc(row, func(r rune) bool { return r == ',' || r == '\n' }), func(line string) bool {
		return strings.HasPrefix(strings.TrimSpace(line), name+" ")
	})
}
