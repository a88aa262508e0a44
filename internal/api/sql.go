package api

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"sesskeep/internal/access"
	"sesskeep/internal/money"
	"sesskeep/internal/views"
)

// sqlRoutes are the operations that answer statements.
type sqlRoutes struct{ *Server }

func (s sqlRoutes) register(api huma.API) {
	get(api, "/sql", routeInfo{
		id: "sqlTables", sum: "List the tables of SQL statements with their columns", tag: aboutUsage, role: access.Operate,
	}, s.tables)
	post(api, "/sql", routeInfo{
		id: "sql", sum: "Run a SELECT statement over all sessions", tag: aboutUsage, role: access.Operate,
		more: "Nothing can be written, attached or loaded, and no file can be read. A statement is stopped after 30 seconds.",
	}, s.ask)
}

func (s sqlRoutes) tables(context.Context, *noInput) (*body[views.Contract], error) {
	return answer(views.Tables()), nil
}

// Statement is the request to run a statement.
type Statement struct {
	SQL   string `json:"sql" maxLength:"1000000" doc:"One SELECT statement, in the dialect of SQLite"`
	Limit int    `json:"limit,omitempty" minimum:"1" maximum:"10000" doc:"Number of rows at most. Default: 1000"`
	Zone  string `json:"tz,omitempty" doc:"Time zone of days. Default: the server's"`
}

type statementInput struct{ Body Statement }

// The limits of a statement that a request asks for.
const (
	usualRows       = 1000
	statementAtMost = 30 * time.Second
)

func (s sqlRoutes) ask(ctx context.Context, in *statementInput) (*body[views.Selection], error) {
	q := views.Query{SQL: in.Body.SQL, Limit: in.Body.Limit, Patience: statementAtMost}
	if q.Limit == 0 {
		q.Limit = usualRows
	}
	var err error
	if q.Zone, err = money.Zone(in.Body.Zone, s.opts.Now().Location()); err != nil {
		return nil, invalid("tz", "%v", err)
	}
	if q.Prices, err = s.prices(ctx); err != nil {
		return nil, err
	}
	found, err := s.opts.App.Views.Ask(ctx, q)
	if err != nil {
		return nil, err
	}
	return answer(found), nil
}
