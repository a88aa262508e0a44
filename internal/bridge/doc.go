// Package bridge speaks the live protocol of CodingBridge: one WebSocket for each client,
// one JSON object in a text frame, protocol version 1.0.
//
// An agent of that protocol is a run of ours (package runs), with the same id, limits and
// log: a socket only watches it, and it survives the socket and the server. A socket is
// in one of these states:
//
//	free ── start, reconnect ──▶ attached to an agent ── the run ends: stopped ──▶ free
//	  any ── an error that is not recoverable ──▶ closed
//
// Everything that is streamed is worked out from the log of the run and from nothing
// else, in the order of the log, and the id of a message is its position in the log
// ([position]). That is why a client that reconnects gets what it missed, without a gap
// and without a message twice, whichever server it asks. Questions and the state of the
// agent come from the holder of the run.
//
// The id of a permission or a question names one exact input. An answer to it allows
// that input and no other, although the protocol has no field for a hash.
package bridge
