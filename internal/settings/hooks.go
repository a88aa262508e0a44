package settings

import (
	"bytes"
	"fmt"
	"strings"

	"sesskeep/internal/jsonedit"
)

// Hooks is a set of hooks that come and go together: for each of some events one
// that runs the same command.
type Hooks struct {
	Events []string
	verb   string // what the command says after "hook"
	// seconds is when the client gives up on it.
	seconds int
	// waits means that the client waits until the hook is done.
	waits bool
}

// Reports are hooks that report what happens: a session that starts, ends, gets a
// prompt, has answered it, or waits for somebody. They take milliseconds.
//
// Every event is one that client 2.0.76 knows: it runs no hook of a settings file that
// names an event it does not know. So the later events PermissionDenied, StopFailure and
// Elicitation are understood and not installed.
var Reports = Hooks{
	Events: []string{"PermissionRequest", "Notification", "Stop", "SessionStart", "SessionEnd", "UserPromptSubmit", "PostToolUse", "SubagentStop"},
	verb:   "report", seconds: 5,
}

// Keeps are hooks that copy a session when it ends, and before it is compacted:
// after that it would be late.
var Keeps = Hooks{Events: []string{"SessionEnd", "PreCompact"}, verb: "keep", seconds: 60, waits: true}

// Asks are hooks that let others answer for the user at the terminal. The first answer
// counts: the client shows its own dialog meanwhile.
var Asks = Hooks{Events: []string{"PermissionRequest"}, verb: "ask", seconds: 900, waits: true}

// group is what is added to an event. No matcher means every tool, source or
// reason.
func (h Hooks) group(event, command string) jsonedit.Object {
	handler := jsonedit.Object{{Key: "type", Value: "command"}, {Key: "command", Value: command}, {Key: "timeout", Value: h.seconds}}
	if event != "SessionEnd" && !h.waits { // a client that ends waits for no background work
		handler = append(handler, jsonedit.Pair{Key: "async", Value: true})
	}
	return jsonedit.Object{{Key: "hooks", Value: jsonedit.List{handler}}}
}

// blank reports whether a text says nothing, or is none.
func blank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// Add returns the text with our hook for every one of the events, which runs
// command. What is there already stays; hooks of ours that name another program
// get the new command.
func (h Hooks) Add(text []byte, command string) ([]byte, error) {
	if err := h.CheckCommand(command); err != nil {
		return nil, err
	}
	if blank(text) {
		text = []byte("{}\n")
	}
	for _, event := range h.Events {
		d, err := jsonedit.ParseObject(text)
		if err != nil {
			return nil, err
		}
		edits, err := h.added(d, event, command)
		if err != nil {
			return nil, err
		}
		text = d.Apply(edits...)
	}
	return text, nil
}

// added finds the edits that give a document our hook for one event.
func (h Hooks) added(d *jsonedit.Document, event, command string) ([]jsonedit.Edit, error) {
	hooks := d.Root.Member("hooks")
	if hooks == nil {
		first := jsonedit.Object{{Key: event, Value: jsonedit.List{h.group(event, command)}}}
		return []jsonedit.Edit{d.Insert(d.Root, "hooks", first)}, nil
	}
	if !hooks.IsObject() {
		return nil, fmt.Errorf("\"hooks\" is not an object, at %s; fix it first", d.Position(hooks))
	}
	groups := hooks.Member(event)
	if groups == nil {
		return []jsonedit.Edit{d.Insert(hooks, event, jsonedit.List{h.group(event, command)})}, nil
	}
	if !groups.IsList() {
		return nil, fmt.Errorf("hooks for %q are not a list, at %s; fix it first", event, d.Position(groups))
	}
	found := handlers(d, groups, h.isOurs)
	if len(found) == 0 && len(handlers(d, groups, h.runs)) == 0 {
		return []jsonedit.Edit{d.Insert(groups, "", h.group(event, command))}, nil
	}
	var edits []jsonedit.Edit
	for _, f := range found {
		if strings.TrimSpace(d.String(f.command)) != command {
			edits = append(edits, d.Replace(f.command, command))
		}
	}
	return edits, nil
}

// handler is one of our hooks: where it stands in its group, and the group in
// its event.
type handler struct {
	group, at int
	command   *jsonedit.Node
}

// handlers finds the hooks for an event whose command is wanted.
func handlers(d *jsonedit.Document, groups *jsonedit.Node, wanted func(command string) bool) []handler {
	if !groups.IsList() {
		return nil
	}
	var found []handler
	for g, group := range groups.Items() {
		hooks := group.Value.Member("hooks")
		if !hooks.IsList() {
			continue
		}
		for i, hook := range hooks.Items() {
			if c := hook.Value.Member("command"); c != nil && wanted(d.String(c)) {
				found = append(found, handler{g, i, c})
			}
		}
	}
	return found
}

// In reports whether a text has some of the hooks.
func (h Hooks) In(text []byte) bool {
	d, err := jsonedit.ParseObject(text)
	if err != nil {
		return false
	}
	hooks := d.Root.Member("hooks")
	for _, at := range hooks.Members() {
		if len(handlers(d, hooks.Items()[at].Value, h.isOurs)) > 0 {
			return true
		}
	}
	return false
}
