package term

// Len is the number of rows.
func (t *Table) Len() int { return len(t.rows) }

// Cut keeps the first n rows.
func (t *Table) Cut(n int) { t.rows = t.rows[:min(n, len(t.rows))] }

// Plain is the table as text, titles first, for formats of their own.
func (t *Table) Plain() [][]string {
	out := [][]string{make([]string, len(t.Columns))}
	for i, c := range t.Columns {
		out[0][i] = Line(c.Title)
	}
	for _, row := range t.rows {
		cells := make([]string, len(row))
		for i, c := range row {
			cells[i] = c.Text
		}
		out = append(out, cells)
	}
	return out
}
