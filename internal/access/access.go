// Package access authenticates requests to a server and says what they may do.
//
// Open the Store of a state directory, then Check the token of a request. A token is
// 256 random bits. Only its hash is stored, except for the token of Local, with which
// programs of the same user reach the server. Several processes may use one
// directory: the next Check notices a token that another process created or revoked.
//
// Codes are for clients that have no token yet, or cannot send one: each is valid for
// one use and for a short time, and exists only in memory.
package access

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Role says what a token allows. Each role includes the ones before it.
type Role string

// The roles.
const (
	Read    Role = "read"    // read everything
	Approve Role = "approve" // answer what running sessions ask
	Manage  Role = "manage"  // rename, tag, archive, trash, restore
	Operate Role = "operate" // start sessions, change settings, purge, create tokens
)

// Roles returns all roles, the least powerful first.
func Roles() []Role { return []Role{Read, Approve, Manage, Operate} }

// ErrRole means that a text is not the name of a role.
var ErrRole = errors.New("no such role")

// ParseRole parses the name of a role.
func ParseRole(text string) (Role, error) {
	if r := Role(text); slices.Contains(Roles(), r) {
		return r, nil
	}
	names := make([]string, len(Roles()))
	for i, r := range Roles() {
		names[i] = string(r)
	}
	return "", fmt.Errorf("%w: %q; the roles are %s", ErrRole, text, strings.Join(names, ", "))
}

// Allows reports whether a role includes another one. The empty role allows nothing.
func (r Role) Allows(needed Role) bool {
	have, need := slices.Index(Roles(), r), slices.Index(Roles(), needed)
	return have >= 0 && need >= 0 && have >= need
}
