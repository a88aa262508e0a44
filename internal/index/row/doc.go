// Package row knows the rows of an index: which of them a filter chooses, in which
// order, and how they are read.
//
// Facts are what one transcript says of itself; the index keeps them as text. The
// Values of a row of the table "row" come from them and from those of other
// transcripts. A Filter turns a question into SQL
// conditions on a row r, an Order into its sorting. A Reader reads the rows of a
// list one after another, whole ones out of their facts and brief ones out of the
// table alone. Labels are what users added to a session; they are joined to its row.
//
// Nothing in here holds a connection, or knows where facts come from.
package row
