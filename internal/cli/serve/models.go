package serve

import (
	"net/http"

	"sesskeep/internal/api"
	"sesskeep/internal/app"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/mcp"
	"sesskeep/internal/money"
)

// models answers clients of the Model Context Protocol.
func models(a *app.App, prices *money.Prices) http.Handler {
	room := *a.Recall
	room.Prices = prices
	return mcp.Handler(func(r *http.Request) mcp.Options {
		who := api.AskerOf(r)
		o := mcp.Options{Room: &room, Note: who.Note, Version: shell.Version().Version}
		o.Caller.Projects, o.Caller.Dir = who.Projects, who.Dir
		return o
	})
}
