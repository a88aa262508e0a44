package views

import (
	"cmp"
	"fmt"
	"strings"

	"sesskeep/internal/sqlview"
)

// Table is a table of the contract.
type Table struct {
	Name    string   `json:"name"`    // name of the table
	About   string   `json:"about"`   // what a row of it is
	Columns []Column `json:"columns"` // its columns, in their order
}

// Column is a column of a table.
type Column struct {
	Name  string `json:"name"`  // name of the column
	Type  string `json:"type"`  // text, integer or real
	About string `json:"about"` // what it holds
}

// Contract is all tables with their columns.
type Contract struct {
	Tables []Table `json:"tables"` // tables that a statement can name
}

// Tables are the contract. The columns of a view mean what those of the tables do that have
// the same name.
func Tables() (c Contract) {
	known := map[string]Column{}
	add := func(name, about string, columns []sqlview.Column) {
		t := Table{Name: name, About: about}
		for _, col := range columns {
			like := known[col.Name]
			t.Columns = append(t.Columns, Column{col.Name, strings.ToLower(cmp.Or(string(col.Type), like.Type, string(sqlview.Integer))), cmp.Or(col.About, like.About)})
			known[col.Name] = t.Columns[len(t.Columns)-1]
		}
		c.Tables = append(c.Tables, t)
	}
	for _, t := range new(source).tables() {
		add(t.Name, t.About, t.Columns)
	}
	for _, v := range joined {
		add(v.Name, v.About, v.Columns)
	}
	return c
}

// Document is the part of docs/sql.md that is made of the tables.
func Document() string {
	var b strings.Builder
	for _, t := range Tables().Tables {
		fmt.Fprintf(&b, "### %s\n\n%s\n\n| column | type | is |\n|---|---|---|\n", t.Name, t.About)
		for _, c := range t.Columns {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", c.Name, c.Type, c.About)
		}
		b.WriteByte('\n')
	}
	return strings.TrimSpace(b.String()) + "\n"
}
