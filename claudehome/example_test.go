package claudehome_test

import (
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"sesskeep/claudehome"
	"sesskeep/homefs"
)

const exampleHistory = `{"display":"write a parser","timestamp":1767348000000,"project":"/src/app","sessionId":"aaaaaaaa-0000-4000-8000-000000000001"}
{"display":"/clear","timestamp":1767348060000,"project":"/src/app","sessionId":"aaaaaaaa-0000-4000-8000-000000000001"}
{"display":"Parse dates too","timestamp":1767348120000,"project":"/src/app","sessionId":"aaaaaaaa-0000-4000-8000-000000000001"}
`

// Search what was typed, newest first.
func ExampleReadHistory() {
	home, err := os.MkdirTemp("", "claudehome-example-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(home)
	err = os.WriteFile(filepath.Join(home, "history.jsonl"), []byte(exampleHistory), 0o600)
	files, openErr := homefs.Open(home)
	if err := errors.Join(err, openErr); err != nil {
		log.Fatal(err)
	}
	history, problems, err := claudehome.ReadHistory(files)
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range history.Search(claudehome.HistoryQuery{Text: "parse"}) {
		fmt.Println(e.Project, e.Display)
	}
	fmt.Println(len(problems), "problems")
	// Output:
	// /src/app Parse dates too
	// /src/app write a parser
	// 0 problems
}
