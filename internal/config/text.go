package config

import (
	"fmt"
	"strconv"
	"strings"
)

// Template returns the file that a user begins with: every key, as a comment.
func Template() string {
	var b strings.Builder
	b.WriteString("# What sesskeep does by default. The environment wins over this file, and flags win over both.\n" +
		"# Remove the # in front of what you want to set; docs/config.md explains the keys.\n")
	table := ""
	for i := range Keys {
		k := &Keys[i]
		head, name, ok := strings.Cut(k.Name, ".")
		if !ok {
			name, head = head, ""
		}
		b.WriteByte('\n')
		if head != table { // what has none stands first
			table = head
			fmt.Fprintf(&b, "[%s]\n", table)
		}
		fmt.Fprintf(&b, "# %s\n", k.Help)
		for _, line := range k.example(name) {
			fmt.Fprintf(&b, "# %s\n", line)
		}
	}
	return b.String()
}

// example is how the file sets the key, a line for each name of a table.
func (k *Key) example(name string) []string {
	if k.CheckName == nil {
		return []string{name + " = " + k.Example}
	}
	var lines []string
	inner := strings.Trim(k.Example, "{}")
	for inner != "" {
		end := len(inner)
		if i := strings.Index(inner, "], "); i >= 0 {
			end = i + 1
		}
		lines = append(lines, inner[:end])
		inner = strings.TrimPrefix(strings.TrimPrefix(inner[end:], ","), " ")
	}
	return lines
}

// Markdown returns the table of keys for the documentation.
func Markdown() string {
	var b strings.Builder
	b.WriteString("| key | value | default | what it does | wins over it |\n|---|---|---|---|---|\n")
	for i := range Keys {
		k := &Keys[i]
		name := strings.ReplaceAll(k.Name, ".*", ".NAME")
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s For example `%s`. | %s |\n", name, k.values(), code(k.Default), k.Help, k.assignment(), k.winners())
	}
	return b.String()
}

// assignment is the example as a line at the top of a file.
func (k *Key) assignment() string {
	return strings.TrimSuffix(k.Name, ".*") + " = " + k.Example
}

// values says what the key takes.
func (k *Key) values() string {
	if k.Words == nil || len(k.Words) > 20 {
		return k.Kind.Type()
	}
	text := ""
	if k.Kind == Texts {
		text = "list of "
	}
	return text + "`" + strings.Join(k.Words, "`, `") + "`"
}

// winners says what wins over the file, the last one over all.
func (k *Key) winners() string {
	var list []string
	for _, name := range k.Env {
		list = append(list, code(name))
	}
	if k.Flag != "" {
		list = append(list, code("--"+k.Flag))
	}
	return strings.Join(list, ", ")
}

func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

// Actions returns the table of the actions of the interface for the documentation.
func Actions() string {
	var b strings.Builder
	b.WriteString("| name | usual keys | what it does |\n|---|---|---|\n")
	for _, a := range usualBindings {
		fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", ActionName(a.Action), strings.Join(a.Keys, "`, `"), a.Text)
	}
	return b.String()
}

// Written is the value as a file writes it.
func (v Value) Written() string {
	switch v.Key.Kind {
	case Number, Amount, YesNo:
		return v.Text()
	case Texts:
		quoted := make([]string, len(v.Texts))
		for i, text := range v.Texts {
			quoted[i] = strconv.Quote(text)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	return strconv.Quote(v.Text())
}
