package runs

// ownDir reports whether a directory belongs to this user, which is not known
// here: what may be written is the system's to say.
func ownDir(string) bool { return true }
