// Command drift runs two builds of sesskeep over a home and prints the sessions
// they do not agree on: another title, other prompts, conversations or usage. It
// is how a change is looked at on real sessions before it is kept.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

func main() {
	before := flag.String("old", "", "the build to compare with")
	after := flag.String("new", "", "the build to look at")
	home := flag.String("home", "", "Claude's home; empty: the usual one")
	flag.Parse()
	n, err := compare(os.Stdout, *before, *after, *home)
	if err != nil {
		fmt.Fprintln(os.Stderr, "drift:", err)
		os.Exit(1)
	}
	if n > 0 {
		os.Exit(7)
	}
}

// fields are what is compared, as "ls --json" names them.
var fields = []string{"title", "promptCount", "conversationCount", "usage"}

// row is what a build says of a session: its fields as JSON.
type row map[string]string

// compare prints a line for every field that differs, and counts the sessions.
func compare(w io.Writer, before, after, home string) (int, error) {
	if before == "" || after == "" {
		return 0, errors.New("name both builds: make drift OLD=… NEW=…")
	}
	was, err := list(before, home)
	if err != nil {
		return 0, err
	}
	is, err := list(after, home)
	if err != nil {
		return 0, err
	}
	out := bufio.NewWriter(w)
	keys := map[string]bool{}
	for _, rows := range []map[string]row{was, is} {
		for key := range rows {
			keys[key] = true
		}
	}
	n := 0
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if lines := differences(was[key], is[key]); len(lines) > 0 {
			n++
			fmt.Fprintf(out, "%s\n  %s\n", key, strings.Join(lines, "\n  "))
		}
	}
	fmt.Fprintf(out, "%d of %d sessions differ\n", n, len(keys))
	return n, out.Flush()
}

func differences(was, is row) (lines []string) {
	switch {
	case was == nil:
		return []string{"only the new build lists it"}
	case is == nil:
		return []string{"only the old build lists it"}
	}
	for _, f := range fields {
		if was[f] != is[f] {
			lines = append(lines, fmt.Sprintf("%s: %s -> %s", f, was[f], is[f]))
		}
	}
	return lines
}

// list asks a build for all sessions and agents, by root, project and id. Its
// index lies in a directory of its own: the other build must not see it.
func list(program, home string) (map[string]row, error) {
	cache, err := os.MkdirTemp("", "drift-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(cache)
	args := []string{"ls", "--all", "--source", "all", "--json"}
	if home != "" {
		args = append(args, "--claude-dir", home)
	}
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+cache)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", program, err)
	}
	return parse(text)
}

func parse(text []byte) (map[string]row, error) {
	var page struct{ Sessions []map[string]json.RawMessage }
	if err := json.Unmarshal(text, &page); err != nil {
		return nil, err
	}
	rows := map[string]row{}
	for _, s := range page.Sessions {
		var id, dir, parent string
		_ = json.Unmarshal(s["id"], &id)
		_ = json.Unmarshal(s["dirName"], &dir)
		_ = json.Unmarshal(s["parentSessionId"], &parent) // sessions have none
		r := row{}
		for _, f := range fields {
			r[f] = plain(s[f])
		}
		rows[strings.Join([]string{dir, parent, id}, "/")] = r
	}
	return rows, nil
}

// plain writes a value so that equal ones are equal texts.
func plain(raw json.RawMessage) string {
	var v any
	if len(raw) == 0 || json.Unmarshal(raw, &v) != nil {
		return "nothing"
	}
	text, err := json.Marshal(v) // which sorts names
	if err != nil {
		return "nothing"
	}
	return string(text)
}
