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
{"type":"assistant","uuid":"11111111-0000-4000-8000-000000000002","parentUuid":"11111111-0000-4000-8000-000000000001","timestamp":"2026-01-02T10:00:05Z","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"Done."}]}}
{"type":"user","uuid":"11111111-0000-4000-8000-000000000003","parentUuid":"11111111-0000-4000-8000-000000000002","timestamp":"2026-01-02T10:01:00Z","message":{"role":"user","content":"Make it fast"}}
{"type":"assistant","uuid":"11111111-0000-4000-8000-000000000004","parentUuid":"11111111-0000-4000-8000-000000000003","timestamp":"2026-01-02T10:01:05Z","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"It is."}]}}
{"type":"user","uuid":"11111111-0000-4000-8000-000000000005","parentUuid":"11111111-0000-4000-8000-000000000002","timestamp":"2026-01-02T10:02:00Z","message":{"role":"user","content":"Make it correct"}}
{"type":"assistant","uuid":"11111111-0000-4000-8000-000000000006","parentUuid":"11111111-0000-4000-8000-000000000005","timestamp":"2026-01-02T10:02:05Z","message":{"id":"m3","role":"assistant","content":[{"type":"text","text":"Now it is."}]}}
`

const exampleFile = "projects/-src-app/aaaaaaaa-0000-4000-8000-000000000001.jsonl"

// exampleHome makes a user's home directory that holds one session.
func exampleHome() string {
	home, err := os.MkdirTemp("", "sesskeep-example-")
	if err != nil {
		log.Fatal(err)
	}
	file := filepath.Join(home, ".claude", filepath.FromSlash(exampleFile))
	err = errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(exampleSession), 0o600))
	if err != nil {
		log.Fatal(err)
	}
	return home
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
	home := exampleHome()
	defer os.RemoveAll(home)
	store, err := sesskeep.Open(filepath.Join(home, ".claude"))
	if err != nil {
		log.Fatal(err)
	}
	var mark homefs.Mark
	read := func() {
		tail, err := store.Tail(exampleFile, mark)
		if err != nil {
			log.Fatal(err)
		}
		defer tail.Close()
		lines := 0
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
