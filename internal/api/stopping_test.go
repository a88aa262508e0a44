package api

import (
	"context"
	"fmt"
	"net/http"
	"testing"
)

// A request that the end of the server cuts off is answered with 503, not as a failure.
func TestStoppingProblem(t *testing.T) {
	if p := problemOf(fmt.Errorf("list sessions: %w", context.Canceled)); p.Status != http.StatusServiceUnavailable {
		t.Errorf("%+v", p)
	}
}
