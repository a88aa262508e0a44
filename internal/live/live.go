// Package live reports what happens in Claude's homes while it happens, and
// what every session does now.
//
// Make a Hub with New, start it with Run, and then ask for States or Subscribe
// to events. For a single look without a Hub, call Now.
//
// A Hub watches the registry of running clients, the projects, and the families
// of live sessions. It watches directories, so the number of watches depends on
// projects and live families, not on transcripts. Where the system cannot watch,
// the Hub looks regularly. A sweep finds what a watch missed, so every promise
// below holds without any notification, only later.
//
// Every event has a number. Of appended lines the Hub keeps only the range of
// the file; the entries are read once for all subscribers.
//
//   - Every entry appended after a subscription began is delivered to it once,
//     in the order of the file and without a gap: From is the To of the event
//     before.
//   - A file that is rewritten gives one Replaced, and then all its entries.
//   - Delivery never blocks the Hub, and a slow subscriber costs no memory. If
//     the Hub does not keep the events it needs any more, the subscriber gets a
//     single Reset and the end of its channel. It subscribes again from its own
//     positions and loses nothing, because the files still have it.
//   - A subscriber that went away continues after the last event it got.
//
// The State of a session comes from the registry, jobs, hook reports and the end
// of the transcript, in that order, and never from words on a screen. See Judge.
package live
