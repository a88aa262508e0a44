package client

import (
	"context"
	"maps"
	"net/url"
	"time"
)

// Wait waits until a job has ended, and returns it with its result. If ctx ends first, the
// job keeps running; CancelJob cancels it.
func (c *Client) Wait(ctx context.Context, job *Job) (*Job, error) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		now, err := c.GetJob(ctx, job.ID)
		if err != nil || now.State != JobStateRunning {
			return now, err
		}
		select {
		case <-ctx.Done():
			return now, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// asJob returns a query with the parameter that makes the server start a job.
func asJob(query url.Values) url.Values {
	q := url.Values{"async": {"true"}}
	maps.Copy(q, query)
	return q
}
