package packed

import (
	"encoding/binary"
	"math"
	"testing"
)

var (
	numbers = []uint64{0, 1, 127, 128, 1 << 20, math.MaxUint64}
	signed  = []int64{0, -1, 1, 64, -65, math.MinInt64, math.MaxInt64}
)

func written() (raw []byte) {
	for _, n := range numbers {
		raw = binary.AppendUvarint(raw, n)
	}
	for _, n := range signed {
		raw = binary.AppendVarint(raw, n)
	}
	for _, s := range []string{"", "text"} {
		raw = append(binary.AppendUvarint(raw, uint64(len(s))), s...)
	}
	return append(raw, "tail"...)
}

// read tells whether all that was written was given back.
func read(r *Reader) (same bool) {
	same = true
	for _, n := range numbers {
		same = r.Number() == n && same
	}
	for _, n := range signed {
		same = r.Signed() == n && same
	}
	for _, s := range []string{"", "text"} {
		same = string(r.Text()) == s && same
	}
	return string(r.Bytes(4)) == "tail" && same
}

// What was written is given back, and nothing is left of it.
func TestReader(t *testing.T) {
	r := Read(written())
	if same := read(&r); !same || r.Bad() || r.More() || r.Left() != 0 {
		t.Fatalf("same %v, bad %v, more %v, left %d", same, r.Bad(), r.More(), r.Left())
	}
	if n := r.Number(); n != 0 || !r.Bad() {
		t.Fatalf("behind the end is %d", n)
	}
}

// Whatever was cut off is noticed, and ends the reading.
func TestReaderCut(t *testing.T) {
	raw := written()
	for n := range raw {
		r := Read(raw[:n])
		if same := read(&r); same || !r.Bad() || r.More() {
			t.Errorf("cut at %d: same %v, bad %v, more %v", n, same, r.Bad(), r.More())
		}
	}
	endless := Read([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	if endless.Number(); !endless.Bad() {
		t.Error("a number of more than 64 bits is taken for one")
	}
	long := Read(binary.AppendUvarint(nil, math.MaxUint64))
	if text := long.Text(); text != nil || !long.Bad() {
		t.Errorf("a text longer than all there is: %q", text)
	}
}
