package live

// change is something that the system told of.
type change struct {
	path string
	gone bool // or moved away; of a watched directory: and its watch with it
}

// notifier tells of changes in directories. All of it but what waits is called by
// one goroutine.
//
// It does not tell each change as it comes: it says once that there is something,
// and is then silent until it is asked to listen again. Meanwhile changes gather,
// and whoever wants them takes all there are. While files change all the time that
// wakes nobody.
type notifier interface {
	Add(dir string) error
	Remove(dir string) error
	// Ready says that there are changes, once after each Listen and at the start.
	Ready() <-chan struct{}
	// Take gives the changes there are, and reports whether some were lost.
	Drain(give func(change)) (lost bool)
	Listen()
	// Close ends all of it, and waits for it.
	Close()
}
