// Package index answers at once over tens of thousands of transcripts.
//
// An Index is a SQLite file that may be thrown away at any moment: everything
// in it comes from the homes. Walk compares all of a home with it, Absorb takes in
// what somebody saw change; both end in the same place. It holds a Row a
// transcript, the usage of every message, and filters that tell which parts of
// which files can hold a string. What depends on several files (projects, forks,
// titles, who counts a message) is derived from what each of them says, so that
// the order in which files come and go cannot matter.
//
// Files are read on all processors and without a lock; each batch is written in a
// turn of its own, as far as no other process has done so. A killed process loses
// its last batch. Readers never wait. A damaged file is noticed when it is opened,
// or when a query stumbles over it, and built anew.
package index
