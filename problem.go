package sesskeep

// Problem is damage met while reading. It never stops the reading: everything
// whole around it is in the result.
type Problem struct {
	File   string `json:"file"`           // path inside the home
	Line   int    `json:"line,omitempty"` // counting from 1; 0 when it is about the file
	Offset int64  `json:"offset"`
	Length int64  `json:"length,omitempty"`
	Reason string `json:"reason"`
	// Lost says that the bytes could not be read as a record. Without it the
	// record was recovered and the Problem only tells how the file looks.
	Lost bool `json:"lost,omitempty"`
}
