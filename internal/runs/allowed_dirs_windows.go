package runs

// OwnDir returns true: ownership cannot be checked here, and the system decides who
// may write.
func OwnDir(string) bool { return true }
