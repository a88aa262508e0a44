package ask

import "encoding/json"

// MarshalJSON adds where the first match is, for readers that show one.
func (h Hit) MarshalJSON() ([]byte, error) {
	type plain Hit
	first := [2]int{}
	if len(h.Marks) > 0 {
		first = h.Marks[0]
	}
	return json.Marshal(struct {
		plain
		Start  int `json:"matchStart"`
		Length int `json:"matchLength"`
	}{plain(h), first[0], first[1]})
}
