// Package launch runs the client without a terminal: its arguments, its protocol and
// the state of a run.
//
// A [Spec] says what to run. [Spec.Argv] is the only code that builds arguments: a
// closed list, in which no text of the user can be mistaken for a flag. Prompts go
// through standard input. [Environ] filters the environment that the client gets,
// and [Find] finds its program.
//
// [Decode] decodes a [Line] of the client's output. A [Machine] is the state of one
// run: its caller passes in events (a line, a message, an answer, the time) and
// performs the effects it returns (write, close, kill). It starts nothing, waits for
// nothing and has no clock, so tests can try every order of events.
//
// Permission fails closed. A tool runs only after an [Answer] that names an open
// [Prompt] and the hash of exactly the input that was shown, arrives in time and is
// the first one. In every other case it is denied.
package launch
