//go:build !linux

package api

import "net/http"

// fromOtherUser reports false where the system does not report the user of a connection.
func fromOtherUser(*http.Request) bool { return false }
