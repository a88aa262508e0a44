// Package price computes what the tokens of a model cost.
//
// A Table is a dated list of Rows: the list prices of a model, in US dollars per
// million tokens. Default returns the reviewed one that is built in; With applies a
// user's file to it. Cost prices the usage of one request and returns the
// Price it used, whose Explain breaks the amount down again: tokens × rate, line by
// line.
//
// Promises: a model without a price is reported, never counted as 0. Amounts are
// whole picodollars, and an amount is linear in the counters, so that sums do
// not drift and the lines of Explain add up to the total. A Table is immutable and
// safe for concurrent use.
//
// A user's file looks like the built-in prices.json:
//
//	{
//	  "date": "2026-11-01",
//	  "source": "our contract",
//	  "usOnly": 1,
//	  "models": [
//	    {"model": "claude-opus-5-5", "input": 3.20, "output": 16, "cacheWrite5m": 4, "cacheWrite1h": 6.40, "cacheRead": 0.16}
//	  ]
//	}
//
// The rows of a model in it replace all rows of that model in the table below;
// other models stay. Each row has all five prices. What a row is for:
//
//	"fast": true           requests in fast mode; without such a row they have no price
//	"over": 200000         requests with more tokens than that before the answer, whole
//	"since": "2026-10-07"  requests from that day on, in UTC
//	"note": "…"            what a reader should know, such as a doubt
package price
