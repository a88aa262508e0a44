package pages

// Marks are the rows of a list that somebody marked, in the order of the marking.
// The zero Marks are none. They outlive the rows of a list that is made again.
type Marks[K comparable, T any] struct {
	rows  map[K]T
	order []K
	last  K // the row at which a range begins
}

func (m *Marks[K, T]) Len() int { return len(m.rows) }

func (m *Marks[K, T]) Has(k K) bool {
	_, ok := m.rows[k]
	return ok
}

// Last is the row that was marked or taken out last.
func (m *Marks[K, T]) Last() K { return m.last }

// Renew remembers a row as it is by now, if it is marked.
func (m *Marks[K, T]) Renew(k K, row T) {
	if m.Has(k) {
		m.rows[k] = row
	}
}

// Add marks a row, or remembers it as it is by now.
func (m *Marks[K, T]) Add(k K, row T) {
	if m.rows == nil {
		m.rows = map[K]T{}
	}
	if !m.Has(k) {
		m.order = append(m.order, k)
	}
	m.rows[k], m.last = row, k
}

// Drop takes a mark away.
func (m *Marks[K, T]) Drop(k K) {
	delete(m.rows, k)
	m.last = k
}

// Toggle marks a row, or takes its mark away.
func (m *Marks[K, T]) Toggle(k K, row T) {
	if m.Has(k) {
		m.Drop(k)
	} else {
		m.Add(k, row)
	}
}

func (m *Marks[K, T]) Clear() { *m = Marks[K, T]{} }

// List returns the rows that are marked.
func (m *Marks[K, T]) List() []T {
	list, seen := make([]T, 0, len(m.rows)), map[K]bool{}
	for _, k := range m.order {
		if row, ok := m.rows[k]; ok && !seen[k] {
			seen[k] = true
			list = append(list, row)
		}
	}
	return list
}
