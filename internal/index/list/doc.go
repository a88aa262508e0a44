// Package list answers lists of what an index knows: sessions page by page, counts and
// facets of them, projects, conversations, problems.
//
// A page and its counts are read in one view of the database, so that they cannot
// disagree. A cursor continues a list behind a row, whatever changed since; the files
// of the pages before are remembered for a while, so that none comes twice. Counts are
// remembered until the next commit.
package list
