package index

import (
	"strconv"
)

// pieceBits is how many bits of a piece's id say which of its file it is.
const pieceBits = 20

// pieceMask takes that out of an id.
var pieceMask = strconv.Itoa(1<<pieceBits - 1)

// pieceRange is where the pieces of a file lie.
func pieceRange(file int64) (from, to int64) { return file << pieceBits, (file + 1) << pieceBits }
