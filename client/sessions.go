package client

import (
	"context"
	"iter"
)

// Sessions iterates over the sessions of all pages of ListSessions. It stops at the first
// error.
func (c *Client) Sessions(ctx context.Context, project string, o ListSessionsOptions) iter.Seq2[*Session, error] {
	return func(yield func(*Session, error) bool) {
		for {
			page, err := c.ListSessions(ctx, project, o)
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range page.Sessions {
				if !yield(&page.Sessions[i], nil) {
					return
				}
			}
			if !page.HasMore {
				return
			}
			o.Paging.Offset, o.Paging.Cursor = 0, page.Next
		}
	}
}
