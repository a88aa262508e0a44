// Package launch knows how the client is run without a terminal, and what it says.
//
// A [Spec] says what to run. [Spec.Argv] is the only place where arguments are
// put together: a closed list, with no word of the user's that could be taken for
// a flag. Prompts go through standard input. [Environ] is what the client gets to
// see of the environment, [Find] where its program is.
//
// [Decode] reads what the client writes, a [Line] at a time. A [Machine] is the
// course of one run: it is told what happens (a line, a message, an answer, the
// time) and says what to do about it (write, close, kill). It starts nothing,
// waits for nothing and knows no clock, so every order of events can be tried.
//
// Permission fails closed. The client is told to go on only by an [Answer] that
// names an open [Prompt] and the hash of exactly the input that was shown, comes
// in time and is the first one. Whatever else happens, the tool is denied.
package launch
