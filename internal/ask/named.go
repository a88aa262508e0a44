package ask

// Named is where the transcript of a session lies.
type Named struct {
	Root string // of its home
	File string // its path in the home
	ID   string // of the session
}
