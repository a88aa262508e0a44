// Package sesskeep reads the session transcripts that Claude Code stores on disk.
//
// Call [Open] with a home of the client, normally ~/.claude ([Roots] finds it). Then:
//
//   - [Store.Sessions] lists the sessions, and [Store.Find] those whose id starts with a text;
//   - [Store.Digest] reads the facts of a transcript that a list shows: title, times, models, usage;
//   - [Store.Read] reads a transcript with its turns and conversations;
//   - [Store.Entries] yields its lines one by one, and [Decode] reads a line from anywhere;
//   - [Store.Tail] continues where an earlier reading stopped;
//   - [Store.Family] lists the sub-agents and other files of a session.
//
// A home holds projects, and a project holds sessions. A session is one main transcript; with the
// transcripts of its sub-agents and its tool results it is a [Family]. A transcript is a file of
// lines. An [Entry] is a decoded line, and keeps its Raw bytes. The [Tree] of a [Transcript] groups
// the entries into turns and conversations: a session has several conversations if prompts were
// edited or retried. A [Digest] folds the same lines into facts, and a [homefs.Mark] records how
// far a file was read.
//
// An unknown kind of entry is a value, not an error. Damage is a [Problem] in the result and never
// stops the reading. Files that hold secrets are never opened.
//
// The package uses only the standard library, starts no goroutine, writes nothing and reads no
// environment variable: the world comes in as arguments. Several goroutines can
// use a Store and a Transcript at the same time; a Tail belongs to one.
//
// Package claudehome reads what else a home holds: prompts that were typed, the registry of running
// clients, commands, plans, todos. Package homefs is how files of a home are opened.
//
// # Compatibility
//
// Names and the meaning of fields stay within a major version. The client changes its files with
// every release, so new constants, fields and kinds of problems can appear in any version: treat
// what you do not know as you would an unknown entry, and do not compare structs as wholes. The
// JSON of Digest and Mark is for a cache that can be rebuilt; it may change with any version. Packages
// below internal may change at any time.
package sesskeep
