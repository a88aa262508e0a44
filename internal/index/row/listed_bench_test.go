package row

import (
	"testing"

	"sesskeep"
)

// BenchmarkFactsReader reads the facts of one session, as a list does for each of its rows.
func BenchmarkFactsReader(b *testing.B) {
	const name = "projects/-w-7/3fef5d4f-5b00-451b-9aff-cdd7d3d1d485.jsonl"
	f := Facts{Cwds: []string{"/w/7"}, Conversation: &KeptConversation{Leaf: "a7"}}
	f.Ref, _ = sesskeep.ParseRef(name)
	r := &f.Row
	r.ID, r.Root, r.Source, r.Started, r.Entrypoint = f.Ref.ID(), "/home/ada/.claude", "user", "person", "cli"
	r.Title, r.LastUserMessage = "Parser", "Please explain how the parser reads half a line"
	r.LastAssistantMessage = "It waits for the rest of the line, and reads it then."
	r.MessageCount, r.PromptCount, r.ConversationCount, r.FileSize = 42, 12, 2, 123_456
	r.Models, r.GitBranch, r.ClientVersion, r.Slug = []string{"claude-opus-4-5"}, "feature/7", "2.1.100", "calm-river-7"
	body := []byte(f.Text())
	var reader FactsReader
	b.ReportAllocs()
	for b.Loop() {
		if _, err := reader.Read(name, body); err != nil {
			b.Fatal(err)
		}
	}
}
