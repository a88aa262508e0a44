package shelf

import (
	"fmt"
	"regexp"
	"strings"

	"sesskeep"
)

// Events are what hooks report: a session that starts, ends, gets a prompt, has
// answered it, or waits for somebody.
var Events = []string{"PermissionRequest", "Notification", "Stop", "SessionStart", "SessionEnd", "UserPromptSubmit"}

// The verbs of hooks.
const (
	installVerb   = "hook install"
	uninstallVerb = "hook uninstall"
)

// hookSeconds is when the client gives up on a hook. Ours takes milliseconds.
const hookSeconds = 5

// Our hooks are known by their command, wherever the program lies. What people
// made of it, with something before or behind, is theirs: it reports too, and is
// neither changed nor taken out.
var (
	oursPattern   = regexp.MustCompile(`^\s*('[^']*sesskeep[^'/]*'|"[^"]*sesskeep[^"/\\]*"|\S*sesskeep[^/\\\s'"]*)\s+hook\s+report\s*$`)
	theirsPattern = regexp.MustCompile(`(^|[/\\\s'"])[^/\\\s'"]*sesskeep[^/\\\s'"]*['"]?\s+hook\s+report($|[\s;&|)'"])`)
)

// group is what is added to an event. No matcher means every tool, source or
// reason.
func group(event, command string) object {
	handler := object{{"type", "command"}, {"command", command}, {"timeout", hookSeconds}}
	if event != "SessionEnd" { // whoever ends waits for no background work
		handler = append(handler, pair{"async", true})
	}
	return object{{"hooks", list{handler}}}
}

// InstallHooks plans to let the client run command at every one of Events. What
// is installed already stays; hooks of ours that name another program get the
// new command.
func InstallHooks(file, command string) (Plan, error) {
	if !oursPattern.MatchString(command) {
		return Plan{}, fmt.Errorf("%s: %q would not be known again: the program must be named sesskeep", installVerb, command)
	}
	p, err := look(installVerb, file)
	if err != nil {
		return p, err
	}
	if p.After, err = withOurs(p.Before, command); err != nil {
		return p, &sesskeep.Error{Op: p.Verb, Name: file, Err: err}
	}
	return p, p.allowed()
}

// withOurs is a text with all of our hooks.
func withOurs(text []byte, command string) ([]byte, error) {
	if blank(text) {
		text = []byte("{}\n")
	}
	for _, event := range Events {
		d, err := parse(text)
		if err != nil {
			return nil, err
		}
		if text, err = d.withHook(event, command); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// withHook is the text with our hook for one event.
func (d *document) withHook(event, command string) ([]byte, error) {
	hooks := d.root.member("hooks")
	if hooks == nil {
		return d.insert(&d.root, "hooks", object{{event, list{group(event, command)}}}), nil
	}
	if hooks.kind != '{' {
		return nil, fmt.Errorf("\"hooks\" is not an object, at %s; mend it first", place(d.text, hooks.start))
	}
	groups := hooks.member(event)
	if groups == nil {
		return d.insert(hooks, event, list{group(event, command)}), nil
	}
	if groups.kind != '[' {
		return nil, fmt.Errorf("hooks for %q are not a list, at %s; mend it first", event, place(d.text, groups.start))
	}
	found := d.handlers(groups, oursPattern)
	if len(found) == 0 && len(d.handlers(groups, theirsPattern)) == 0 {
		return d.insert(groups, "", group(event, command)), nil
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

// handlers finds the hooks for an event whose command matches.
func (d *document) handlers(groups *node, pattern *regexp.Regexp) []handler {
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
			if c := hooks.kids[i].member("command"); pattern.MatchString(d.string(c)) {
				found = append(found, handler{g, i, c})
			}
		}
	}
	return found
}

// UninstallHooks plans to take our hooks out. A file that is as an installation
// left it gets its very bytes back.
func (s *Shelf) UninstallHooks(file string) (Plan, error) {
	p, err := look(uninstallVerb, file)
	if err != nil {
		return p, err
	}
	if blank(p.Before) {
		p.After = p.Before
		return p, nil
	}
	a, before, err := s.installed(p.Path)
	if err != nil {
		return p, err
	}
	if a.ID > 0 && sum(p.Before) == a.After {
		p.After = before
		return p, p.allowed()
	}
	made := a.ID > 0 && a.Before == ""
	if p.After, err = withoutOurs(p.Before, before, made); err != nil {
		return p, &sesskeep.Error{Op: p.Verb, Name: file, Err: err}
	}
	return p, p.allowed()
}

// installed is the act that brought our hooks into a file, with what the file
// was before. Its ID is 0 if the journal does not know of one.
func (s *Shelf) installed(path string) (Act, []byte, error) {
	acts, err := s.Acts()
	if err != nil {
		return Act{}, nil, err
	}
	for _, a := range acts {
		if a.Verb != installVerb || a.State != Done || a.Path != path {
			continue
		}
		// A later one only changed the command of what was there.
		if before, err := s.backup(a); err == nil && !holdsOurs(before) {
			return a, before, nil
		}
	}
	return Act{}, nil, nil
}

// holdsOurs reports whether a text has hooks of ours.
func holdsOurs(text []byte) bool {
	d, err := parse(text)
	if err != nil {
		return false
	}
	hooks := d.root.member("hooks")
	for _, event := range hooks.keys() {
		if len(d.handlers(hooks.member(event), oursPattern)) > 0 {
			return true
		}
	}
	return false
}

func (n *node) keys() []string {
	if n == nil || n.kind != '{' {
		return nil
	}
	keys := make([]string, len(n.kids))
	for i, k := range n.kids {
		keys[i] = k.key
	}
	return keys
}

// withoutOurs takes our hooks out of a text, and what is empty then. Before is
// what the text was when they came in, if that is known: what was empty then
// may be empty again. Made says that there was no file: if nothing of others is
// in it there will be none, and the result is nil.
func withoutOurs(text, before []byte, made bool) ([]byte, error) {
	var was *document
	if before != nil {
		was, _ = parse(before)
	}
	for {
		d, err := parse(text)
		if err != nil {
			return nil, err
		}
		next, found := d.withoutOne(was)
		if !found {
			if made && len(d.root.kids) == 0 {
				return nil, nil
			}
			return text, nil
		}
		text = next
	}
}

// withoutOne takes the first of our hooks out, with every container that held
// nothing else.
func (d *document) withoutOne(was *document) ([]byte, bool) {
	hooks := d.root.member("hooks")
	for _, event := range hooks.keys() {
		groups := hooks.member(event)
		found := d.handlers(groups, oursPattern)
		if len(found) == 0 {
			continue
		}
		h := found[0]
		handlers := groups.kids[h.group].member("hooks")
		if len(handlers.kids) > 1 {
			return d.remove(handlers, h.at, nil), true
		}
		if inside, had := was.inside("hooks", event); len(groups.kids) > 1 || had {
			return d.remove(groups, h.group, inside), true
		}
		if inside, had := was.inside("hooks"); len(hooks.kids) > 1 || had {
			return d.remove(hooks, hooks.index(event), inside), true
		}
		return d.remove(&d.root, d.root.index("hooks"), was.rootInside()), true
	}
	return nil, false
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

// inside is the white space in the container at a path, if a document has that
// container; was may be nil.
func (d *document) inside(keys ...string) (white []byte, had bool) {
	if d == nil {
		return nil, false
	}
	n := &d.root
	for _, key := range keys {
		if n = n.member(key); n == nil {
			return nil, false
		}
	}
	if n.kind != '{' && n.kind != '[' || len(n.kids) > 0 {
		return nil, n.kind == '{' || n.kind == '['
	}
	return d.text[n.start+1 : n.end-1], true
}

func (d *document) rootInside() []byte {
	white, _ := d.inside()
	return white
}
