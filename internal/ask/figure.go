package ask

// Call is one use of a tool.
type Call struct {
	Location *Location
	Tool     string
	At       int64
	Failed   bool
}

// Figure counts the transcripts of a source in a project.
type Figure struct {
	Source      Source
	Project     string
	ProjectPath string
	Rows        int
	Prompts     int
	Messages    int
	Size        int64
}
