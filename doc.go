// Package sesskeep reads the session transcripts that Claude Code stores on
// disk. Call [Open] with a home of the client, normally ~/.claude, then:
//
//   - [Store.Sessions] lists the sessions, and [Store.Folders] everything that
//     lies in the project directories, with the transcripts of sub-agents;
//   - [Store.Read] reads a transcript whole, with its conversations;
//   - [Store.Digest] reads only the few facts that a list needs;
//   - [Store.Tail] reads on where an earlier reading stopped.
//
// Package sesskeep/claudehome reads the rest of a home.
//
// A home holds projects. A [Project] holds sessions, and a session is one main
// transcript; together with the transcripts of its sub-agents and its tool
// results it is a [Family]. A transcript is a file of lines. [Decode] turns a
// line into an [Entry] and keeps its Raw bytes. The [Tree] of a [Transcript]
// puts the entries into turns and conversations. A [Digest] folds the same
// lines into facts, and a [Mark] remembers how far a file was read.
//
// An unknown kind of entry is a value, not an error. Damage is
// a [Problem] in the result and never stops the reading.
//
// The package uses the standard library only, starts no goroutine, writes
// nothing and reads no environment variable: the world comes in as arguments.
package sesskeep
