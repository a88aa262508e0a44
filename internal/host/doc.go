// Package host asks the machine for what every front needs to know, and starts programs
// on it.
//
// It reports whether a registered client is [Alive], which [Clients] run and when one
// has ended ([OnExit]), which [Dirs] are ours and the path of this program. It starts
// what runs in the background, and browsers.
package host
