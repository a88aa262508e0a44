// Package jsonl turns bytes into lines with offsets, and lines into fields.
//
// A [Reader] returns the lines of a file one at a time, each with its position in the
// file, so that reading can continue there later. An unfinished last line is never
// mixed with the others: [Reader.Rest] returns it, and the offset stays at its start.
//
// A [Parser] reads one line from front to back. It accepts exactly what
// encoding/json accepts and decodes strings as encoding/json does, but builds
// nothing: the caller reads the fields it knows and the rest is only checked.
//
// Damage is data here, not an error. Irregularities of a line are a set of
// Flaws, and [Salvage] finds the whole records in a line that is not JSON.
package jsonl
