// Package money adds up what the sessions in an index used and what that cost.
// Call [ReadUsage] for a report by day, project, model or session, [ReadLedger]
// to break a total down row by row, [ReadStats] for figures, [ReadCosts] for the
// cost of single sessions, [ReadTurns] for that of the turns of one and [ReadStatus]
// for a status line. [ReadPrices] returns the prices that all of them accept.
//
// A message counts once over all files, the rows of a report add up to its
// total, and an unknown amount is reported as unknown, never as 0. Filters
// name the homes as Homes; package app fills them in.
package money
