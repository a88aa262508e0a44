package views

import (
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Record is a row of a selection: its values by the names of their columns. Bytes are
// hexadecimal; what JSON lacks, a number that is not finite, is missing.
type Record map[string]any

func newRecord(columns []string, values []any) Record {
	r := make(Record, len(columns))
	for i, v := range values {
		switch b := v.(type) {
		case []byte:
			v = hex.EncodeToString(b)
		case float64:
			if math.IsNaN(b) || math.IsInf(b, 0) {
				v = nil
			}
		}
		r[columns[i]] = v
	}
	return r
}

// Text is a value as a table shows it; one that is missing is empty.
func (r Record) Text(column string) string {
	switch v := r[column].(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	default:
		return fmt.Sprint(v)
	}
}

// distinct gives columns of the same name different ones: id, id_2.
func distinct(names []string) []string {
	list := make([]string, 0, len(names))
	for _, name := range names {
		fresh := name
		for n := 2; slices.Contains(list, fresh); n++ {
			fresh = fmt.Sprintf("%s_%d", name, n)
		}
		list = append(list, fresh)
	}
	return list
}
