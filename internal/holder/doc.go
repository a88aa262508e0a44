// Package holder keeps the client running, one process of ours for each run.
//
// [Hold] is that process: the only parent of the client. It owns the client's
// pipes, reaps it, enforces the limits of the run, and denies prompts that are not
// answered in time. Servers, commands and the interface talk to it over a socket
// and can come and go.
//
// A run is a directory in a [Store]:
//
//	run.json     the order (Run)
//	log.jsonl    every line of the client's output, byte for byte, in order;
//	             pieces of messages are only in memory
//	life.jsonl   the lifecycle log (launch.Event)
//	end.json     the final status (launch.Status), written last, with a checksum and
//	             the sizes of the other files
//	held         a lock that the holder has while it lives
//	socket       for [Store.Ask] and [Store.Follow]
//
// A run that is not held and has no end is unclean: its holder was killed.
package holder
