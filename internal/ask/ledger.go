package ask

import (
	"time"

	"sesskeep"
)

// LedgerRow is a message as one file has it, whether it counts there or not.
type LedgerRow struct {
	Location  Location
	File      string // slash path below the home
	Message   string
	Call      string // the kind of a call beside an answer; empty: the answer
	Model     string
	Time      time.Time
	Sidechain bool
	Usage     sesskeep.Usage
	Lines     int // that repeat it in this file; the largest figure of each counts
	Counted   bool
	Winner    *Winner // where it counts instead
}

// Answer is as that of a [sesskeep.UsageRow].
func (l *LedgerRow) Answer() string {
	return (&sesskeep.UsageRow{Message: l.Message, Call: l.Call}).Answer()
}

// Winner is the file that a message counts in.
type Winner struct {
	ID   string // of the transcript
	Root string
	File string
	Why  string // what the file has ahead of the other
}

// LedgerSums says how many rows there are and what became of them.
type LedgerSums struct {
	Rows      int // messages as files have them
	Counted   int
	Dropped   int // because another file has them
	Merged    int // lines that repeat a message in their own file
	Synthetic int // answers the client made up, which cost nothing
}
