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

// The sessions of the last two days, of all pages.
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

// Everything is copied that is not kept yet, which can take long.
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
