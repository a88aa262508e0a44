// Package index answers at once over tens of thousands of transcripts.
//
// An Index is a SQLite file that may be thrown away at any moment: everything in it
// comes from the homes. Walk compares all of a home with it, Absorb reads what a caller
// saw change; both end in the same state. It has a row for each transcript, the usage
// of every message, and filters that show which parts of which files can contain a string.
// What depends on several files (projects, forks, titles, where a message counts) is
// derived from what each of them says, so that the order in which files come and go
// cannot matter.
//
// A folder is a project directory of a home; its listing is how its files looked when a
// walk last saw them. A homeDiff is how a home differs from what the index knows. A job
// is a file to be read; folding it gives a delta, and a batch writes deltas in one
// transaction.
//
// Files are read on all processors and without a lock; each batch is written under the
// write lock, unless another process has already written the same. A killed process
// loses its last batch. Readers never wait. A damaged file is noticed when it is opened
// or when a query meets the damage, and then it is rebuilt.
//
// The packages below do the rest: db is the file; row, block, lineage and output know
// what is kept in it; list, search and usage answer questions. An Index embeds what
// answers, so that it can be asked itself.
package index
