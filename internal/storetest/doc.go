// Package storetest makes homes of Claude Code for tests and benchmarks.
//
// Home writes a small one from txtar text. Make writes a large one from a
// seed: the same seed gives the same bytes, and the returned Corpus holds the
// truth a reader must find in it. Hostile writes one full of damage and malice.
//
// Nothing here reads a home: what a reader of ours believes about the format
// must not leak into what it is tested with.
package storetest
