package jsonedit

// IsObject reports whether a value is an object.
func (n *Node) IsObject() bool { return n != nil && n.kind == '{' }

// IsList reports whether a value is a list.
func (n *Node) IsList() bool { return n != nil && n.kind == '[' }

// IsString reports whether a value is a string.
func (n *Node) IsString() bool { return n != nil && n.kind == '"' }

// Items returns what an object or a list holds, in the order of the text. An object may
// have several items with one key.
func (n *Node) Items() []Item {
	if n == nil {
		return nil
	}
	return n.items
}

// Member returns the value of a key of an object, nil where there is none. Of several the
// last counts, as it does for the client.
func (n *Node) Member(key string) *Node {
	if i := n.Index(key); i >= 0 {
		return n.items[i].Value
	}
	return nil
}

// Index returns the place of the item that counts for a key of an object, -1 where there
// is none.
func (n *Node) Index(key string) int {
	if !n.IsObject() {
		return -1
	}
	for i := len(n.items) - 1; i >= 0; i-- {
		if n.items[i].Key == key {
			return i
		}
	}
	return -1
}

// Members returns the place of the item that counts for every key of an object.
func (n *Node) Members() map[string]int {
	places := map[string]int{}
	if !n.IsObject() {
		return places
	}
	for i := range n.items {
		places[n.items[i].Key] = i
	}
	return places
}

// String returns the text of a string value, else "".
func (d *Document) String(n *Node) string {
	if !n.IsString() {
		return ""
	}
	return unquote(d.Raw(n))
}

// Raw returns a value as it is written.
func (d *Document) Raw(n *Node) []byte { return d.text[n.start:n.end] }

// Position formats the position of a value for people: line and column.
func (d *Document) Position(n *Node) string { return position(d.text, n.start) }

// Inside returns the white space in a container that holds nothing else, and whether n is
// a container at all.
func (d *Document) Inside(n *Node) (white []byte, container bool) {
	if !n.IsObject() && !n.IsList() {
		return nil, false
	}
	if len(n.items) > 0 {
		return nil, true
	}
	return d.text[n.start+1 : n.end-1], true
}
