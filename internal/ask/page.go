package ask

// Page is a list of rows with what it leaves out.
type Page struct {
	Sessions []Row
	Total    int
	HasMore  bool
	Next     string
	Hidden   map[string]int // by source, or archived
}
