package ask

// Freshness is how far an answer goes.
type Freshness struct {
	Complete bool // everything on disk is in it, as far as anybody noticed
	Behind   bool // another process writes: what it added last may be missing
	// Reading says that transcripts are being read, the newest first, and Files
	// of Total are.
	Reading      bool
	Files, Total int
	Generation   uint64 // grows whenever answers can become others
}

// Lacks reports whether something that was written may be missing.
func (f Freshness) Lacks() bool { return !f.Complete || f.Behind || f.Reading }
