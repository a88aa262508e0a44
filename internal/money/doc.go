// Package money adds up what the sessions in an index used and what that cost.
// Call [ReadUsage] for a report by day, project, model or session, [ReadLedger]
// to open a total up row by row, [ReadStats] for figures, [ReadCosts] for the
// cost of single sessions, [ReadTurns] for that of the turns of one and [ReadStatus]
// for a status line. [ReadPrices] gives the prices that all of them take.
//
// A message counts once over all files, the rows of a report add up to its
// total, and an amount nobody knows is told as such and never as 0. Filters
// name the homes as Homes; package app fills them in.
package money
