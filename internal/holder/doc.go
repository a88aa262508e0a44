// Package holder keeps the client running, one process of ours for each run.
//
// [Hold] is that process: the only parent of the client. It has the client's
// pipes, reaps it, keeps to the limits of the run and answers prompts with a
// denial when nobody else did in time. Everything else, whether server, command or
// interface, is a client of it over a socket, and can come and go.
//
// A run is a directory in a [Store]:
//
//	run.json     what was ordered (Run)
//	log.jsonl    every line of the client's output, byte for byte, in order;
//	             pieces of messages are only in memory
//	life.jsonl   what happened to the run (launch.Event)
//	end.json     where it ended (launch.Status), written last, with a checksum and how
//	             much the others had
//	held         a lock: the holder lives as long as it is taken
//	socket       for [Store.Ask] and [Store.Follow]
//
// A run that is not held and has no end is unclean: its holder was killed.
package holder
