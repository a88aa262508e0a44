// Package host answers what every front asks of the machine it runs on: whether
// a registered client is [Alive], which [Clients] run, when one has ended ([OnExit]), which [Dirs] are ours, where an
// administrator's settings lie ([ManagedDir]) and under which path this program
// will be found again ([Program]).
//
// The environment comes in as an argument, so that tests can bring their own.
package host
