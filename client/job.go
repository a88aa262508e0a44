package client

import (
	"context"
	"maps"
	"net/url"
	"time"
)

// Running is the state of a job that is not over. Others are done, failed and
// cancelled.
const Running = "running"

// Wait waits until a job is over, and returns it as it is then, with its result. It
// goes on when nobody waits any more: CancelJob ends it.
func (c *Client) Wait(ctx context.Context, job *Job) (*Job, error) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		now, err := c.GetJob(ctx, job.ID)
		if err != nil || now.State != Running {
			return now, err
		}
		select {
		case <-ctx.Done():
			return now, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// asJob is a query for what is not waited for.
func asJob(query url.Values) url.Values {
	q := url.Values{"async": {"true"}}
	maps.Copy(q, query)
	return q
}
