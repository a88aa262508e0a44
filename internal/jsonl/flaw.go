package jsonl

import "strings"

// Flaw is a set of reasons why a line, or a piece of one, is not plain JSON.
type Flaw uint16

// The order is that of the words String gives.
const (
	BOM     Flaw = 1 << iota // a byte order mark at the start of the file
	CRLF                     // the line ends as Windows tools end lines
	NUL                      // NUL bytes at an end of the line, or nothing else
	BadUTF8                  // bytes that are not UTF-8
	TooLong                  // more than MaxLine bytes
	Torn                     // the last line, without a line end
	Glued                    // shares its line with another record
	Cut                      // the start of a record whose end is missing
	NotJSON                  // nothing that can be read
)

var flawWords = [...]string{
	"byte order mark",
	"CRLF line end",
	"NUL bytes",
	"invalid UTF-8",
	"line over 64 MiB",
	"unfinished last line",
	"two records on one line",
	"record cut off",
	"not JSON",
}

// String names the flaws for people, with commas between them.
func (f Flaw) String() string {
	var words []string
	for i, w := range flawWords {
		if f&(1<<i) != 0 {
			words = append(words, w)
		}
	}
	return strings.Join(words, ", ")
}
