package keys

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bind gives actions other keys than the usual ones, for this process: a front calls it
// once, before it reads a key. They win over the same keys of other actions. Ctrl+C
// always quits.
func Bind(changes map[Action][]string) {
	if len(changes) > 0 {
		Table = bound(Table, changes)
	}
}

// bound is a table with the changes. Those stand first, because the page takes the first
// action that it has a use for.
func bound(table []Binding, changes map[Action][]string) []Binding {
	var first, rest []Binding
	for _, b := range table {
		given, ok := changes[b.Action]
		if !ok {
			rest = append(rest, b)
			continue
		}
		b.Keys = slices.Clone(given)
		if b.Action == Quit && !slices.Contains(b.Keys, always) {
			b.Keys = append(b.Keys, always)
		}
		first = append(first, b)
	}
	return append(first, rest...)
}

// always is the key that ends the interface whatever else is changed.
const always = "ctrl+c"

// Conflict says why a key of the changes could never be used: it also begins a sequence
// of two keys. It is empty where it can.
func Conflict(key string, changes map[Action][]string) string {
	if strings.Contains(key, " ") {
		return ""
	}
	for _, b := range bound(Table, changes) {
		for _, k := range b.Keys {
			if first, _, ok := strings.Cut(k, " "); ok && first == key {
				return fmt.Sprintf("%q begins %q, which is the key of %q", key, k, b.Action)
			}
		}
	}
	return ""
}

// named are the keys that are not a character.
var named = []string{
	"enter", "esc", "tab", "space", "backspace", "delete", "insert", "home", "end", "pgup", "pgdown", "up", "down", "left", "right",
	"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12",
}

// CheckKey reports what is wrong with the name of a key, or of two in a row.
func CheckKey(key string) error {
	parts := strings.Split(key, " ")
	if len(parts) > 2 || slices.Contains(parts, "") {
		return fmt.Errorf("has no key %q: write one key, or two with a blank between", key)
	}
	for _, part := range parts {
		switch name := withoutModifiers(part); {
		case part == always:
			return fmt.Errorf("cannot have %s, which always quits", always)
		case utf8.RuneCountInString(name) != 1 && !slices.Contains(named, name):
			return fmt.Errorf(`has no key %q: write a character, "ctrl+x", "f5", "enter" and so on`, part)
		}
	}
	return nil
}

// withoutModifiers is the key that is pressed together with others.
func withoutModifiers(key string) string {
	for _, with := range []string{"ctrl+", "alt+", "shift+"} {
		if rest := strings.TrimPrefix(key, with); rest != "" {
			key = rest
		}
	}
	return key
}
