package ask

// TextKind says what a string in a transcript is.
type TextKind string

// The kinds of strings. Those come first that say most about the subject of a session.
const (
	TextTitle    TextKind = "title"    // a title or a summary
	TextPrompt   TextKind = "prompt"   // what was sent to the model
	TextAnswer   TextKind = "answer"   // what the model answered
	TextThinking TextKind = "thinking" // what the model thought
	TextInput    TextKind = "input"    // input of a tool
	TextOutput   TextKind = "output"   // output of a tool
	TextNote     TextKind = "note"     // a text that the client put into the conversation
	TextOther    TextKind = "other"    // everything else in a line
)
