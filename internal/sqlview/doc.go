// Package sqlview answers SELECT statements over tables whose rows are made while SQLite
// reads them.
//
// A Table has columns and a function that yields its rows. A Query joins tables, and views
// over them, into a database of its own in memory: it has no file, and nothing that a
// statement does can reach one. Only one statement that begins with SELECT, WITH or VALUES
// is run; it may not name a pragma or load an extension, and its connection can attach nothing.
// A value that is costly to make is [Late]: it is made when SQLite asks for its column.
package sqlview
