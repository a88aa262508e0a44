package settings

import (
	"fmt"
	"strings"
)

// Hooks is a set of hooks that come and go together: for each of some events one
// that runs the same command.
type Hooks struct {
	Events []string
	verb   string // what the command says after "hook"
	// seconds is when the client gives up on it.
	seconds int
	// waits says that the client goes on only when the hook is done.
	waits bool
}

// Reports are hooks that report what happens: a session that starts, ends, gets a
// prompt, has answered it, or waits for somebody. They take milliseconds.
var Reports = Hooks{
	Events: []string{"PermissionRequest", "Notification", "Stop", "SessionStart", "SessionEnd", "UserPromptSubmit"},
	verb:   "report", seconds: 5,
}

// Keeps are hooks that copy a session when it ends, and before it is compacted:
// after that it would be late.
var Keeps = Hooks{Events: []string{"SessionEnd", "PreCompact"}, verb: "keep", seconds: 60, waits: true}

// Asks are hooks that let others answer for the user at the terminal. Whoever is
// first counts: the client shows its own dialog meanwhile.
var Asks = Hooks{Events: []string{"PermissionRequest"}, verb: "ask", seconds: 900, waits: true}

// group is what is added to an event. No matcher means every tool, source or
// reason.
func (h Hooks) group(event, command string) object {
	handler := object{{"type", "command"}, {"command", command}, {"timeout", h.seconds}}
	if event != "SessionEnd" && !h.waits { // whoever ends waits for no background work
		handler = append(handler, pair{"async", true})
	}
	return object{{"hooks", list{handler}}}
}

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
		d, err := parse(text)
		if err != nil {
			return nil, err
		}
		if text, err = d.withHook(h, event, command); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// withHook is the text with our hook for one event.
func (d *document) withHook(h Hooks, event, command string) ([]byte, error) {
	hooks := d.root.member("hooks")
	if hooks == nil {
		return d.insert(&d.root, "hooks", object{{event, list{h.group(event, command)}}}), nil
	}
	if hooks.kind != '{' {
		return nil, fmt.Errorf("\"hooks\" is not an object, at %s; fix it first", place(d.text, hooks.start))
	}
	groups := hooks.member(event)
	if groups == nil {
		return d.insert(hooks, event, list{h.group(event, command)}), nil
	}
	if groups.kind != '[' {
		return nil, fmt.Errorf("hooks for %q are not a list, at %s; fix it first", event, place(d.text, groups.start))
	}
	found := d.handlers(groups, h.isOurs)
	if len(found) == 0 && len(d.handlers(groups, h.runs)) == 0 {
		return d.insert(groups, "", h.group(event, command)), nil
	}
	// From the end, so that the places before stay where they are.
	text := d.text
	for i := len(found) - 1; i >= 0; i-- {
		if strings.TrimSpace(d.string(found[i].command)) != command {
			text = (&document{text: text}).replace(found[i].command, command)
		}
	}
	return text, nil
}

// handler is one of our hooks: where it stands in its group, and the group in
// its event.
type handler struct {
	group, at int
	command   *node
}

// handlers finds the hooks for an event whose command is wanted.
func (d *document) handlers(groups *node, wanted func(command string) bool) []handler {
	if groups == nil || groups.kind != '[' {
		return nil
	}
	var found []handler
	for g := range groups.kids {
		hooks := groups.kids[g].member("hooks")
		if hooks == nil || hooks.kind != '[' {
			continue
		}
		for i := range hooks.kids {
			if c := hooks.kids[i].member("command"); c != nil && wanted(d.string(c)) {
				found = append(found, handler{g, i, c})
			}
		}
	}
	return found
}

// In reports whether a text has some of the hooks.
func (h Hooks) In(text []byte) bool {
	d, err := parse(text)
	if err != nil {
		return false
	}
	hooks := d.root.member("hooks")
	for _, at := range hooks.members() {
		if len(d.handlers(&hooks.kids[at].node, h.isOurs)) > 0 {
			return true
		}
	}
	return false
}

// members gives the place of every member by its key; of several with one key the
// last counts.
func (n *node) members() map[string]int {
	places := map[string]int{}
	if n == nil || n.kind != '{' {
		return places
	}
	for i := range n.kids {
		places[n.kids[i].key] = i
	}
	return places
}

// Origin is what the file was before our hooks came in.
type Origin struct {
	Text []byte // nil: not known, or there was no file
	Made bool   // there was no file
}

// Remove takes the hooks out of a text, and what is empty then. What was
// empty before they came in may be empty again. The result is nil where there was
// no file and nothing of others is in it.
func (h Hooks) Remove(text []byte, before Origin) ([]byte, error) {
	if blank(text) {
		return text, nil
	}
	var was *document
	if before.Text != nil {
		was, _ = parse(before.Text)
	}
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	text = d.apply(d.without(h, was))
	if d, err = parse(text); err == nil && before.Made && len(d.root.kids) == 0 {
		return nil, nil
	}
	return text, err
}

// without finds the cuts that take hooks out, with every container that held
// nothing else.
func (d *document) without(h Hooks, was *document) []cut {
	var cuts []cut
	hooks := d.root.member("hooks")
	empty := map[int]bool{} // events that hold nothing any more
	before := was.at("hooks")
	old := before.members()
	for event, at := range hooks.members() {
		groups := &hooks.kids[at].node
		gone, inner := d.ourGroups(h, groups)
		cuts = append(cuts, inner...)
		if len(gone) == 0 {
			continue
		}
		var then *node
		if i, ok := old[event]; ok {
			then = &before.kids[i].node
		}
		if inside, had := was.inside(then); len(gone) < len(groups.kids) || had {
			cuts = append(cuts, d.remove(groups, gone, inside)...)
		} else {
			empty[at] = true
		}
	}
	if len(empty) == 0 {
		return cuts
	}
	if inside, had := was.inside(before); len(empty) < len(hooks.kids) || had {
		return append(cuts, d.remove(hooks, empty, inside)...)
	}
	return append(cuts, d.remove(&d.root, map[int]bool{d.root.index("hooks"): true}, was.rootInside())...)
}

// ourGroups finds the groups of an event that hold only hooks of ours, and the
// cuts for the others.
func (d *document) ourGroups(h Hooks, groups *node) (gone map[int]bool, cuts []cut) {
	ours := map[int]map[int]bool{}
	for _, found := range d.handlers(groups, h.isOurs) {
		if ours[found.group] == nil {
			ours[found.group] = map[int]bool{}
		}
		ours[found.group][found.at] = true
	}
	gone = map[int]bool{}
	for g, at := range ours {
		if handlers := groups.kids[g].member("hooks"); len(at) < len(handlers.kids) {
			cuts = append(cuts, d.remove(handlers, at, nil)...)
		} else {
			gone[g] = true
		}
	}
	return gone, cuts
}

// index is the place of the member that counts for a key.
func (n *node) index(key string) int {
	for i := len(n.kids) - 1; i >= 0; i-- {
		if n.kids[i].key == key {
			return i
		}
	}
	return -1
}

// at is the value of a top-level key, nil if there is none; the document may be
// nil.
func (d *document) at(key string) *node {
	if d == nil {
		return nil
	}
	return d.root.member(key)
}

// inside is the white space in a container that holds nothing else, and whether
// there is a container at all.
func (d *document) inside(n *node) (white []byte, had bool) {
	if n == nil || n.kind != '{' && n.kind != '[' {
		return nil, false
	}
	if len(n.kids) > 0 {
		return nil, true
	}
	return d.text[n.start+1 : n.end-1], true
}

func (d *document) rootInside() []byte {
	if d == nil {
		return nil
	}
	white, _ := d.inside(&d.root)
	return white
}
