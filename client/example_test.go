package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"sesskeep/client"
)

// List the sessions of the last two days, from all pages.
func Example() {
	c := client.New("http://127.0.0.1:7717", os.Getenv("SESSKEEP_TOKEN"))
	o := client.ListSessionsOptions{Filter: client.Filter{Since: time.Now().Add(-48 * time.Hour).Format(time.RFC3339)}}
	for s, err := range c.Sessions(context.Background(), "", o) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(s.ID, s.Title, s.MessageCount)
	}
}

// Connect to the server of the same user without a token.
func ExampleLocal() {
	c := client.Local(filepath.Join(os.Getenv("HOME"), ".local/state/sesskeep/serve.sock"))
	health, err := c.Health(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(health.Status)
}

// Search one project; an empty project searches all.
func ExampleClient_Search() {
	c := client.New("http://127.0.0.1:7717", os.Getenv("SESSKEEP_TOKEN"))
	found, err := c.Search(context.Background(), "shop-api", client.SearchOptions{Q: `"rate limit" tool:Bash`})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range found.Results {
		fmt.Println(r.SessionID, r.Session.Title, r.HitCount)
	}
}

// Remove the star from every session with a tag.
func ExampleClient_Bulk() {
	c := client.New("http://127.0.0.1:7717", os.Getenv("SESSKEEP_TOKEN"))
	starred := false
	done, err := c.Bulk(context.Background(), "", client.BulkRequest{
		Filter:    &client.BulkFilter{Tag: "done"},
		Operation: client.Operation{Action: client.BulkActionUpdate, Starred: &starred},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(done.Success), "changed,", len(done.Failed), "failed")
}

// Copy everything that is not kept yet, in the background of the server.
func ExampleClient_Wait() {
	ctx := context.Background()
	c := client.New("http://127.0.0.1:7717", os.Getenv("SESSKEEP_TOKEN"))
	job, err := c.KeepNowJob(ctx, client.KeepNowOptions{})
	if err == nil {
		job, err = c.Wait(ctx, job)
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(job.State, string(job.Result))
}

// Print which sessions and runs need an answer.
func ExampleClient_Follow() {
	c := client.New("http://127.0.0.1:7717", os.Getenv("SESSKEEP_TOKEN"))
	for event, err := range c.Follow(context.Background(), "", client.EventsOptions{Lines: "false"}) {
		if err != nil {
			log.Fatal(err)
		}
		switch event.Kind {
		case client.EventKindState:
			if event.State.Word == client.SessionStateNeedsYou {
				fmt.Println(event.SessionID, "needs you")
			}
		case client.EventKindInbox:
			fmt.Println(event.Inbox.Total, "open questions")
		}
	}
}

// Allow the tool call that the first open question asks about.
func ExampleClient_AnswerPrompt() {
	ctx := context.Background()
	c := client.New("http://127.0.0.1:7717", os.Getenv("SESSKEEP_TOKEN"))
	inbox, err := c.ListInbox(ctx, client.ListInboxOptions{})
	if err != nil || len(inbox.Prompts) == 0 {
		return
	}
	asked := inbox.Prompts[0]
	_, err = c.AnswerPrompt(ctx, asked.ID, client.Decision{Behavior: client.DecisionBehaviorAllow, InputHash: asked.InputHash})
	if err != nil {
		log.Fatal(err)
	}
}

// A rejected request says why, and what to do about it.
func ExampleProblem() {
	c := client.New("http://127.0.0.1:7717", os.Getenv("SESSKEEP_TOKEN"))
	_, err := c.GetSession(context.Background(), "", "c9cf", client.GetSessionOptions{})
	var problem *client.Problem
	if errors.As(err, &problem) && problem.Code == "ambiguous" {
		fmt.Println("give more of the id:", problem.Hint)
	}
}
