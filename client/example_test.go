package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"sesskeep/client"
)

// The sessions of the last two days, page by page.
func Example() {
	ctx := context.Background()
	c := client.New("http://127.0.0.1:7717", os.Getenv("SESSKEEP_TOKEN"))
	o := client.ListSessionsOptions{Filter: client.Filter{Since: time.Now().Add(-48 * time.Hour).Format(time.RFC3339)}}
	for {
		page, err := c.ListSessions(ctx, "", o)
		if err != nil {
			log.Fatal(err)
		}
		for _, s := range page.Sessions {
			fmt.Println(s.ID, s.Title, s.MessageCount)
		}
		if !page.HasMore {
			break
		}
		o.Paging.Cursor = page.Next
	}
}

// What happens, as it happens, through every break of the connection.
func ExampleClient_Follow() {
	c := client.New("http://127.0.0.1:7717", os.Getenv("SESSKEEP_TOKEN"))
	for event, err := range c.Follow(context.Background(), "", client.EventsOptions{}) {
		if err != nil {
			log.Fatal(err)
		}
		if event.Kind == "state" && event.State.Word == "needs you" {
			fmt.Println(event.SessionID, "waits for you")
		}
	}
}

// What the server refuses says why, and what to do about it.
func ExampleProblem() {
	c := client.New("http://127.0.0.1:7717", os.Getenv("SESSKEEP_TOKEN"))
	_, err := c.GetSession(context.Background(), "", "c9cf", client.GetSessionOptions{})
	var problem *client.Problem
	if errors.As(err, &problem) && problem.Code == "ambiguous" {
		fmt.Println("give more of the id:", problem.Hint)
	}
}
