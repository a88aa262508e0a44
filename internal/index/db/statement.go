package db

import (
	"context"
	"database/sql/driver"
	"errors"
)

// maxStatements is how many statements a connection keeps: more than the
// questions that are asked again and again.
const maxStatements = 32

// statement is one that a connection keeps. To prepare it takes longer than most
// of them run.
type statement struct {
	driver.Stmt
	query driver.StmtQueryContext // the same
	lent  bool                    // its rows are being read
	used  int                     // when it was used last, counted in uses
}

// QueryContext runs a statement that was prepared before, if it can. One
// goroutine at a time calls this and closes the rows: database/sql sees to it.
func (m *member) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if !m.keeps {
		return m.connection.QueryContext(ctx, query, args)
	}
	s, err := m.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return m.connection.QueryContext(ctx, query, args)
	}
	rows, err := s.query.QueryContext(ctx, args)
	if err != nil {
		delete(m.statements, query)
		return nil, errors.Join(err, s.Close())
	}
	s.lent = true
	return &lentRows{Rows: rows, of: s}, nil
}

// prepared is a statement that is not in use, or nil.
func (m *member) prepared(ctx context.Context, query string) (*statement, error) {
	m.uses++
	if s := m.statements[query]; s != nil {
		if s.lent {
			return nil, nil
		}
		s.used = m.uses
		return s, nil
	}
	if len(m.statements) >= maxStatements && !m.dropOldest() {
		return nil, nil
	}
	stmt, err := m.connection.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	run, ok := stmt.(driver.StmtQueryContext)
	if !ok {
		return nil, errors.Join(errors.New("the driver lacks what we need"), stmt.Close())
	}
	s := &statement{Stmt: stmt, query: run, used: m.uses}
	if m.statements == nil {
		m.statements = map[string]*statement{}
	}
	m.statements[query] = s
	return s, nil
}

// dropOldest makes room for another statement, and reports whether it could.
func (m *member) dropOldest() bool {
	oldest := ""
	for query, s := range m.statements {
		if !s.lent && (oldest == "" || s.used < m.statements[oldest].used) {
			oldest = query
		}
	}
	if oldest == "" {
		return false
	}
	_ = m.statements[oldest].Close() // whatever it says, it is not used again
	delete(m.statements, oldest)
	return true
}

// Close ends the statements first: a connection with one does not end.
func (m *member) Close() error {
	var errs []error
	for _, s := range m.statements {
		errs = append(errs, s.Close())
	}
	m.statements = nil
	return errors.Join(append(errs, m.connection.Close())...)
}

// lentRows are the rows of a statement that is kept.
type lentRows struct {
	driver.Rows
	of *statement
}

// Close lets the statement be used again.
func (r *lentRows) Close() error {
	err := r.Rows.Close()
	r.of.lent = false
	return err
}
