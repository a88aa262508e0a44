// Package db is what everything that reads or writes an index needs of its database.
package db
