package ask

import "sesskeep"

// RowID is the id of the row of a key.
func RowID(key sesskeep.Key) string { return sesskeep.Ref{Session: key.Session, Agent: key.Agent}.ID() }
