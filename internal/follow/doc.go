// Package follow reports what happens in sessions while it happens. Call [Watch]
// for everything that is said and done as [Event] values, [Ps] for the
// sessions that clients run and [PsWatch] for that list after every change,
// [ReadEnding] for the end of one transcript, and [Lifecycle] for what happened
// while somebody watched.
//
// It joins the events of package live with the names of sessions and projects,
// which it takes from the index as it is and from the lines themselves: nothing
// here waits for an index to be brought up to date. Where all of this comes
// from is a [Sources]; package app makes one of its homes.
package follow
