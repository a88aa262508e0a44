package sesskeep_test

import (
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"sesskeep"
	"sesskeep/homefs"
)

// exampleSession is a session of two prompts, of which the second was edited:
// it holds two conversations.
const exampleSession = `{"type":"user","uuid":"11111111-0000-4000-8000-000000000001","parentUuid":null,"timestamp":"2026-01-02T10:00:00Z","message":{"role":"user","content":"Write a parser"}}
{"type":"assistant","uuid":"11111111-0000-4000-8000-000000000002","parentUuid":"11111111-0000-4000-8000-000000000001","timestamp":"2026-01-02T10:00:05Z","message":{"id":"m1","role":"assistant","model":"claude-opus-4-5","usage":{"input_tokens":1200,"output_tokens":80},"content":[{"type":"text","text":"Done."}]}}
{"type":"user","uuid":"11111111-0000-4000-8000-000000000003","parentUuid":"11111111-0000-4000-8000-000000000002","timestamp":"2026-01-02T10:01:00Z","message":{"role":"user","content":"Make it fast"}}
{"type":"assistant","uuid":"11111111-0000-4000-8000-000000000004","parentUuid":"11111111-0000-4000-8000-000000000003","timestamp":"2026-01-02T10:01:05Z","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"It is."}]}}
{"type":"user","uuid":"11111111-0000-4000-8000-000000000005","parentUuid":"11111111-0000-4000-8000-000000000002","timestamp":"2026-01-02T10:02:00Z","message":{"role":"user","content":"Make it correct"}}
{"type":"assistant","uuid":"11111111-0000-4000-8000-000000000006","parentUuid":"11111111-0000-4000-8000-000000000005","timestamp":"2026-01-02T10:02:05Z","message":{"id":"m3","role":"assistant","content":[{"type":"text","text":"Now it is."}]}}
`

// exampleAgent is a sub-agent of that session.
const exampleAgent = `{"type":"user","uuid":"22222222-0000-4000-8000-000000000001","parentUuid":null,"isSidechain":true,"agentId":"a1b2","sessionId":"aaaaaaaa-0000-4000-8000-000000000001","timestamp":"2026-01-02T10:00:01Z","message":{"role":"user","content":"Look for grammars"}}
`

const (
	exampleFile      = "projects/-src-app/aaaaaaaa-0000-4000-8000-000000000001.jsonl"
	exampleAgentFile = "projects/-src-app/aaaaaaaa-0000-4000-8000-000000000001/subagents/agent-a1b2.jsonl"
)

// exampleHome makes a user's home directory that holds one session with a sub-agent.
func exampleHome() string {
	home, err := os.MkdirTemp("", "sesskeep-example-")
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range map[string]string{exampleFile: exampleSession, exampleAgentFile: exampleAgent} {
		file := filepath.Join(home, ".claude", filepath.FromSlash(name))
		err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600))
		if err != nil {
			log.Fatal(err)
		}
	}
	return home
}

// exampleStore opens such a home; remove deletes it.
func exampleStore() (store *sesskeep.Store, remove func()) {
	home := exampleHome()
	store, err := sesskeep.Open(filepath.Join(home, ".claude"))
	if err != nil {
		log.Fatal(err)
	}
	return store, func() { os.RemoveAll(home) }
}

// printConversations is the example of the README.
func printConversations(home string) error {
	store, err := sesskeep.Open(filepath.Join(home, ".claude"))
	if err != nil {
		return err
	}
	for session, err := range store.Sessions() {
		if err != nil {
			return err
		}
		transcript, err := store.Read(session.File)
		if err != nil {
			return err
		}
		for _, c := range transcript.Tree.Conversations {
			fmt.Println(c.Kind, c.Prompts, c.Title())
		}
		transcript.Close()
	}
	return nil
}

// List the conversations of all sessions: each branch of each transcript.
func Example() {
	home := exampleHome()
	defer os.RemoveAll(home)
	if err := printConversations(home); err != nil {
		log.Fatal(err)
	}
	// Output:
	// main 2 Make it fast
	// edit 2 Make it correct
}

// Read a transcript, and later only what was appended to it.
func ExampleStore_Tail() {
	store, remove := exampleStore()
	defer remove()
	var mark homefs.Mark
	read := func() {
		tail, err := store.Tail(exampleFile, mark)
		if err != nil {
			log.Fatal(err)
		}
		defer tail.Close()
		var lines int
		for _, ok := tail.Next(); ok; _, ok = tail.Next() {
			lines++
		}
		if mark, err = tail.Mark(); err != nil {
			log.Fatal(err)
		}
		fmt.Println(tail.Change, lines)
	}
	read()
	f, err := os.OpenFile(store.Path(exampleFile), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		log.Fatal(err)
	}
	_, err = f.WriteString(`{"type":"custom-title","customTitle":"The parser"}` + "\n")
	if err := errors.Join(err, f.Close()); err != nil {
		log.Fatal(err)
	}
	read()
	read()
	// Output:
	// grown 6
	// grown 1
	// same 0
}

// List the sessions with a few facts of each.
func ExampleStore_Sessions() {
	store, remove := exampleStore()
	defer remove()
	for session, err := range store.Sessions() {
		if err != nil {
			log.Fatal(err)
		}
		digest, err := store.Digest(session.File)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(digest.LastActive.Format("2006-01-02 15:04"), session.Session, digest.Title())
	}
	// Output:
	// 2026-01-02 10:02 aaaaaaaa-0000-4000-8000-000000000001 Write a parser
}

// Find a session by the start of its id. More than one can have it.
func ExampleStore_Find() {
	store, remove := exampleStore()
	defer remove()
	found, err := store.Find("aaaa")
	if err != nil {
		log.Fatal(err)
	}
	for _, session := range found {
		fmt.Println(session.Dir, session.Session)
	}
	// Output:
	// -src-app aaaaaaaa-0000-4000-8000-000000000001
}

// Read the conversation that Claude Code would resume, turn by turn.
func ExampleStore_Read() {
	store, remove := exampleStore()
	defer remove()
	transcript, err := store.Read(exampleFile)
	if err != nil {
		log.Fatal(err)
	}
	defer transcript.Close()
	tree := transcript.Tree
	for _, turn := range tree.Path(tree.Conversations[tree.Active]) {
		entries, err := transcript.Entries(turn)
		if err != nil {
			log.Fatal(err)
		}
		for _, entry := range entries {
			for _, block := range entry.Blocks() {
				fmt.Printf("%s: %s\n", entry.Kind, block.Text)
			}
		}
	}
	// Output:
	// user: Write a parser
	// assistant: Done.
	// user: Make it correct
	// assistant: Now it is.
}

// Add up the tokens of a session. A message counts once, however many lines repeat it.
func ExampleDigest_Total() {
	store, remove := exampleStore()
	defer remove()
	digest, err := store.Digest(exampleFile)
	if err != nil {
		log.Fatal(err)
	}
	total := digest.Total()
	fmt.Println(total.Input, "in,", total.Output, "out")
	for _, row := range digest.Usage {
		fmt.Println(row.Model, row.Message, row.Usage.Output)
	}
	// Output:
	// 1200 in, 80 out
	// claude-opus-4-5 m1 80
}

// List the sub-agents of a session.
func ExampleStore_Family() {
	store, remove := exampleStore()
	defer remove()
	family, err := store.Family("aaaaaaaa-0000-4000-8000-000000000001")
	if err != nil {
		log.Fatal(err)
	}
	for _, agent := range family.Agents {
		digest, err := store.Digest(agent.File)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(agent.Agent, digest.FirstPrompt())
	}
	// Output:
	// a1b2 Look for grammars
}

// Walk through the lines of a file. The bytes of each are in Raw.
func ExampleStore_Entries() {
	store, remove := exampleStore()
	defer remove()
	for entry, err := range store.Entries(exampleFile) {
		if err != nil {
			log.Fatal(err)
		}
		if entry.IsPrompt() {
			fmt.Println(entry.Line, entry.PromptText(80))
		}
	}
	// Output:
	// 1 Write a parser
	// 3 Make it fast
	// 5 Make it correct
}

// A kind or a field that this version does not know is a value, not an error.
func ExampleDecode() {
	entry, err := sesskeep.Decode([]byte(`{"type":"hologram","uuid":"u1","depth":3}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(entry.Kind, entry.Kind.Known(), entry.Unknown)
	fmt.Printf("%s\n", entry.Raw)
	// Output:
	// hologram false [depth]
	// {"type":"hologram","uuid":"u1","depth":3}
}

// Damage does not stop the reading: it is listed, and the lines around it are read.
func ExampleStore_Digest() {
	store, remove := exampleStore()
	defer remove()
	const name = "projects/-src-app/bbbbbbbb-0000-4000-8000-000000000001.jsonl"
	text := "{\"type\":\"user\"\n" + exampleSession
	if err := os.WriteFile(store.Path(name), []byte(text), 0o600); err != nil {
		log.Fatal(err)
	}
	digest, err := store.Digest(name)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(digest.Title())
	for _, problem := range digest.Problems {
		fmt.Println(problem.Code, "at byte", problem.Offset)
	}
	// Output:
	// Write a parser
	// broken at byte 0
}

// Find the homes of the client, as it does itself.
func ExampleRoots() {
	env := map[string]string{"CLAUDE_CONFIG_DIR": "/home/ada/work"}
	getenv := func(name string) string { return env[name] }
	fmt.Println(sesskeep.Roots(nil, getenv, "/home/ada"))
	// Output:
	// [/home/ada/work]
}
