// Package live tells what happens in Claude's homes while it happens, and what
// every session does now.
//
// A Hub watches homes: their registry of running clients, their projects, and
// the families of sessions that live. Watches are on directories and scale with
// projects and live families, not with transcripts; where the system cannot
// watch, it looks. A sweep finds what a watch missed, so every promise below
// holds without any notification, only later.
//
// An Event is news about one session. Of a transcript it carries the entries
// themselves and the range they were read from.
//
//   - Every entry appended after a subscription began is delivered to it once,
//     in the order of the file, with no gap: From is the To of the event before.
//   - A file that is rewritten gives one Replaced, and then all its entries.
//   - Delivery never blocks the Hub. A subscriber that falls behind gets a single
//     Reset in place of what it missed, and the end of its channel; it subscribes
//     again from its own positions, and nothing is lost by that, because the file
//     still has it.
//
// The State of a session comes from the registry, jobs, hook reports and the end
// of the transcript, in that order, and never from words on a screen. See Judge.
package live
