// Package usage answers what messages consumed.
//
// A message can be in several files: forks copy it, and so do copies of a home. An
// election finds the one file in which it counts. The messages of a file that count are
// kept packed, one by one and added up into sums by what decides a price; those that
// were appended since are unpacked until Pack is called. A Tally counts, while a file
// is read, what its digest does not: lines that repeat a message.
//
// A Reporter answers out of an index; Files answer right from the transcripts, by the
// same rules. A Location is the transcript that a message is in.
package usage
