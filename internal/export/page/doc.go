// Package page has the pieces of a document in HTML: Markdown, code, diffs, and what stands
// around them.
//
// Every function appends to a byte slice, as those of strconv do. What comes from a transcript
// is escaped, so that no markup in it becomes markup of the page. A page loads nothing,
// from the network or elsewhere, and its Content-Security-Policy names the one style sheet and
// the one script it has by their hashes. It can be read without the script.
package page
