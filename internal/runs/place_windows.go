package runs

// OwnDir reports whether a directory belongs to this user, which is not known
// here: what may be written is the system's to say.
func OwnDir(string) bool { return true }
