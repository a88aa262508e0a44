package ask

// Source says who a transcript is for.
type Source string

// The sources, in the order they are decided.
const (
	FromHelper Source = "helper" // the client's own errands
	FromAgent  Source = "agent"
	FromUser   Source = "user"
)

// FromDuplicate is in lists the source of a file whose key another file has too, with
// a later line. What the file itself says of its source is one of the others.
const FromDuplicate Source = "twin"

// Sources are all of them, and SourceWords what a filter takes: twins only where they
// are named, so that all leaves them out.
var (
	Sources     = []Source{FromUser, FromAgent, FromHelper, FromDuplicate}
	SourceWords = []string{string(FromUser), string(FromAgent), string(FromHelper), AllSources}
)

// AllSources is what a filter takes for every source but twins.
const AllSources = "all"

// Started says who started a session.
type Started string

// A person types prompts; a program sends them with -p or through the SDK.
const (
	ByPerson  Started = "person"
	ByProgram Started = "program"
)

// StartedWords are what a filter takes.
var StartedWords = []string{string(ByPerson), string(ByProgram)}

// Origin says what of a session there is to read.
type Origin string

const (
	OriginSource Origin = "source" // the transcript that the client wrote
	OriginCopy   Origin = "copy"   // our copy: the transcript was deleted
)

// Origins are all of them.
var Origins = []Origin{OriginSource, OriginCopy}
