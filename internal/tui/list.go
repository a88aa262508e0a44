package tui

import (
	"sesskeep/internal/keys"
)

// list is a window on rows, of which only those on the screen are drawn.
type list struct {
	len    int // rows
	at     int // the chosen row
	top    int // the first row on the screen
	height int // rows on the screen when it was last drawn
}

// resize takes another number of rows. The chosen row stays where it is.
func (l *list) resize(n int) {
	l.len = n
	l.choose(l.at)
}

// choose moves to a row, or to the end that is nearer.
func (l *list) choose(at int) { l.at = max(0, min(at, l.len-1)) }

// do takes the keys that move.
func (l *list) do(a keys.Action) bool {
	screenful := max(1, l.height-1)
	switch a {
	case keys.Down:
		l.choose(l.at + 1)
	case keys.Up:
		l.choose(l.at - 1)
	case keys.PageDown:
		l.choose(l.at + screenful)
	case keys.PageUp:
		l.choose(l.at - screenful)
	case keys.Top:
		l.choose(0)
	case keys.End:
		l.choose(l.len - 1)
	default:
		return false
	}
	return true
}

// moves are the keys that do takes.
var moves = []keys.Action{keys.Down, keys.Up, keys.PageDown, keys.PageUp, keys.Top, keys.End}

// view draws the rows that fit, with the chosen one among them.
func (l *list) view(height int, draw func(row int, chosen bool) string) []string {
	l.height = height
	l.top = max(min(l.top, l.at), l.at-height+1)
	l.top = max(0, min(l.top, l.len-height)) // no empty lines while there are rows above
	var lines []string
	for i := l.top; i < min(l.len, l.top+height); i++ {
		lines = append(lines, draw(i, i == l.at))
	}
	return lines
}

// row is the row drawn y lines below the first, if there is one.
func (l *list) row(y int) (int, bool) {
	row := l.top + y
	return row, y >= 0 && y < l.height && row < l.len
}
