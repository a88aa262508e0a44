// Package lineage finds which session was forked from which.
//
// The chain of a session is its lines that have a uuid, in order; an index keeps it in
// pieces of few bytes a line. A fork begins with a copy of the chain of its original,
// so sessions whose chains begin with the same line are kin, and what lies between and
// behind the lines that they share says which of them is the original.
package lineage
