// Package db is the SQLite file of an index: opened by any number of processes,
// written by one at a time, and thrown away when it is damaged, because everything in
// it comes from somewhere else.
//
// View gives a read transaction, Write runs a write transaction under the write lock.
// Readers never wait. A seal is a small file beside the database that says how its
// files look when only this package has written them; it makes opening a database of
// any size cheap. Folding is writing SQLite's log into the database. A database that
// does not fit its seal, or in which a statement meets damage, is recreated empty:
// Hooks notify the packages that fill it, and WithRepair runs their work again.
//
// Nothing in here knows what the tables mean, except for schema.go, which has them
// all, and the table "change_counter", whose number grows with every commit.
package db
