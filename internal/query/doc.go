// Package query is the search language: it parses what a person types, prints it
// back, and decides whether a line of a transcript matches.
//
//	half line                both words, anywhere in the line
//	"half line"              exactly this text; \" and \\ inside
//	watch OR tail reader     (watch OR tail) and reader
//	/read(String|Line)/      a regular expression (RE2); ^ and $ are line ends
//	-retry -tag:done         without the word, without the tag
//	tool:Bash,Edit           any of the values
//	file:"my notes.md" size:>10M after:2d
//
// [Parse] turns text into a [Q]: text clauses and filters that must all hold.
// A Q is plain data and prints itself: Parse(q.String()) equals q.
//
// # Text
//
// Only (?-i) in a regular expression makes case matter: letters are equal when
// Unicode simple folding makes them so (é É, σ ς Σ, but not ß ss). A word
// is found anywhere, also inside an identifier or between two Chinese
// characters.
//
// Three rules keep pasted text searchable without quotes. A word that starts
// with two dashes is not a negation (--force). A slash starts a regular
// expression only if the next slash ends it at a blank or at the end (/usr/bin
// is a path, /help a word). A key is a key only if it is in [Keys] and is
// followed by neither "//" nor "::" (file:///tmp and model::Name are words).
//
// # Matching
//
// Q.Matcher considers every string value of every line. It works in two steps: a
// Needle finds literals in raw JSON bytes, however they are escaped, and never
// misses one; Matcher.Line decides on the decoded values of the lines that are
// left.
//
// # Cost
//
// A query is at most [MaxBytes] long and has at most [MaxTerms] terms. Searching
// for a needle reads every byte once for each way its anchor can be written
// (mostly one or two) and once for \u escapes, and compares at most 64 characters
// at each candidate. A regular expression runs only over values that contain one
// of its literals, and if it cannot match a line end, only over the lines of the
// value that do; its time is at most proportional to their bytes
// times its program, which has at most [MaxProgram] instructions. One without a
// literal runs over everything at about 30 MB/s: its clause has no needles
// ([Matcher.Needles]), and the caller must set a budget.
package query
