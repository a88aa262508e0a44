// Package sesskeep reads everything Claude Code stores on disk.
//
// A [Store] is one home of the client, normally ~/.claude. It holds Projects;
// a [Project] holds Sessions; a [Session] is one main transcript, and together
// with the transcripts of its sub-agents ([Agent]) and its tool results it is a
// [Family].
//
// A transcript is a file of lines. [Decode] turns a line into an [Entry] and
// keeps its Raw bytes; a kind nobody has seen yet is a value, not an error, and
// damage is a [Problem] in the result, never a reason to stop. [Store.Read]
// gives a whole [Transcript], whose Tree puts the entries into Turns and
// Conversations. A [Digest] folds the same lines into the few facts that lists
// need. A [Mark] remembers how far a file was read, and [Tail] goes on from it.
//
// The package uses the standard library only, starts no goroutine, writes
// nothing and reads no environment variable: the world comes in as arguments.
package sesskeep
