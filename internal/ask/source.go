package ask

// Source says who a transcript is for.
type Source string

// The sources, in the order they are decided.
const (
	FromHelper Source = "helper" // the client's own errands
	FromAgent  Source = "agent"
	FromUser   Source = "user"
)

// FromTwin is in lists the source of a file whose key another file has too, with
// a later line. What the file itself says of its source is one of the others.
const FromTwin Source = "twin"

// Started says who began a session.
type Started string

// A person types prompts; a program sends them with -p or through the SDK.
const (
	ByPerson  Started = "person"
	ByProgram Started = "program"
)

// Origin says what of a session there is to read.
type Origin string

const (
	OriginSource Origin = "source" // the transcript that the client wrote
	OriginCopy   Origin = "copy"   // our copy: the transcript was deleted
)
