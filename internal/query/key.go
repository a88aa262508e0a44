package query

import (
	"slices"
	"strings"
)

// Key names what a filter is about.
type Key string

const (
	Project  Key = "project"
	Session  Key = "session"
	Branch   Key = "branch"
	Model    Key = "model"
	Tool     Key = "tool"
	File     Key = "file"
	Did      Key = "did"
	PR       Key = "pr"
	Role     Key = "role"
	Is       Key = "is"
	Has      Key = "has"
	Tag      Key = "tag"
	Source   Key = "source"
	Started  Key = "started"
	State    Key = "state"
	Archived Key = "archived"
	Parent   Key = "parent"
	Size     Key = "size"
	Before   Key = "before"
	After    Key = "after"
)

// KeyInfo describes a key to users.
type KeyInfo struct {
	Key     Key
	Help    string
	Example string
	Values  []string // the accepted words; nil: any text, a size or a time
}

// Keys lists every key in the order to show them. The caller may change the
// slice but not the Values.
func Keys() []KeyInfo { return slices.Clone(keys) }

var keys = []KeyInfo{
	{Project, "in this project: name, path or part of it", `project:my-app`, nil},
	{Session, "in this session: id or the beginning of it", `session:3987`, nil},
	{Branch, "on this git branch", `branch:feat/watch`, nil},
	{Model, "answered by this model", `model:opus`, nil},
	{Tool, "in a call of this tool", `tool:Bash`, nil},
	{File, "about a file with this in its path", `file:parser.go`, nil},
	{Did, "in a call that does this to a file", `did:edit,write`, []string{"edit", "write", "read"}},
	{PR, "linked to this pull request: its number or part of its address", `pr:123`, nil},
	{Role, "said by", `role:user,assistant`, []string{"user", "assistant", "thinking", "tool", "system", "title"}},
	{Is, "what it is", `is:error`, []string{"error", "agent", "helper", "compacted", "forked", "starred"}},
	{Has, "what is in it", `has:image`, []string{"image", "thinking", "diff", "plan", "error", "branches", "agents", "pr", "note"}},
	{Tag, "with this tag, yours or the client's", `tag:later`, nil},
	{Source, "whose session it is; all takes in agents and helpers", `source:all`, []string{"user", "agent", "helper", "all"}},
	{Started, "who began it: prompts typed by a person or sent by a program", `started:person`, []string{"person", "program"}},
	{State, "what it is doing", `state:needs-you`, []string{"working", "needs-you", "your-turn", "idle", "unclean", "ended", "copy-only", "damaged"}},
	{Archived, "archived or not; without it, only what is not", `archived:yes`, []string{"yes", "no"}},
	{Parent, "agents of this session, or forks of it", `parent:3987`, nil},
	{Size, "size of the transcript", `size:>10M`, nil},
	{Before, "before this moment; a day begins at its midnight", `before:2026-11-01`, nil},
	{After, "from this moment on: a date, a time, or how long ago", `after:2d`, nil},
}

// keyOf finds a key by its name, in any case.
func keyOf(name string) (KeyInfo, bool) {
	for _, k := range keys {
		if strings.EqualFold(name, string(k.Key)) {
			return k, true
		}
	}
	return KeyInfo{}, false
}

// nearKey finds the key that a misspelt name probably means. Short keys are similar
// to everything, so they require a closer match.
func nearKey(name string) (Key, bool) {
	name = strings.ToLower(name)
	for _, k := range keys {
		key := string(k.Key)
		switch d := distance(name, key); {
		case d == 1 && len(key) >= 3 && len(name) >= 3,
			d == 2 && len(key) >= 6,
			len(name) >= 3 && strings.HasPrefix(key, name):
			return k.Key, true
		}
	}
	return "", false
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
