package pages

import (
	"sesskeep/internal/keys"
)

// List is a window on rows. Only those on the screen are drawn.
type List struct {
	Len    int // rows
	At     int // the chosen row
	Top    int // the first row on the screen
	Height int // rows on the screen when it was last drawn
}

// Resize takes another number of rows. The chosen row stays where it is.
func (l *List) Resize(n int) {
	l.Len = n
	l.Choose(l.At)
}

// Choose moves to a row, or to the end that is nearer.
func (l *List) Choose(at int) { l.At = max(0, min(at, l.Len-1)) }

// Do takes the keys that move.
func (l *List) Do(a keys.Action) bool {
	screenful := max(1, l.Height-1)
	switch a {
	case keys.Down:
		l.Choose(l.At + 1)
	case keys.Up:
		l.Choose(l.At - 1)
	case keys.PageDown:
		l.Choose(l.At + screenful)
	case keys.PageUp:
		l.Choose(l.At - screenful)
	case keys.Top:
		l.Choose(0)
	case keys.End:
		l.Choose(l.Len - 1)
	default:
		return false
	}
	return true
}

// Moves are the keys that do takes.
var Moves = []keys.Action{keys.Down, keys.Up, keys.PageDown, keys.PageUp, keys.Top, keys.End}

// View draws the rows that fit, with the chosen one among them.
func (l *List) View(height int, draw func(row int, chosen bool) string) []string {
	l.Height = height
	l.Top = max(min(l.Top, l.At), l.At-height+1)
	l.Top = max(0, min(l.Top, l.Len-height)) // no empty lines while there are rows above
	var lines []string
	for i := l.Top; i < min(l.Len, l.Top+height); i++ {
		lines = append(lines, draw(i, i == l.At))
	}
	return lines
}

// Row is the row drawn y lines below the first, if there is one.
func (l *List) Row(y int) (int, bool) {
	row := l.Top + y
	return row, y >= 0 && y < l.Height && row < l.Len
}
