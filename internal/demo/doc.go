// Package demo writes the sample home that people can try sesskeep on.
//
// The home belongs to ada, who keeps a log parser, a shop's API, an old app in
// two colliding folders and a directory of notes. Its sessions are made up, but
// every line has the form that a real client gives it: 2.1.325 for most of
// them, 2.0.31 and 1.0.128 for the oldest. Together they show what sesskeep
// can distinguish: conversations in one file, forks and branches across files,
// sub-agents of all layouts, compaction, waiting and killed sessions, damage.
//
// Stories (stories_*.go) are written in the words of a session: prompt, answer,
// rewind, compact. A session turns them into lines. Ids and texts are always
// the same; only times follow the clock that is given, so that what happened
// "2 minutes ago" stays so.
package demo
