package main

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// edit puts text into a file; %d in it is the number of the refusal.
type edit struct {
	offset int
	text   string
}

// kept is what the rewritten packages ask whether a refusal is there.
//
//go:embed kept.txt
var kept string

// rewrite makes the refusals of a file removable. No line moves.
func rewrite(source []byte, list []*refusal) []byte {
	type numbered struct {
		edit
		id int
	}
	var edits []numbered
	for _, r := range list {
		for _, e := range r.edits {
			edits = append(edits, numbered{e, r.id})
		}
	}
	slices.SortStableFunc(edits, func(a, b numbered) int { return cmp.Compare(a.offset, b.offset) })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(out, source[at:e.offset]...)
		out = append(out, strings.ReplaceAll(e.text, "%d", fmt.Sprint(e.id))...)
		at = e.offset
	}
	return append(out, source[at:]...)
}

// overlay writes the rewritten files below dir, and the list of them that "go build"
// takes; it gives its name.
func overlay(root, dir string, list []*refusal) (string, error) {
	replace := map[string]string{}
	add := func(path string, text []byte) error {
		file := filepath.Join(dir, strings.ReplaceAll(path, "/", "_"))
		replace[filepath.Join(root, path)] = file
		return os.WriteFile(file, text, 0o600)
	}
	files := map[string][]*refusal{}
	for _, r := range list {
		files[r.file] = append(files[r.file], r)
	}
	for path, of := range files {
		source, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			return "", err
		}
		folder := filepath.Dir(path)
		helper := strings.Replace(kept, "package kept", "package "+filepath.Base(folder), 1)
		if err := add(path, rewrite(source, of)); err != nil {
			return "", err
		}
		if err := add(folder+"/refusal_kept.go", []byte(helper)); err != nil {
			return "", err
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, data, 0o600)
}
