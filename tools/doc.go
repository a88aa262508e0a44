// Package tools pins the linters, so that the project's own go.mod never lists
// them. They run as "go tool -modfile=tools/go.mod NAME".
package tools
