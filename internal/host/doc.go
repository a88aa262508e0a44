// Package host asks the machine for what every front needs to know, and starts programs
// on it.
//
// It reports whether a registered client is [Alive], which [Clients] run and when one
// has ended ([OnExit]), which [Dirs] are ours, where an administrator's settings lie
// ([ManagedDir]) and under which path this program will be found again ([Program]). It
// starts what runs in the background, and browsers.
//
// The environment comes in as an argument, so that tests can bring their own.
package host
