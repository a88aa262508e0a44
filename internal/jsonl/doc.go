// Package jsonl turns bytes into lines with offsets, and lines into fields.
//
// A [Reader] gives the lines of a file one at a time, each with the place it
// has in the file, so that reading can go on later from where it ended. A line
// the file does not finish is never mixed with the others: [Reader.Rest] shows
// it, and the offset stays at its start.
//
// A [Parser] reads one line from front to back. It accepts exactly what
// encoding/json accepts and decodes strings as encoding/json does, but builds
// nothing: the caller takes the fields it knows and the rest is only checked.
//
// Damage is data here, not an error. What is odd about a line is a set of
// Flaws, and [Salvage] finds the whole records in a line that is not JSON.
package jsonl
