//go:build !unix

package storetest

import "strings"

// allowedName reports whether the file system accepts the name.
func allowedName(name string) bool { return !strings.ContainsAny(name, "\"\n\x1b<>:|?*") }

// special needs a Unix file system.
func (h *hostile) special() {}
