package settings

import (
	"fmt"

	"sesskeep/internal/jsonedit"
)

// serversKey is where a file of the client lists servers of the Model Context Protocol by
// their names, and serverName is the name of ours.
const serversKey, serverName = "mcpServers", "sesskeep"

// AddServer returns the text with our server of the Model Context Protocol, which the client
// starts with a program and its arguments. What is there already stays; an entry of ours
// that says something else is replaced.
func AddServer(text []byte, program string, args []string) ([]byte, error) {
	if blank(text) {
		text = []byte("{}\n")
	}
	d, servers, err := serversIn(text)
	if err != nil {
		return nil, err
	}
	list := jsonedit.List{}
	for _, a := range args {
		list = append(list, a)
	}
	entry := jsonedit.Object{{Key: "type", Value: "stdio"}, {Key: "command", Value: program}, {Key: "args", Value: list}}
	if servers == nil {
		return d.Apply(d.Insert(d.Root, serversKey, jsonedit.Object{{Key: serverName, Value: entry}})), nil
	}
	old := servers.Member(serverName)
	switch {
	case old == nil:
		return d.Apply(d.Insert(servers, serverName, entry)), nil
	case starts(d, old, program, args):
		return text, nil
	}
	without, err := RemoveServer(text)
	if err != nil {
		return nil, err
	}
	return AddServer(without, program, args)
}

// RemoveServer returns the text without our server. A text that has none, or that we cannot
// read, stays.
func RemoveServer(text []byte) ([]byte, error) {
	d, servers, err := serversIn(text)
	if err != nil || servers.Index(serverName) < 0 {
		return text, err
	}
	if len(servers.Items()) == 1 {
		return d.Apply(d.Remove(d.Root, map[int]bool{d.Root.Index(serversKey): true}, nil)...), nil
	}
	return d.Apply(d.Remove(servers, map[int]bool{servers.Index(serverName): true}, nil)...), nil
}

// HasServer reports whether our server is in a text.
func HasServer(text []byte) bool {
	_, servers, err := serversIn(text)
	return err == nil && servers.Member(serverName) != nil
}

// serversIn parses a text and finds its servers; nil: there are none.
func serversIn(text []byte) (*jsonedit.Document, *jsonedit.Node, error) {
	d, err := jsonedit.ParseObject(text)
	if err != nil {
		return nil, nil, err
	}
	servers := d.Root.Member(serversKey)
	if servers != nil && !servers.IsObject() {
		return nil, nil, fmt.Errorf("%q is not an object, at %s; fix it first", serversKey, d.Position(servers))
	}
	return d, servers, nil
}

// starts reports whether an entry starts a program with these arguments.
func starts(d *jsonedit.Document, entry *jsonedit.Node, program string, args []string) bool {
	items := entry.Member("args").Items()
	if d.String(entry.Member("command")) != program || len(items) != len(args) {
		return false
	}
	for i := range items {
		if d.String(items[i].Value) != args[i] {
			return false
		}
	}
	return true
}
