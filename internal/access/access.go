// Package access tells who asks a server, and what they may do.
//
// Open the Store of a state directory, then Check the token that a request
// carries. A token is 256 random bits. Only its hash is kept, but for the one of
// Local, by which the programs of the same user reach the server. Several
// processes may use one directory: a token that another process made or revoked
// is noticed by the next Check.
//
// Codes are for what has no token yet, or cannot send one: each is good for one
// use and for a short time, and never leaves memory.
package access

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Role is what a token allows. Each role includes the ones before it.
type Role string

// The roles.
const (
	Read    Role = "read"    // look at everything
	Approve Role = "approve" // answer what running sessions ask
	Manage  Role = "manage"  // rename, tag, archive, trash, restore
	Operate Role = "operate" // start sessions, change settings, purge, make tokens
)

// Roles are all of them, the smallest first.
func Roles() []Role { return []Role{Read, Approve, Manage, Operate} }

// ErrRole says that a text names no role.
var ErrRole = errors.New("no such role")

// ParseRole reads the name of a role.
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

// Allows reports whether whoever has the role may do what needs another one. No
// role allows nothing.
func (r Role) Allows(needed Role) bool {
	have, need := slices.Index(Roles(), r), slices.Index(Roles(), needed)
	return have >= 0 && need >= 0 && have >= need
}
