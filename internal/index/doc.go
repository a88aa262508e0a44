// Package index answers at once over tens of thousands of transcripts.
//
// An Index is a SQLite file that may be thrown away at any moment: everything
// in it comes from the homes, and Refresh brings it up to date with them. It
// holds a Row a transcript, the usage of every message, and filters that tell
// which parts of which files can hold a string. What depends on several files (projects, forks, titles, who counts a
// message) is derived anew for every folder and message that was touched, so
// that the order in which files come and go cannot matter.
//
// Refresh reads files on all processors and writes with one connection, a batch
// a transaction: a killed process loses its last batch and goes on from there.
// Readers never wait. A damaged file is noticed when it is opened, or when a
// query stumbles over it, and built anew.
package index
