package settings

import (
	"errors"
	"fmt"
	"strings"

	"sesskeep/internal/jsonedit"
)

// statusKey is where the command of the status line stands.
const statusKey = "statusLine"

// WrapStatusLine returns the text with a status line that runs program, which captures
// what the client reports and then runs the user's own command. Without one of the user's
// it draws a line of ours. A status line of ours stays, but for the path of the program.
func WrapStatusLine(text []byte, program string) ([]byte, error) {
	if _, ours := parseStatusCommand(program + statusWords); !ours {
		return nil, fmt.Errorf("%q would not be known again: the program must be named sesskeep", program)
	}
	if blank(text) {
		text = []byte("{}\n")
	}
	d, err := jsonedit.ParseObject(text)
	if err != nil {
		return nil, err
	}
	command, err := statusCommand(d)
	switch {
	case err != nil:
		return nil, err
	case command == nil:
		line := jsonedit.Object{{Key: "type", Value: "command"}, {Key: "command", Value: program + statusWords}}
		return d.Apply(d.Insert(d.Root, statusKey, line)), nil
	}
	inner, ours := parseStatusCommand(d.String(command))
	if !ours {
		inner = d.String(command)
	}
	after := program + statusWords
	if inner != "" {
		after += " --wrap " + shellQuote(inner)
	}
	if after == d.String(command) {
		return text, nil
	}
	return d.Apply(d.Replace(command, after)), nil
}

// UnwrapStatusLine returns the text with the user's own command again, or without a
// status line where that was ours alone. What is not ours stays.
func UnwrapStatusLine(text []byte) ([]byte, error) {
	if blank(text) {
		return text, nil
	}
	d, err := jsonedit.ParseObject(text)
	if err != nil {
		return nil, err
	}
	command, err := statusCommand(d)
	if err != nil || command == nil {
		return text, nil // what we cannot read is not ours
	}
	inner, ours := parseStatusCommand(d.String(command))
	switch {
	case !ours:
		return text, nil
	case inner != "":
		return d.Apply(d.Replace(command, inner)), nil
	}
	inside, _ := d.Inside(d.Root)
	return d.Apply(d.Remove(d.Root, map[int]bool{d.Root.Index(statusKey): true}, inside)...), nil
}

// HasStatusLine reports whether the status line of a text is ours, around one of the
// user's or alone.
func HasStatusLine(text []byte) bool {
	d, err := jsonedit.ParseObject(text)
	if err != nil {
		return false
	}
	command, err := statusCommand(d)
	if err != nil || command == nil {
		return false
	}
	_, ours := parseStatusCommand(d.String(command))
	return ours
}

// statusCommand is the command of the status line; nil: there is none.
func statusCommand(d *jsonedit.Document) (*jsonedit.Node, error) {
	line := d.Root.Member(statusKey)
	if line == nil {
		return nil, nil
	}
	if !line.IsObject() {
		return nil, fmt.Errorf("%q is not an object, at %s; fix it first", statusKey, d.Position(line))
	}
	kind, command := line.Member("type"), line.Member("command")
	if command == nil || !command.IsString() || kind != nil && d.String(kind) != "command" {
		return nil, errors.New("the status line is not a command, so it cannot be wrapped")
	}
	return command, nil
}

// statusWords are what follows the program in a status line of ours.
const statusWords = " usage statusline"

// parseStatusCommand takes a command of ours apart: inner is the user's own, "" where
// there is none.
func parseStatusCommand(command string) (inner string, ours bool) {
	words, ok := plainWords(command)
	if !ok || len(words) < 3 || words[1] != "usage" || words[2] != "statusline" {
		return "", false
	}
	program := words[0]
	if !programPattern().MatchString(program[strings.LastIndexAny(program, `/\`)+1:]) {
		return "", false
	}
	switch {
	case len(words) == 3:
		return "", true
	case len(words) == 5 && words[3] == "--wrap":
		return words[4], true
	}
	return "", false
}

// shellQuote is a text as one word for a shell.
func shellQuote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
