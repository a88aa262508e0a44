package live

// change is a change that the system reported.
type change struct {
	path string
	gone bool // or moved away; of a watched directory: and its watch with it
}

// notifier reports changes in directories. One goroutine calls its methods.
//
// It does not report every change by itself: it signals Ready once, and is then
// silent until Listen is called. Changes gather meanwhile, and Drain returns all
// of them. So files that change all the time do not wake the loop all the time.
type notifier interface {
	Add(dir string) error
	Remove(dir string) error
	// Ready says that there are changes, once after each Listen and at the start.
	Ready() <-chan struct{}
	// Drain calls give for every gathered change, and reports whether some were lost.
	Drain(give func(change)) (lost bool)
	Listen()
	// Close ends all of it, and waits for it.
	Close()
}
