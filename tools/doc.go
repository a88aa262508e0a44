// Package tools pins the linters, so that the project's own go.mod never lists
// them; "make linters" builds them. Beside them lies the outline of SQLite that
// they see.
package tools
