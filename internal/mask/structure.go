package mask

import (
	"bytes"

	"sesskeep/internal/jsonedit"
)

// structure are the fields by which programs find their way in a transcript. A word that a
// user wants hidden may stand there by chance.
var structure = map[string]bool{
	"uuid": true, "parentUuid": true, "logicalParentUuid": true, "leafUuid": true, "sessionId": true, "agentId": true, "promptId": true,
	"requestId": true, "messageId": true, "id": true, "tool_use_id": true, "toolUseID": true, "parentToolUseID": true,
	"sourceToolAssistantUUID": true, "type": true, "subtype": true, "role": true, "name": true, "model": true, "signature": true,
	"timestamp": true, "version": true, "cwd": true, "project": true, "userType": true, "entrypoint": true, "operation": true, "hash": true,
}

// withStructure restores the structural fields of an edited line from the original.
func withStructure(was, edited []byte) []byte {
	before, err := jsonedit.Parse(was)
	if err != nil {
		return edited
	}
	after, err := jsonedit.Parse(edited)
	if err != nil {
		return edited
	}
	return after.Apply(restored(before, after, before.Root, after.Root, 0)...)
}

// restored returns the edits that restore the structural fields of a record, of its message and of the
// blocks in it.
func restored(before, after *jsonedit.Document, was, is *jsonedit.Node, depth int) (edits []jsonedit.Edit) {
	if depth > 3 || !is.IsObject() && !is.IsList() {
		return nil
	}
	old, items := was.Items(), is.Items()
	if len(old) != len(items) {
		return nil
	}
	for i, item := range items {
		switch {
		case !item.Value.IsString():
			if is.IsList() || item.Key == "message" || item.Key == "content" {
				edits = append(edits, restored(before, after, old[i].Value, item.Value, depth+1)...)
			}
		case structure[old[i].Key] && after.String(item.Value) != before.String(old[i].Value):
			edits = append(edits, after.Replace(item.Value, before.String(old[i].Value)))
		}
	}
	return edits
}

// withoutThinking removes signed thinking from a line, and returns how many blocks it removed. The
// record stays, even if it is empty then: other records name it as their parent, and it has the
// usage of the message.
func withoutThinking(line []byte) (without []byte, n int) {
	if !bytes.Contains(line, []byte(`thinking"`)) {
		return line, 0
	}
	d, err := jsonedit.Parse(line)
	if err != nil {
		return line, 0
	}
	content := d.Root.Member("message").Member("content")
	if !content.IsList() {
		return line, 0
	}
	gone := map[int]bool{}
	for i, item := range content.Items() {
		if kind := item.Value.Member("type"); kind.IsString() && (d.String(kind) == "thinking" || d.String(kind) == "redacted_thinking") {
			gone[i] = true
		}
	}
	if len(gone) == 0 {
		return line, 0
	}
	return d.Apply(d.Remove(content, gone, nil)...), len(gone)
}
