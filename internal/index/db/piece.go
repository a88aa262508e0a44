package db

// Piece is a part of something that is kept in parts, so that what is appended
// costs no more than that.
type Piece struct {
	N    int
	Body []byte
}
