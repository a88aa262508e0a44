package db

// Piece is one row of a value that is stored in several rows, so that a file that grows writes
// only the rows that it adds.
type Piece struct {
	N    int
	Body []byte
}
