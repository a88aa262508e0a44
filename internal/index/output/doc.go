// Package output reads the outputs of tools that were too large for their lines: each
// lies in a file of its own, projects/<dir>/<session>/tool-results/<name>, and a line
// of a transcript names it.
//
// An output can be of any size, so it is read in windows that overlap.
package output
