// Package ask has the questions that can be put to a store of sessions and the
// answers to them: a Filter gives a Page of Rows, a Search gives Hits, usage is asked
// for as Messages and Sums.
//
// The package belongs to no engine. internal/index answers from SQLite; everything
// above it names questions and answers by this package, so that another engine can
// answer the same questions.
package ask
