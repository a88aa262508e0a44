// Package search finds text in the transcripts that an index knows.
//
// A run is one search under way. It asks the index which blocks of text can match, and
// scanners then read these pieces of transcripts on all processors, the most recently
// active sessions first; the feed gives a scanner what to read next. A line that
// matches is a hit of its session. What was found is grouped by session, ranked and
// remembered for a while, so that the pages behind a cursor keep their order; the text
// around a match is read only for hits that are shown. A process that searches again and
// again while the index does not change keeps a piece table instead of asking the index.
//
// A complete answer misses nothing. One with a budget may be incomplete, and then says
// how many bytes were not looked at. No transaction is open while transcripts are read.
package search
