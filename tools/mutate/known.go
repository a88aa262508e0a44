package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
)

// reasons are why refusals may be removed without a test that misses them, by the
// name of the refusal.
type reasons map[string]string

// readKnown reads the rows of the tables in a Markdown file: a refusal as code, and the
// reason.
func readKnown(file string) (reasons, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	list := reasons{}
	for line := range strings.Lines(string(data)) {
		row, ok := strings.CutPrefix(strings.TrimSpace(line), "| `")
		if !ok {
			continue
		}
		name, reason, ok := strings.Cut(row, "` | ")
		reason = strings.TrimSpace(strings.TrimSuffix(reason, "|"))
		if !ok || reason == "" {
			return nil, fmt.Errorf("%s: a row without a reason: %s", file, line)
		}
		list[strings.ReplaceAll(name, `\|`, "|")] = reason
	}
	return list, err
}

// explain prints what survived without a reason, reasons for what did not survive of
// what was tried, and reasons for refusals that are not among all. It reports whether
// there is none of them.
func (list reasons) explain(out io.Writer, all, tried, survived []*refusal) bool {
	left := map[string]bool{}
	good := true
	for _, r := range survived {
		left[r.name()] = true
		if list[r.name()] == "" {
			good = false
			fmt.Fprintf(out, "survived: %s:%d\n\t| `%s` | |\n", r.file, r.line, strings.ReplaceAll(r.name(), "|", `\|`))
		}
	}
	for _, r := range tried {
		if list[r.name()] != "" && !left[r.name()] {
			good = false
			fmt.Fprintf(out, "listed, and a test misses it: %s\n", r.name())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(list)) {
		if !slices.ContainsFunc(all, func(r *refusal) bool { return r.name() == name }) {
			good = false
			fmt.Fprintf(out, "listed, and there is no such refusal: %s\n", name)
		}
	}
	return good
}
