package runs

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/errcode"
	"sesskeep/internal/launch"
	"sesskeep/internal/shelf"
)

// The questions that the model asks a client of somebody else are answered through the
// hook: the answers are in the input of the tool. What does not answer them is refused,
// is not in the journal, and leaves them open.
func TestAnswerHookQuestions(t *testing.T) {
	dir := t.TempDir()
	journal := shelf.New(filepath.Join(dir, "data"), time.Now)
	noted := func() (verbs []string) {
		for a, err := range journal.Journal.Acts() {
			if err != nil {
				t.Fatal(err)
			}
			verbs = append(verbs, a.Verb)
		}
		return verbs
	}
	r := New(Options{Dir: filepath.Join(dir, "runs"), Journal: journal, Client: func() (string, error) { return "", errcode.ErrNoClient }})
	input := `{"questions":[{"question":"Which colour?","options":[{"label":"Red"},{"label":"Blue"}]},{"question":"Which sizes?","multiSelect":true,"options":[{"label":"S"},{"label":"M"}]}]}`
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	out := make(chan []byte, 1)
	go func() {
		out <- r.AnswerHook(ctx, HookQuestion{
			Session: launch.NewID(), Transcript: filepath.Join(dir, "h", "projects", "-w", "s.jsonl"), Dir: dir, Tool: "AskUserQuestion", Input: json.RawMessage(input),
		})
	}()
	var item InboxItem
	for item.ID == "" {
		page, err := r.Inbox(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if page.Total > 0 {
			item = page.Prompts[0]
		}
		time.Sleep(5 * time.Millisecond)
	}
	if len(item.Questions) != 2 || !item.Questions[1].Several {
		t.Fatalf("%+v", item.Questions)
	}
	a := launch.Answer{Prompt: item.ID, Hash: item.Hash, Behavior: launch.Allow}
	if _, err := r.AnswerPrompt(ctx, a, shelf.Actor{}); errcode.OfRun(err) != errcode.Invalid || !strings.Contains(err.Error(), "Which colour?") {
		t.Errorf("without an answer: %v", err)
	}
	if page, err := r.Inbox(ctx); err != nil || page.Total != 1 || len(noted()) > 0 {
		t.Fatalf("after a refused answer: %+v, %v, the journal has %v", page, err, noted())
	}
	a.Answers = map[string]string{"Which colour?": "Blue", "Which sizes?": "S, M"}
	if _, err := r.AnswerPrompt(ctx, a, shelf.Actor{}); err != nil {
		t.Fatal(err)
	}
	var decided struct {
		Out struct {
			Decision struct {
				Behavior launch.Behavior
				Input    struct{ Answers map[string]string } `json:"updatedInput"`
			}
		} `json:"hookSpecificOutput"`
	}
	data := <-out
	if err := json.Unmarshal(data, &decided); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	if d := decided.Out.Decision; d.Behavior != launch.Allow || d.Input.Answers["Which colour?"] != "Blue" || d.Input.Answers["Which sizes?"] != "S, M" {
		t.Errorf("%s", data)
	}
	if strings.Join(noted(), " ") != "inbox allow" {
		t.Errorf("the journal has %v", noted())
	}
}
