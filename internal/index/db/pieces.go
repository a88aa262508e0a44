package db

import "strconv"

// PieceBits is how many bits of a piece's id say which of its file it is.
const PieceBits = 20

// PieceMask takes that out of an id.
var PieceMask = strconv.Itoa(1<<PieceBits - 1)

// PieceRange is where the pieces of a file lie.
func PieceRange(file int64) (from, to int64) { return file << PieceBits, (file + 1) << PieceBits }
