package settings

import "sesskeep/internal/jsonedit"

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
	was := &jsonedit.Document{}
	if before.Text != nil {
		if d, err := jsonedit.ParseObject(before.Text); err == nil {
			was = d
		}
	}
	d, err := jsonedit.ParseObject(text)
	if err != nil {
		return nil, err
	}
	text = d.Apply(h.removed(d, was)...)
	if d, err = jsonedit.ParseObject(text); err == nil && before.Made && len(d.Root.Items()) == 0 {
		return nil, nil
	}
	return text, err
}

// removed finds the edits that take hooks out, with every container that held
// nothing else. was is the document before they came in.
func (h Hooks) removed(d, was *jsonedit.Document) []jsonedit.Edit {
	var edits []jsonedit.Edit
	hooks, before := d.Root.Member("hooks"), was.Root.Member("hooks")
	empty := map[int]bool{} // events that hold nothing any more
	old := before.Members()
	for event, at := range hooks.Members() {
		groups := hooks.Items()[at].Value
		gone, inner := h.ourGroups(d, groups)
		edits = append(edits, inner...)
		if len(gone) == 0 {
			continue
		}
		var then *jsonedit.Node
		if i, ok := old[event]; ok {
			then = before.Items()[i].Value
		}
		if inside, had := was.Inside(then); len(gone) < len(groups.Items()) || had {
			edits = append(edits, d.Remove(groups, gone, inside)...)
		} else {
			empty[at] = true
		}
	}
	if len(empty) == 0 {
		return edits
	}
	if inside, had := was.Inside(before); len(empty) < len(hooks.Items()) || had {
		return append(edits, d.Remove(hooks, empty, inside)...)
	}
	inside, _ := was.Inside(was.Root)
	return append(edits, d.Remove(d.Root, map[int]bool{d.Root.Index("hooks"): true}, inside)...)
}

// ourGroups finds the groups of an event that hold only hooks of ours, and the
// edits for the others.
func (h Hooks) ourGroups(d *jsonedit.Document, groups *jsonedit.Node) (gone map[int]bool, edits []jsonedit.Edit) {
	ours := map[int]map[int]bool{}
	for _, found := range handlers(d, groups, h.isOurs) {
		if ours[found.group] == nil {
			ours[found.group] = map[int]bool{}
		}
		ours[found.group][found.at] = true
	}
	gone = map[int]bool{}
	for g, at := range ours {
		if hooks := groups.Items()[g].Value.Member("hooks"); len(at) < len(hooks.Items()) {
			edits = append(edits, d.Remove(hooks, at, nil)...)
		} else {
			gone[g] = true
		}
	}
	return gone, edits
}
