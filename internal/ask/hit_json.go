package ask

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// MarshalJSON adds where the first match is, for readers that show one.
func (h Hit) MarshalJSON() ([]byte, error) {
	type plain Hit
	start, length := h.FirstMatch()
	return json.Marshal(struct {
		plain
		Start  int `json:"matchStart"`
		Length int `json:"matchLength"`
	}{plain(h), start, length})
}

// FirstMatch returns where the first match is in Text, in characters as a reader sees them:
// grapheme clusters, which is what a Character of Swift is. Marks count code points.
func (h *Hit) FirstMatch() (start, length int) {
	if len(h.Marks) == 0 {
		return 0, 0
	}
	from := h.Marks[0][0]
	to := from + h.Marks[0][1]
	at := 0 // in code points
	for one := graphemes.FromString(h.Text); at < to && one.Next(); {
		at += utf8.RuneCountInString(one.Value())
		switch {
		case at <= from:
			start++
		case from < to:
			length++
		}
	}
	return start, length
}
