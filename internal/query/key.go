package query

import (
	"slices"
	"strings"
)

// Key names what a filter is about.
type Key string

const (
	Project Key = "project"
	Session Key = "session"
	Branch  Key = "branch"
	Model   Key = "model"
	Tool    Key = "tool"
	File    Key = "file"
	Did     Key = "did"
	Commit  Key = "commit"
	PR      Key = "pr"
	Role    Key = "role"
	Is      Key = "is"
	Has     Key = "has"
	Tag     Key = "tag"
	Source  Key = "source"
	Started Key = "started"
	// Entrypoint is how the client was started.
	Entrypoint Key = "entrypoint"
	State      Key = "state"
	Archived   Key = "archived"
	Parent     Key = "parent"
	Size       Key = "size"
	Before     Key = "before"
	After      Key = "after"
)

// KeyInfo describes a key to users.
type KeyInfo struct {
	Key     Key
	Help    string
	Example string
	Values  []string // the words it takes; nil: any text, a range or a time
	Range   bool     // it takes a range of numbers, such as >10M or 1..5
}

// Keys lists every key in the order to show them. The caller may change the
// slice but not the Values.
func Keys() []KeyInfo {
	return slices.DeleteFunc(slices.Clone(keys), func(k KeyInfo) bool { return !k.defined() })
}

// Define adds a key about sessions to the language. Which there are is the business of who
// knows the fields of a session: internal/ask defines them when the program starts, and
// nothing else does.
func Define(k KeyInfo) {
	for i := range keys {
		if keys[i].Key == k.Key {
			keys[i] = k
			return
		}
	}
	keys = append(keys, k)
}

// defined reports whether a key is more than a place in the order.
func (k *KeyInfo) defined() bool { return k.Help != "" }

// keys lists all keys in the order of help: those about lines with their texts, and those
// about sessions by name only, because [Define] fills them in.
var keys = []KeyInfo{
	{Key: Project}, {Key: Session}, {Key: Branch}, {Key: Model},
	{Key: Tool, Help: "in a call of this tool or its result", Example: `tool:Bash`},
	{Key: File, Help: "in a call, a result or an attachment about a file with this in its path", Example: `file:parser.go`},
	{Key: Did, Help: "in a call that does this to a file, or its result", Example: `did:edit,write`, Values: []string{"edit", "write", "read"}},
	{Key: Commit}, {Key: PR},
	{Key: Role, Help: "said by", Example: `role:user,assistant`, Values: []string{"user", "assistant", "thinking", "tool", "system", "title"}},
	{Key: Is, Help: "what it is", Example: `is:error`, Values: []string{"error", "agent", "helper", "compacted", "forked", "starred"}},
	{Key: Has, Help: "what is in it", Example: `has:image`, Values: []string{"image", "thinking", "diff", "plan", "error", "branches", "agents", "commit", "pr", "note"}},
	{Key: Tag}, {Key: Source}, {Key: Started}, {Key: Entrypoint}, {Key: State}, {Key: Archived}, {Key: Parent}, {Key: Size},
	{Key: Before, Help: "before this time; a day begins at its midnight", Example: `before:2026-11-01`},
	{Key: After, Help: "from this time on: a date, a time, or how long ago", Example: `after:2d`},
}

// keyOf finds a key by its name, in any case.
func keyOf(name string) (KeyInfo, bool) {
	for _, k := range keys {
		if k.defined() && strings.EqualFold(name, string(k.Key)) {
			return k, true
		}
	}
	return KeyInfo{}, false
}

// nearKey finds the key that a misspelt name probably means. Short keys are similar
// to everything, so they require a closer match.
func nearKey(name string) (Key, bool) {
	if len(name) < 3 {
		return "", false
	}
	var names []string
	for _, k := range Keys() {
		names = append(names, string(k.Key))
	}
	near, ok := Nearest(name, names)
	return Key(near), ok
}

// Nearest finds the word that a misspelt one probably means, without regard to case.
func Nearest(word string, among []string) (near string, ok bool) {
	word = strings.ToLower(word)
	best := 3
	for _, one := range among {
		name := strings.ToLower(one)
		d := distance(word, name)
		if d > 2 && len(word) >= 3 && strings.HasPrefix(name, word) {
			d = 2
		} else if d == 1 && len(name) < 3 || d == 2 && len(name) < 6 {
			continue
		}
		if d < best {
			near, best, ok = one, d, true
		}
	}
	return near, ok
}

// distance counts the letters to add, drop, change or swap with a neighbour to
// turn a into b. It returns early for texts of very different length.
func distance(a, b string) int {
	if d := len(a) - len(b); d > 2 || d < -2 {
		return 3
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}
